import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSmallDisk } from '../../../testing/crash/small-disk.ts'
import { lastOf } from '../../../testing/data/a-home.ts'
import { aChat, aHome, aHost, aServer, turn, type TestHost } from '../../../testing/host/a-host.ts'
import {
  aHostWith,
  aMisbehaving,
  answering,
  find,
  results,
  unconfined,
  use,
} from '../../../testing/mcp/chats-with-servers.ts'
import { wordsIn } from '../../../testing/purge/plant-chat.ts'
import { until } from '../../../testing/until.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { putServer, switchServer } from '../../../testing/mcp/agree.ts'

const KEY = 'blue-harbour-42-lanterns'
const ANSWER = 'answerzq'

/** A home with a server that has a key and an unasked tool. A chat has used it and got a picture. */
async function aUsedHome(home: string) {
  const host = await aHost(home, { coreTools: true, ...unconfined })
  const { client } = host
  const echoes = { ...aMisbehaving('echoes', ['world']), env: { API_KEY: KEY } }
  for (const server of [echoes, aMisbehaving('photos', ['picture'])]) {
    await putServer(client, { server })
    await client['mcp.test']({ name: server.name })
  }
  await switchServer(client, { name: 'echoes', tool: 'value', pinned: true, unasked: true })
  const model = await aServer(client)
  const { id } = await aChat(host, model, { approval: 'full' })
  const photo = 'mcp__photos__echo'
  model.reply(
    // The server tells its key, and saves a file.
    { toolCalls: [{ name: 'mcp__echoes__value', arguments: { text: 'API_KEY' } }] },
    find('mcp__echoes__write'),
    use('mcp__echoes__write', { text: 'notes.txt' }),
    find(photo),
    use(photo, { text: 'x' }),
    { text: ANSWER },
  )
  await turn(host, id, 'Go.', answering(host, 'once'))
  const pictures = () => readdirSync(join(home, 'cache', 'outputs')).filter(name => name.endsWith('.png'))
  const close = async () => {
    await host.close()
    await model.close()
  }
  return { host, client, id, pictures, close }
}

function smallDisk() {
  const disk = aSmallDisk(1)
  if (isRefusal(disk)) throw new Error(disk.refused)
  return disk
}

const toolOf = async ({ client }: TestHost, name: string) =>
  (await client['mcp.list']({})).servers
    .find(server => server.name === 'echoes')
    ?.tools.find(tool => tool.name === name)

// The tests share a home; the last one empties it.
describe('a home with servers', () => {
  let home: ReturnType<typeof aHome>
  let used: Awaited<ReturnType<typeof aUsedHome>>
  beforeAll(async () => {
    home = aHome()
    used = await aUsedHome(home.path)
  })
  afterAll(async () => {
    await used.close()
    home[Symbol.dispose]()
  })

  test.each([true, false])('is whole after a backup and a restore, with keys: %s', async keys => {
    using elsewhere = aHome()
    const path = join(elsewhere.path, 'backup.zip')
    const folder = join(elsewhere.path, 'new')
    const before = await toolOf(used.host, 'value')
    const written = await lastOf(used.client['data.backup']({ path, keys, files: true }))
    expect(JSON.stringify(written)).not.toContain('connections')
    const { seen } = await used.client['data.inspect']({ path })
    await lastOf(used.client['data.restore']({ path, folder, seen }))
    expect(Object.keys(await wordsIn(folder, [KEY]))).toEqual(keys ? [KEY] : [])

    await using restored = await aHost(folder, { coreTools: true, ...unconfined })
    expect(readFileSync(join(folder, 'connections', 'echoes', 'notes.txt'), 'utf8')).toBe('x')
    expect(await results(restored, used.id)).toEqual(await results(used.host, used.id))
    const called = await restored.client['mcp.call']({ name: 'echoes', tool: 'folder', args: { text: '' } })
    const missing = 'It needs the key ECHOES_API_KEY, which is not stored.'
    expect(called).toMatchObject(
      keys ? { ok: true, text: join(folder, 'connections', 'echoes') } : { ok: false, text: missing },
    )
    expect(before).toMatchObject({ state: 'on', pinned: true, unasked: true })
    if (keys) expect(await toolOf(restored, 'value')).toEqual(before)
  })

  test('shows what servers keep as a part of its size, and no key in an export', async () => {
    const { parts } = await used.client['data.sizes']({})
    expect(parts).toContainEqual({ id: 'connections', title: 'Files of connections', bytes: 1, files: 1 })
    for (const format of ['markdown', 'json', 'html'] as const) {
      const path = join(home.path, `export.${format}`)
      await lastOf(used.client['data.export']({ path, format }))
      const text = readFileSync(path, 'utf8')
      rmSync(path)
      expect([ANSWER, '[redacted]', KEY].map(word => text.includes(word))).toEqual([true, true, false])
    }
  })

  test('keeps nothing of a chat that is removed for good, and no key of a server that is removed', async () => {
    const { client, id } = used
    expect(used.pictures()).toHaveLength(1)
    await client['session.remove']({ id })
    await client['session.purge']({ ids: [id] })
    await until(async () => (await client['session.deleted']({})).removing === 0)
    expect(used.pictures()).toEqual([])
    expect(await wordsIn(home.path, [ANSWER])).toEqual({})
    for (const name of ['echoes', 'photos']) await client['mcp.remove']({ name, forGood: true })
    expect(await wordsIn(home.path, [KEY, 'ECHOES_API_KEY'])).toEqual({})
  })
})

const first = aSmallDisk(1)
const whyNone = isRefusal(first) ? first.refused : undefined
if ('path' in first) first[Symbol.dispose]()
if (whyNone !== undefined) console.warn(`Not tried on a full disk: ${whyNone}.`)

describe.skipIf(whyNone !== undefined)('a result that is too long for an answer', () => {
  test.each(['full', 'read-only'])('is in the chat, shortened, where the disk is %s', async how => {
    using home = aHome()
    using disk = smallDisk()
    await using host = await aHostWith(home.path, { big: ['huge'] })
    await using model = await aServer(host.client)
    // Only files of results are on the small disk, not the chats.
    const outputs = join(disk.path, 'outputs')
    mkdirSync(outputs)
    mkdirSync(join(home.path, 'cache'), { recursive: true })
    symlinkSync(outputs, join(home.path, 'cache', 'outputs'))
    disk.leave(100_000)
    if (how === 'read-only') spawnSync('mount', ['-o', 'remount,ro', disk.path])
    const { id } = await aChat(host, model, { approval: 'full' })
    model.reply(find('mcp__big__echo'), use('mcp__big__echo', { text: 'x' }), { text: 'Long.' })
    await turn(host, id, 'Go.', answering(host, 'once'))
    const [, long] = await results(host, id)
    expect(long).toMatch(/^result: \[\w+: text from a stranger[^]*\nx{1000}/)
    expect(long).toContain('characters cut; it could not be kept …]')
    expect(long).toContain('the whole could not be saved: is the disk full?')
    expect(readdirSync(outputs)).toEqual([])
    expect(host.mistakes()).toEqual([])
  })
})
