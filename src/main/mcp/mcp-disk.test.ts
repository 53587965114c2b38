import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { aSmallDisk } from '../../../testing/crash/small-disk.ts'
import { aHost, type TestHost } from '../../../testing/host/a-host.ts'
import { aMisbehaving, unconfined } from '../../../testing/mcp/chats-with-servers.ts'
import { wordsIn } from '../../../testing/purge/plant-chat.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { acceptServer, putServer, switchServer } from '../../../testing/mcp/agree.ts'

const first = aSmallDisk(1)
const whyNone = isRefusal(first) ? first.refused : undefined
if ('path' in first) first[Symbol.dispose]()
if (whyNone !== undefined) console.warn(`Not tried on a full disk: ${whyNone}.`)

const OLD_KEY = 'blue-harbour-42-lanterns'
const NEW_KEY = 'green-valley-17-windmills'
const withKey = (name: string, key: string) => ({ ...aMisbehaving(name, ['world']), env: { API_KEY: key } })

// The tests share a home on a small disk. A server with a key was added while there was space.
describe.skipIf(whyNone !== undefined)('servers in a home whose disk', () => {
  let disk: Exclude<ReturnType<typeof aSmallDisk>, { refused: string }>
  let home: string
  let host: TestHost
  beforeAll(async () => {
    const made = aSmallDisk(16)
    if (isRefusal(made)) throw new Error(made.refused)
    disk = made
    home = join(disk.path, 'home')
    mkdirSync(home)
    host = await aHost(home, { coreTools: true, ...unconfined })
    await putServer(host.client, { server: withKey('old', OLD_KEY) })
    expect(await host.client['mcp.test']({ name: 'old' })).toMatchObject({ ok: true })
  })
  afterAll(async () => {
    disk.leave(4_000_000)
    await host.close()
    disk[Symbol.dispose]()
  })

  const listed = async () => (await host.client['mcp.list']({})).servers
  const namesInFile = (): string[] =>
    parse(readFileSync(join(home, 'config.yaml'), 'utf8')).mcp.servers.map(
      ({ name }: { name: string }) => name,
    )
  const keyOf = async (name: string) =>
    (await host.client['mcp.call']({ name, tool: 'value', args: { text: 'API_KEY' } })).text
  /** The error message of a refused request, or undefined if it succeeded. */
  const refused = (doing: Promise<unknown>) =>
    doing.then(
      () => undefined,
      (error: Error) => error.message,
    )
  /** The first server as a window shows it, with only whether it is usable in place of its state. */
  async function oldNow() {
    const { state, ...shown } = (await listed()).find(({ name }) => name === 'old') ?? { state: 'gone' }
    return { ...shown, isUsable: ['running', 'ready'].includes(state) }
  }
  async function oldIsWhole() {
    expect(namesInFile()).toContain('old')
    expect(await oldNow()).toMatchObject({ isUsable: true })
    expect(await wordsIn(home, [OLD_KEY])).toMatchObject({ [OLD_KEY]: expect.anything() })
  }

  test('is full are added whole, or not at all with a sentence', async () => {
    const trouble = new Set<string>()
    let added = 0
    // From no free space to enough, so that it runs out at every step.
    for (let free = 0; free <= 120_000; free += 4_096) {
      const name = `new-${free}`
      disk.leave(free)
      const why = await refused(putServer(host.client, { server: withKey(name, NEW_KEY) }))
      if (why === undefined) added++
      else trouble.add(why)
      expect({ free, why, inFile: namesInFile().includes(name) }).toEqual({
        free,
        why,
        inFile: why === undefined,
      })
      expect((await listed()).some(each => each.name === name)).toBe(why === undefined)
      // If the server was not added, its key is not left behind.
      if (why !== undefined) expect(await wordsIn(home, [NEW_KEY])).toEqual({})
      await oldIsWhole()
      if (why === undefined) break
    }
    for (const sentence of trouble) expect(sentence).toMatch(/the disk is full/i)
    expect([trouble.size, added]).toEqual([expect.any(Number), 1])
    expect(trouble.size).toBeGreaterThan(0)
    disk.leave(4_000_000)
    await putServer(host.client, { server: withKey('later', NEW_KEY) })
    expect(await host.client['mcp.test']({ name: 'later' })).toMatchObject({ ok: true })
    expect(await keyOf('later')).toBe('[redacted]')
  })

  test('is full are edited, accepted, switched and removed whole, or stay as they were', async () => {
    disk.leave(0)
    const { client } = host
    const file = readFileSync(join(home, 'config.yaml'), 'utf8')
    const before = await oldNow()
    for (const doing of [
      () => putServer(client, { server: withKey('old', NEW_KEY) }),
      () => putServer(client, { server: withKey('elder', OLD_KEY), was: 'old' }),
      () => client['mcp.switch']({ name: 'old', tool: 'value', pinned: true }),
      () => client['mcp.remove']({ name: 'old' }),
      () => client['mcp.remove']({ name: 'old', forGood: true }),
    ]) {
      const why = await refused(doing())
      expect(why, String(doing)).toMatch(/the disk is full/i)
      expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(file)
      expect(await oldNow(), String(doing)).toEqual(before)
    }
    // A change stored only in the database may fit into the space that the database already has.
    for (const doing of [
      () => acceptServer(client, { name: 'old' }),
      () => switchServer(client, { name: 'old', tool: 'value', unasked: true }),
    ])
      expect((await refused(doing())) ?? 'the disk is full').toMatch(/the disk is full/i)
    // The existing server and its key can still be used.
    expect(await keyOf('old')).toBe('[redacted]')
    disk.leave(4_000_000)
    expect(await client['mcp.test']({ name: 'old' })).toMatchObject({ ok: true })
    expect(await wordsIn(home, [OLD_KEY])).toMatchObject({ [OLD_KEY]: expect.anything() })
  })

  test('may only be read stay as they are, with a sentence, and can be used', async () => {
    const { client } = host
    disk.leave(4_000_000)
    const before = await oldNow()
    const file = readFileSync(join(home, 'config.yaml'), 'utf8')
    const mount = (...args: string[]) => expect(spawnSync('mount', args).status).toBe(0)
    // Open files stay writable, so only the folder is mounted read-only.
    mount('--bind', home, home)
    mount('-o', 'remount,bind,ro', home)
    try {
      for (const doing of [
        () => putServer(client, { server: withKey('another', NEW_KEY) }),
        () => putServer(client, { server: withKey('old', NEW_KEY) }),
        () => client['mcp.switch']({ name: 'old', on: false }),
        () => client['mcp.remove']({ name: 'old' }),
      ]) {
        expect(await refused(doing()), String(doing)).toMatch(/read-only|may not be written/i)
        expect(await oldNow(), String(doing)).toEqual(before)
      }
      expect(await keyOf('old')).toBe('[redacted]')
    } finally {
      spawnSync('umount', ['-l', home])
    }
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(file)
    await oldIsWhole()
  })
})
