import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { aChat, aHome, aHost, aServer, turn } from '../host/a-host.ts'

const file = fileURLToPath(new URL('full-tools.json', import.meta.url))

type Sent = { function: { name: string; description: string; parameters: unknown } }

// The basic forms are covered by the hashes of the built-in model.
test('the full forms of all tools reach a server as the golden file says', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { coreTools: true })
  await using server = await aServer(host.client)
  const { id } = await aChat(host, server)
  server.reply({ text: 'Hello.' })
  await turn(host, id, 'Hello?')
  const sent = (server.chats()[0]!.body.tools as Sent[]).map(each => each.function)
  if (process.env['TALARIA_UPDATE_GOLDEN'] === '1') writeFileSync(file, `${JSON.stringify(sent, null, 2)}\n`)
  expect(sent.length).toBeGreaterThan(9)
  expect(sent).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})
