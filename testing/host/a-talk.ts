import { expect } from 'vitest'
import { aHost, aServer, endOf, turn, type TestHost } from './a-host.ts'

/** The headings in a prompt above the instructions of the user. */
export const OF_PROJECT = '## Instructions of the user for this project\n'
export const OF_CHAT = '## Instructions of the user for this chat, which count before those above\n'

/**
 * A host with a model that says yes. `systemOf` sends a message and returns the system prompt that the model
 * read.
 */
export async function aTalk(home: string, options: Parameters<typeof aHost>[1] = {}) {
  const host = await aHost(home, options)
  const server = await aServer(host.client)
  server.reply(() => ({ text: 'Yes.' }))
  const bodyOf = async (id: string) => {
    expect(endOf(await turn(host, id, 'Hello?'))).toBe('done')
    return server.chats().at(-1)!.body
  }
  return {
    host,
    server,
    bodyOf,
    systemOf: async (id: string): Promise<string> => (await bodyOf(id)).messages[0].content,
    async [Symbol.asyncDispose]() {
      await host.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Change a chat. */
export const update = ({ client }: TestHost, id: string, change: object) =>
  client['session.update']({ id, ...change })
