import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { cleanEnvironment } from '../../confinement/command-environment.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { findProcesses } from '../../commands/end-family.ts'
import { connectServer, type CallOutcome } from './connect-server.ts'
import type { JudgedTools } from '../judge-tools.ts'
import { stdioTransport, type StdioTransport } from '../transport/stdio-transport.ts'

const server = fileURLToPath(new URL('../../../../testing/mcp/misbehaving-server.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'talaria-mcp-'))
const ends: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends.splice(0)) await end()
  rmSync(join(folder, 'starts'), { force: true })
})
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0

/** Connect to the misbehaving server in one of its modes. */
async function connect(mode: string, timeoutMs = 60_000, probeMs?: number) {
  const transports: StdioTransport[] = []
  const mark = `test-${process.pid}.${count++}`
  const open = () => {
    const transport = stdioTransport({
      program: process.execPath,
      args: [server, mode, join(folder, 'starts')],
      cwd: folder,
      env: cleanEnvironment(),
      mark,
      secrets: [],
    })
    transports.push(transport)
    return transport
  }
  const connection = await connectServer({ open, timeoutMs, probeMs, roots: [], version: '1.0.0' })
  const end = () => Promise.all(transports.map(transport => transport.close()))
  ends.push(end)
  return { connection, transport: () => transports.at(-1)!, starts: () => transports.length, mark, end }
}

async function connected(mode: string, probeMs?: number) {
  const made = await connect(mode, 60_000, probeMs)
  if (isRefusal(made.connection)) throw new Error(made.connection.refused)
  const { connection } = made
  const call = (name: string, args = {}, timeoutMs = 60_000): Promise<CallOutcome> =>
    connection.call(name, args, { signal: new AbortController().signal, timeoutMs })
  const list = async (): Promise<JudgedTools> => {
    const found = await connection.listTools()
    if (isRefusal(found)) throw new Error(found.refused)
    return found
  }
  return { ...made, connection, call, list }
}

const namesOf = ({ tools }: JudgedTools) => tools.map(({ name }) => name)

describe('a connection', () => {
  test('lists and calls the tools of a server of the older era', async () => {
    const { connection, list, call } = await connected('good')
    expect(connection.title).toBe('misbehaving')
    expect(connection.prior).toEqual({ kind: 'legacy' })
    expect(namesOf(await list())).toEqual(['echo', 'add'])
    expect(await call('add', { a: 1, b: 2 })).toMatchObject({ answered: { content: [{ text: '3' }] } })
  })

  test('hears at once of an answer that is no JSON, with what nobody would see, and goes on', async () => {
    const { call } = await connected('no JSON')
    expect(await call('echo')).toEqual({
      failed: expect.stringMatching(
        /^The server sent something that is not JSON: “….*"result": \{"content": \[\], "mean⟨U\+202E⟩": NaN\}\}”\.$/,
      ) as string,
      mayHaveActed: true,
    })
    expect(await call('add', { a: 1, b: 2 })).toMatchObject({ answered: { content: [{ text: '3' }] } })
  })

  test.each(['exits at probe', 'silent probe'])('reaches a server that %s', async mode => {
    // Unanswered requests time out early in this test.
    const { list } = await connected(mode, 500)
    expect(namesOf(await list())).toEqual(['echo', 'add'])
  })

  test.each([
    ['bad tool', ['echo', 'bad', 'none', 'add'], []],
    ['duplicate', ['echo', 'add'], [['echo', /same name/]]],
    ['far reference', ['echo', 'add'], []],
    ['poisoned', ['add'], [['echo', /give the model orders/]]],
  ] as const)('keeps the good tools beside those of a server with: %s', async (mode, names, refused) => {
    const { list } = await connected(mode)
    const found = await list()
    expect(namesOf(found)).toEqual(names)
    expect(found.refused.map(({ name }) => name)).toEqual(refused.map(([name]) => name))
    for (const [at, [, problem]] of refused.entries()) expect(found.refused[at]!.problem).toMatch(problem)
  })

  test('takes hidden characters out of descriptions', async () => {
    const { list } = await connected('hidden')
    expect((await list()).tools[0]!.description).toBe('Say a text again.')
  })

  test('names the limit of tools and of pages', async () => {
    const many = await (await connected('many')).list()
    expect([many.tools.length, many.refused.at(-1)?.problem]).toEqual([
      500,
      expect.stringContaining('up to 500'),
    ])
    const pages = await (await connected('endless pages')).list()
    expect(pages.refused.at(-1)?.problem).toBe('Its list has more than 64 pages.')
  })

  test('tells that a server that died in a call may have acted', async () => {
    const { call, transport } = await connected('dies')
    expect(await call('echo', { text: 'x' })).toEqual({ failed: 'The connection ended.', mayHaveActed: true })
    expect(transport().ending).toBe('it ended with code 1')
  })

  test('does not wait longer than it may', async () => {
    const { call } = await connected('hangs')
    expect(await call('echo', {}, 50)).toEqual({ failed: 'It did not answer in time.', mayHaveActed: true })
  })

  test('is stopped by its signal', async () => {
    const { connection } = await connected('hangs')
    const stop = new AbortController()
    const outcome = connection.call('echo', {}, { signal: stop.signal, timeoutMs: 60_000 })
    stop.abort()
    expect(await outcome).toEqual({ failed: 'The call was stopped.', mayHaveActed: true })
  })

  test.each([
    ['endless line', 'it sent a line of more than 32 MB'],
    ['flood', 'it sent more than 5000 messages in a second that nobody asked for'],
    ['rubbish flood', 'it printed more than 5000 lines in a second that are no messages'],
    ['strays', 'it sent more than 20 replies to requests that were never sent'],
  ])('ends a server that sends too much: %s', async (mode, ending) => {
    // The clock is stopped, so that a slow machine reads as much within a second.
    vi.useFakeTimers({ toFake: ['performance'] })
    const { call, transport, mark } = await connected(mode)
    expect(await call('echo')).toMatchObject({ mayHaveActed: true })
    await transport().ended
    expect(transport().ending).toBe(ending)
    expect(findProcesses({ leader: transport().leader!, mark })).toEqual([])
  })

  test('passes progress on', async () => {
    const { connection } = await connected('progress')
    const heard: string[] = []
    await connection.call(
      'echo',
      {},
      { signal: new AbortController().signal, timeoutMs: 60_000, onProgress: text => heard.push(text) },
    )
    expect(heard).toEqual(['1 of 3: step 1', '2 of 3: step 2', '3 of 3: step 3'])
  })

  test('gives a call more time while it reports progress, and not for ever', async () => {
    const { connection, call } = await connected('slow')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    let onProgress: () => void = () => undefined
    const slow = () =>
      connection.call(
        'echo',
        {},
        { signal: new AbortController().signal, timeoutMs: 60_000, onProgress: () => onProgress() },
      )
    const progressAfter = async (ms: number) => {
      vi.advanceTimersByTime(ms)
      const heard = new Promise<void>(resolve => (onProgress = resolve))
      await call('add', { a: 1, b: 1 })
      await heard
    }
    const patient = slow()
    for (let time = 0; time < 3; time++) await progressAfter(50_000)
    await call('add', { a: 0, b: 0 })
    expect(await patient).toMatchObject({ answered: { content: [{ text: 'done' }] } })

    const late = { failed: 'It did not answer in time.', mayHaveActed: true }
    const silent = slow()
    await progressAfter(50_000)
    vi.advanceTimersByTime(60_001)
    expect(await silent).toEqual(late)

    const endless = slow()
    for (let time = 0; time < 23; time++) await progressAfter(50_000)
    vi.advanceTimersByTime(50_000)
    await call('add', { a: 1, b: 1 })
    expect(await endless).toEqual(late)
  })

  test.each(['grandchild', 'stubborn'])('leaves no process of a server with: %s', async mode => {
    const { end, transport, mark } = await connected(mode)
    const family = { leader: transport().leader!, mark }
    expect(findProcesses(family).length).toBeGreaterThan(0)
    await end()
    expect(findProcesses(family)).toEqual([])
  })

  test('keeps lines that are no messages for the person', async () => {
    const { transport } = await connected('rubbish')
    expect(transport().lastLines()).toEqual(['Server is starting', '{"a": 1}'])
  })

  test('says what a server printed when it does not start', async () => {
    const { connection, transport } = await connect('says why')
    expect(connection).toEqual({ refused: expect.any(String) })
    await transport().ended
    expect(transport().lastLines()).toContain('The database is locked.')
  })

  test('gives up a server that never answers', async () => {
    const { connection } = await connect('silent', 100)
    expect(connection).toEqual({ refused: 'It did not answer in time.' })
  })
})
