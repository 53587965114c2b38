import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aHome, aHost, type TestHost } from '../../../testing/host/a-host.ts'
import { until } from '../../../testing/until.ts'
import { LocalMcpServer } from '../../shared/contract/connections/mcp.ts'
import { putServer } from '../../../testing/mcp/agree.ts'

const program = fileURLToPath(new URL('../../../testing/mcp/misbehaving-server.ts', import.meta.url))
const unconfined = { confinement: async () => ({ confined: false as const, reason: 'A test.', remedy: '' }) }

let home: ReturnType<typeof aHome>
let host: TestHost
beforeAll(async () => {
  home = aHome()
  host = await aHost(home.path, { coreTools: true, ...unconfined })
})
afterAll(async () => {
  await host.close()
  home[Symbol.dispose]()
})

/** Add a server in this mode. Returns its name. */
async function add(mode: string, given: Partial<LocalMcpServer> = {}): Promise<string> {
  const name = mode.replaceAll(' ', '-')
  const args = [program, mode, ...(given.args ?? [])]
  const entry = { start_timeout_s: 150, ...given, name, command: process.execPath, args }
  await putServer(host.client, { server: LocalMcpServer.parse(entry) })
  return name
}
const call = async (name: string) => {
  const { ok, isError, text } = await host.client['mcp.call']({ name, tool: 'echo', args: { text: 'x' } })
  return { ok, isError, text }
}
const MAYBE = ' It may have acted; the call was not repeated.'

describe('a server whose list is bad', () => {
  const good = { name: 'add', ok: true }
  test.each<[string, Record<string, RegExp>, string[]]>([
    ['bad tool', {}, ['echo', 'bad', 'none', 'add']],
    ['duplicate', { echo: /same name/ }, ['echo', 'add']],
    ['far reference', {}, ['echo', 'add']],
    ['poisoned', { echo: /give the model orders/ }, ['add']],
    ['escapes', {}, ['echo', 'a[31mred', 'add']],
    [
      'hostile schemas',
      {
        deep: /nested deeper than 40 levels/,
        deeper: /nested deeper than 40 levels/,
        huge: /more than 100 kB/,
        deep_annotations: /nested deeper than 40 levels/,
      },
      // If our check cannot read a schema, the server checks the arguments itself.
      ['lost', 'bad_pointer', 'bad_pattern', 'bad_type', 'recursive', 'add'],
    ],
    [
      'no objects',
      { 'tool 1': /not an object/, 'tool 5': /no name/, 'tool 6': /no name/, echo: /not a text/ },
      ['add'],
    ],
    ['prototypes', {}, ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'odd', 'add']],
  ])('keeps its good tools: %s', async (mode, refused, kept) => {
    const name = await add(mode)
    const { ok, tools } = await host.client['mcp.test']({ name })
    expect(ok).toBe(true)
    expect(tools.filter(tool => tool.ok).map(tool => tool.name)).toEqual(kept)
    expect(tools).toContainEqual(good)
    for (const [tool, problem] of Object.entries(refused))
      expect(tools.findLast(each => each.name === tool && !each.ok)?.problem).toMatch(problem)
    const sum = await host.client['mcp.call']({ name, tool: 'add', args: { a: 1, b: 2 } })
    expect(sum).toMatchObject({ ok: true, isError: false, text: '3' })
  })

  test('shows nothing that hides or moves text', async () => {
    const { servers } = await host.client['mcp.list']({})
    const server = servers.find(({ name }) => name === 'escapes')!
    expect(server.tools.find(({ name }) => name === 'echo')?.description).not.toMatch(/\p{Cc}/u)
    expect(JSON.stringify(server)).not.toMatch(/\\u001b|\\u202e|\u202e/)
  })
})

describe('a server whose answers are bad', () => {
  test.each<[string, { ok: boolean; isError: boolean; text: unknown }]>([
    ['large result', { ok: true, isError: false, text: expect.stringMatching(/^x{1000}/) }],
    [
      'enormous result',
      {
        ok: false,
        isError: true,
        text: `The program was ended because it sent a line of more than 32 MB.${MAYBE}`,
      },
    ],
    [
      'wrong structure',
      {
        ok: true,
        isError: false,
        text: 'three\n[Its data are not what the tool says it returns. `sum` must be number.]',
      },
    ],
    ['no result', { ok: true, isError: false, text: 'nothing' }],
    ['no content', { ok: true, isError: false, text: 'The server answered nothing.' }],
    ['wrong content', { ok: true, isError: false, text: expect.stringContaining('Good.') }],
    ['deep result', { ok: true, isError: false, text: expect.stringContaining('nested too deep') }],
    ['escapes', { ok: true, isError: false, text: expect.stringMatching(/^[^\p{Cc}\u202e]+$/u) }],
    ['error', { ok: true, isError: true, text: 'There is no such thing.' }],
    ['ids as texts', { ok: true, isError: false, text: 'x' }],
    [
      'asks us',
      {
        ok: true,
        isError: false,
        text: expect.stringMatching(/"ping",\{"result":\{\}.*"sampling[^[]*-32601/),
      },
    ],
    ['progress flood', { ok: true, isError: false, text: 'done' }],
    ['list flood', { ok: true, isError: false, text: 'done' }],
    ['answers and ends', { ok: true, isError: false, text: 'x' }],
    [
      'speaks and dies',
      {
        ok: false,
        isError: true,
        text: `The program ended with code 2. It printed: The disk is full.${MAYBE}`,
      },
    ],
    [
      'closes output',
      { ok: false, isError: true, text: `The program was ended because it closed its output.${MAYBE}` },
    ],
    [
      'flood',
      {
        ok: false,
        isError: true,
        text: `The program was ended because it sent more than 5000 messages in a second that nobody asked for.${MAYBE}`,
      },
    ],
    ['hangs', { ok: false, isError: true, text: `It did not answer in time.${MAYBE}` }],
  ])('has a plain outcome: %s', async (mode, expected) => {
    const more = mode === 'hangs' ? { call_timeout_s: 1, args: [join(home.path, 'told')] } : {}
    const name = await add(mode, { env: { KEY: 'sk-secret-0123456789abcdef' }, ...more })
    expect(await call(name)).toEqual(expected)
  })

  test('shows what it printed without secrets and without what hides text', async () => {
    const { servers } = await host.client['mcp.list']({})
    const { lines } = servers.find(({ name }) => name === 'speaks-and-dies')!
    expect(lines).toEqual(['It uses the key [redacted].', 'The disk is full.'])
  })
})

describe('a server that does not start', () => {
  test.each([
    ['exits', 'The program ended with code 3.'],
    ['says why', 'The program ended with code 1. It printed: The database is locked.'],
    ['silent', 'It did not answer in time.'],
  ])('says why: %s', async (mode, problem) => {
    const name = await add(mode, { start_timeout_s: mode === 'silent' ? 1 : 30 })
    expect(await host.client['mcp.test']({ name })).toEqual({ ok: false, problem, tools: [] })
    const { servers } = await host.client['mcp.list']({})
    expect(servers.find(each => each.name === name)).toMatchObject({ state: 'failed', problem })
  })
})

describe('trouble on the disk', () => {
  test('an entry that was removed from config.yaml by hand ends what runs, and calls say so', async () => {
    const name = await add('good')
    expect(await call(name)).toMatchObject({ ok: true })
    const path = join(home.path, 'config.yaml')
    const { servers } = await host.client['mcp.list']({})
    expect(servers.find(each => each.name === name)).toMatchObject({ state: 'running' })
    const entry = new RegExp(`^ +- name: ${name}\\n(?: {6}.*\\n)*`, 'm')
    writeFileSync(path, readFileSync(path, 'utf8').replace(entry, ''))
    await until(async () => {
      const listed = await host.client['mcp.list']({})
      return !listed.servers.some(each => each.name === name)
    })
    await expect(call(name)).rejects.toThrow(`There is no server ${name}.`)
    expect(await call('ids-as-texts')).toMatchObject({ ok: true })
  })

  test('a picture that cannot be saved loses nothing else', async () => {
    const outputs = join(home.path, 'cache', 'outputs')
    rmSync(outputs, { recursive: true, force: true })
    mkdirSync(join(home.path, 'cache'), { recursive: true })
    writeFileSync(outputs, '')
    const name = await add('picture')
    expect(await call(name)).toEqual({
      ok: true,
      isError: false,
      text: '[image could not be saved: is the disk full?]',
    })
  })
})
