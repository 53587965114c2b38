import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { McpServer } from '../../shared/contract/connections/mcp.ts'
import { openStore } from '../db/store.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { createNetwork } from '../net/create-network.ts'
import { until } from '../../../testing/until.ts'
import { madeUpCalls } from '../../../testing/mcp/made-up-calls.ts'
import { serveNewer } from '../../../testing/mcp/newer-server.ts'
import { namedTools } from './chats/named-tools.ts'
import { openMcp, type Mcp } from './open-mcp.ts'

// The reference servers and one of the newer era, as a chat would use them. They run for the whole file.

const packages = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol/', import.meta.url))
const program = (name: string) => join(packages, name, 'dist/index.js')
const newer = fileURLToPath(new URL('../../../testing/mcp/newer-server.ts', import.meta.url))

const home = realpathSync(mkdtempSync(join(tmpdir(), 'talaria-mcp-')))
const files = join(home, 'files')
const log = join(home, 'log')
const hosts: string[] = []
const ends: (() => unknown)[] = []
let mcp: Mcp
let served: Awaited<ReturnType<typeof serveNewer>>

beforeAll(async () => {
  mkdirSync(files)
  writeFileSync(join(files, 'note.txt'), 'The note.')
  writeFileSync(log, '')
  served = await serveNewer(log)
  const node = process.execPath
  const servers: McpServer[] = [
    { name: 'everything', command: node, args: [program('server-everything')] },
    { name: 'http', url: `${await overHttp('streamableHttp')}/mcp` },
    { name: 'sse', url: `${await overHttp('sse')}/sse` },
    { name: 'files', command: node, args: [program('server-filesystem'), files] },
    {
      name: 'memory',
      command: node,
      args: [program('server-memory')],
      env: { MEMORY_FILE_PATH: join(home, 'memory.json') },
    },
    { name: 'newer', command: node, args: [newer, log] },
    { name: 'newer-http', url: served.url },
  ].map(each => McpServer.parse(each))
  const { store } = openStore(home, { clock: Date.now, report: raise })
  const network = createNetwork({ store: store.network, locked: () => true, now: Date.now })
  let config: readonly McpServer[] = []
  mcp = openMcp({
    home,
    store: store.mcp,
    read: () => config,
    write: given => (config = given),
    commands: {
      rights: () => Promise.resolve({ confined: false, whyNot: 'a test', offline: false }),
      confine: () => Promise.resolve({ refused: 'a test', mayRunUnconfined: true }),
    },
    keyOf: () => undefined,
    keepKey: () => Promise.resolve(),
    keptKey: () => undefined,
    report: error => {
      throw error
    },
    // All six start at the same time, perhaps on a busy machine.
    probeMs: 150_000,
    loginPath: () => Promise.resolve(process.env['PATH'] ?? ''),
    fetchFor: name => network.fetchFor({ purpose: 'mcp', subject: name }),
    count: text => text.length,
    version: '1.0.0',
    now: Date.now,
  })
  ends.push(
    () => store.close(),
    () => mcp.close(),
  )
  for (const server of servers) await mcp.put(server)
  await Promise.all(servers.map(server => list(server)))
  hosts.push(...store.network.list(Number.MAX_SAFE_INTEGER, 100).map(({ host }) => host))
})

afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  await served.close()
  rmSync(home, { recursive: true, force: true })
})

const raise = (error: unknown) => {
  throw error
}

/**
 * Start the everything server on a Unix socket, with a relay on a free port. The server prints only the port
 * that it was given, not the one that it got.
 */
async function overHttp(kind: 'streamableHttp' | 'sse'): Promise<string> {
  const socket = join(home, kind)
  const child = spawn(process.execPath, [program('server-everything'), kind], {
    env: { PATH: process.env['PATH'], PORT: socket },
    stdio: 'ignore',
  })
  const door = createServer(from => {
    const to = connect(socket)
    from.pipe(to).pipe(from)
    from.on('error', () => to.destroy())
    to.on('error', () => from.destroy())
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  ends.push(async () => {
    door.close()
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  })
  await until(() => existsSync(socket))
  return `http://127.0.0.1:${(door.address() as AddressInfo).port}`
}

async function list(server: McpServer, folder?: string) {
  const found = await mcp.list(server, folder)
  if (isRefusal(found)) throw new Error(`${server.name}: ${found.refused}`)
  return found
}

async function call(
  name: string,
  tool: string,
  args: Record<string, unknown> = {},
  how: { folder?: string; onProgress?(text: string): void; signal?: AbortSignal } = {},
) {
  const server = mcp.get(name)!
  const found = (await list(server, how.folder)).tools.find(each => each.name === tool)!
  return mcp.call({ server, tool: found }, args, { signal: new AbortController().signal, ...how })
}

describe.each(['everything', 'http', 'sse'])('the everything server (%s)', name => {
  test('lists its tools, none of them refused', async () => {
    const { tools, refused } = await list(mcp.get(name)!)
    expect(refused).toEqual([])
    expect(tools.map(tool => tool.name)).toEqual(
      expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']),
    )
  })

  test('answers with texts, data and errors', async () => {
    expect(await call(name, 'get-sum', { a: 2, b: 3 })).toMatchObject({
      ok: true,
      isError: false,
      text: 'The sum of 2 and 3 is 5.',
    })
    expect(await call(name, 'get-structured-content', { location: 'Chicago' })).toMatchObject({
      ok: true,
      structured: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
    })
    expect(await call(name, 'get-resource-reference', { resourceType: 'Text', resourceId: 0 })).toMatchObject(
      { isError: true },
    )
  })

  test('has its pictures and resources saved as files', async () => {
    const image = await call(name, 'get-tiny-image')
    expect(image).toMatchObject({ ok: true, files: [expect.stringMatching(/\.png$/)] })
    expect(
      readFileSync((image as { files: string[] }).files[0]!)
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    const blob = await call(name, 'get-resource-reference', { resourceType: 'Blob', resourceId: 1 })
    expect(blob).toMatchObject({ ok: true, files: [expect.stringMatching(/outputs/)] })
  })

  test('reports progress, in order', async () => {
    const heard: string[] = []
    const args = { duration: 0.01, steps: 3 }
    await call(name, 'trigger-long-running-operation', args, { onProgress: text => heard.push(text) })
    expect(heard).toEqual(['1 of 3', '2 of 3', '3 of 3'])
  })

  test('is told of a folder only where one is given, and only as a program', async () => {
    const toolsIn = async (folder?: string) =>
      (await list(mcp.get(name)!, folder)).tools.map(tool => tool.name)
    expect(await toolsIn()).not.toContain('get-roots-list')
    if (name !== 'everything') return expect(await toolsIn(files)).not.toContain('get-roots-list')
    const { text } = (await call(name, 'get-roots-list', {}, { folder: files })) as { text: string }
    expect(text).toContain(`file://${files}`)
    return undefined
  })
})

describe('the filesystem server', () => {
  test('reads what it was given, and says that the rest is not allowed', async () => {
    expect(await call('files', 'read_text_file', { path: join(files, 'note.txt') })).toMatchObject({
      text: 'The note.',
      structured: { content: 'The note.' },
    })
    expect(await call('files', 'read_text_file', { path: '/etc/passwd' })).toMatchObject({
      ok: true,
      isError: true,
      text: expect.stringContaining('Access denied'),
    })
  })

  test('is not called with what its schema refuses', async () => {
    expect(await call('files', 'read_text_file', { path: 7 })).toEqual({
      ok: false,
      reason: '`path` must be string. The server was not called.',
    })
  })
})

describe('the memory server', () => {
  test('keeps what it is told', async () => {
    const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] }
    await call('memory', 'create_entities', { entities: [entity] })
    expect(await call('memory', 'search_nodes', { query: 'Ada' })).toMatchObject({
      structured: { entities: [entity] },
    })
  })
})

describe.each(['newer', 'newer-http'])('a server of the newer era (%s)', name => {
  test('is spoken to in that era', async () => {
    expect(await call(name, 'echo', { text: 'x' })).toEqual({
      ok: true,
      isError: false,
      text: 'x',
      files: [],
    })
    expect(await call(name, 'weather')).toMatchObject({ structured: [3, 4] })
  })

  test('that asks for the roots is told the folder of the chat, if it is a program', async () => {
    const outcome = await call(name, 'roots', {}, { folder: files })
    expect(outcome).toMatchObject(
      name === 'newer'
        ? { text: JSON.stringify({ where: { roots: [{ uri: `file://${files}` }] } }) }
        : { ok: false },
    )
    expect(await call(name, 'roots')).toMatchObject({ ok: false })
    expect(await call(name, 'ask', {}, { folder: files })).toMatchObject({ ok: false, reason: '' })
  })

  test('that asks for more input is not answered, and has not acted', async () => {
    expect(await call(name, 'ask')).toEqual({
      ok: false,
      said: expect.stringContaining('the required capability'),
      reason: '',
    })
  })

  test('hears that a call was stopped', async () => {
    const stop = new AbortController()
    const before = readFileSync(log, 'utf8').length
    const outcome = await call(name, 'wait', {}, { signal: stop.signal, onProgress: () => stop.abort() })
    expect(outcome).toEqual({
      ok: false,
      said: 'The call was stopped.',
      reason: 'It may have acted; the call was not repeated.',
    })
    await expect.poll(() => readFileSync(log, 'utf8').slice(before)).toBe('stopped\n')
  })
})

test('two hundred calls that a local model could write of all tools of three servers are valid', () => {
  const three = ['everything', 'files', 'memory']
  const tools = namedTools(mcp.usable()).filter(({ server }) => three.includes(server.name))
  const calls = madeUpCalls(tools)
  expect(calls.filter(({ problem }) => problem !== undefined)).toEqual([])
  expect(new Set(calls.map(({ name }) => name)).size).toBeGreaterThan(30)
})

test('a server of the newer era is heard when its tools change', async () => {
  const names = async () => (await list(mcp.get('newer-http')!)).tools.map(tool => tool.name)
  expect(await names()).not.toContain('late')
  await until(async () => {
    served.addTool()
    return (await names()).includes('late')
  })
})

test('everything that goes to an address goes through the ledger, with the offline lock on', () => {
  expect(new Set(hosts.map(host => host.replace(/:\d+$/, '')))).toEqual(new Set(['127.0.0.1']))
  expect(new Set(hosts).size).toBe(3)
})
