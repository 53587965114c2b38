import { aHome, aHost, aServer } from '../host/a-host.ts'
import { askedIn } from './a-batch.ts'

/** A host with core tools and a server whose model answers each question with its own words. */
export async function aBench() {
  const home = aHome()
  const host = await aHost(home.path, { coreTools: true })
  const server = await aServer(host.client)
  server.reply(request => ({ text: `Answer to ${askedIn(request).asked}` }))
  return {
    host,
    home: home.path,
    client: host.client,
    server,
    modelId: server.modelId,
    async [Symbol.asyncDispose]() {
      await host.close()
      await server.close()
      home[Symbol.dispose]()
    },
  }
}

/** Rows that ask for nothing but an answer. */
export const questions = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ prompt: `Question ${at}` }))
