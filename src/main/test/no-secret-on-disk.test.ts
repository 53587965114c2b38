import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startOpenAiServer } from '../../../testing/servers/openai-server.ts'
import { aHome, aHost, endOf, turn } from '../../../testing/host/a-host.ts'

const KEY = 'sk-test-4f9c2e7ab1d84c55b0e3'

/** Every file below a folder whose bytes hold a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => readFileSync(path).includes(text))
}

test('after a full run a server’s key is in one file of the home, and in no window, log, export or database', async () => {
  using home = aHome()
  const server = await startOpenAiServer()
  const seen: string[] = []
  {
    await using host = await aHost(home.path)
    const { client } = host
    const added = await client['model.addServer']({
      name: 'Keyed',
      baseUrl: server.baseUrl,
      model: 'qwen3',
      apiKey: KEY,
    })
    seen.push(JSON.stringify(added), JSON.stringify(await client['model.list']({})))
    const chat = await client['session.create']({ modelId: added.id, approval: 'ask' })
    server.reply({ text: 'Hello.' })
    const good = await turn(host, chat.id, 'Hello?')
    // Servers like to quote the key that they refuse.
    server.reply({ status: 401, body: { error: { message: `Incorrect API key provided: ${KEY}.` } } })
    const refused = await turn(host, chat.id, 'Again?')
    server.reply({ text: ['Half'], error: { message: `internal: Bearer ${KEY}` }, after: 1 })
    const broken = await turn(host, chat.id, 'And again?')
    expect([good, refused].map(endOf)).toEqual(['done', 'failed'])
    seen.push(JSON.stringify([good, refused, broken]))
    seen.push(JSON.stringify(await client['model.tryServer']({ baseUrl: server.baseUrl, apiKey: KEY })))
    for (const call of [
      'settings.list',
      'network.list',
      'usage.read',
      'engine.info',
      'machine.look',
    ] as const)
      seen.push(JSON.stringify(await (client[call] as (input: object) => Promise<unknown>)({})))
    expect(server.chats()[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  }
  await server.close()
  expect(seen.filter(text => text.includes(KEY))).toEqual([])
  const kept = filesWith(home.path, KEY)
  expect(kept).toEqual([join(home.path, '.env')])
  if (process.platform !== 'win32') expect(statSync(kept[0]!).mode & 0o777).toBe(0o600)
})
