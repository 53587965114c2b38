import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { createFolderSearch } from '../../confinement/hidden-paths.ts'
import { createGuards } from '../../confinement/obeyed/guard/create-guards.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { until } from '../../../../testing/until.ts'
import type { Connections } from './connection-types.ts'
import { openConnections } from './open-connections.ts'
import { McpServer } from '../../../shared/contract/connections/mcp.ts'

const server = fileURLToPath(new URL('../../../../testing/mcp/misbehaving-server.ts', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'talaria-connections-'))
const opened: Connections[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  rmSync(join(home, 'connections'), { recursive: true, force: true })
})
afterAll(() => rmSync(home, { recursive: true }))

/** Connections to servers in modes of the misbehaving one, by name; the name `files` is not known. */
function open(
  modes: Record<string, string>,
  { idleMs = 60_000, clock = { now: 0 }, eras = new Map<string, number>() } = {},
) {
  const entries = new Map<string, McpServer>(
    Object.entries(modes).map(([name, mode]) => [
      name,
      McpServer.parse({ name, command: process.execPath, args: [server, mode], env: {} }),
    ]),
  )
  const connections = openConnections({
    home,
    commands: {
      rights: () => Promise.resolve({ confined: false, whyNot: 'a test', offline: false }),
      confine: () => Promise.resolve({ refused: 'a test', mayRunUnconfined: true }),
      guards: createGuards(home, createFolderSearch()),
    },
    keyOf: () => undefined,
    loginPath: () => Promise.resolve(process.env['PATH'] ?? ''),
    entryOf: name => entries.get(name),
    fetchFor: () => fetch,
    version: '1.0.0',
    now: () => clock.now,
    idleMs,
    eras: {
      olderSince: name => eras.get(name),
      setOlder: (name, at) => void (at === undefined ? eras.delete(name) : eras.set(name, at)),
    },
  })
  opened.push(connections)
  const call = (name: string, folder?: string) =>
    connections.call(
      name,
      'echo',
      { text: 'x' },
      { signal: new AbortController().signal, timeoutMs: 60_000, ...(folder !== undefined && { folder }) },
    )
  return { connections, call, clock, entries }
}

test('what a server does to files that programs obey is said in its log and with its next result', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-root-'))
  const { connections, call } = open({ one: 'good' })
  expect(await call('one', folder)).toEqual(answer)
  writeFileSync(join(folder, '.envrc'), 'x')
  expect(connections.takeObeyed('one', folder)).toEqual(['It made .envrc, which direnv obeys.'])
  expect(connections.takeObeyed('one', folder)).toEqual([])
  expect(connections.activity('one').lines).toContain('It made .envrc, which direnv obeys.')
  rmSync(folder, { recursive: true })
})

const answer = { answered: { content: [{ type: 'text', text: 'x' }] } }

describe('a server', () => {
  test('starts at its first use, and stops when nobody uses it', async () => {
    const { connections, call } = open({ one: 'good' }, { idleMs: 1 })
    expect(connections.activity('one').state).toBe('off')
    expect(await call('one')).toEqual(answer)
    await until(() => connections.activity('one').state === 'off')
    expect(await call('one')).toEqual(answer)
  })

  test('is asked once which era of the protocol it speaks, not at each start', async () => {
    const { connections, call } = open({ one: 'exits at probe' }, { idleMs: 1 })
    for (let start = 0; start < 2; start++) {
      expect(await call('one')).toEqual(answer)
      await until(() => connections.activity('one').state === 'off')
    }
    expect(readFileSync(join(home, 'connections', 'one', 'probes'), 'utf8')).toBe('.')
  })

  test('starts once for calls at the same time, and once for each folder', async () => {
    const { connections, call } = open({ one: 'good' })
    const starts = new Set<string>()
    connections.changes.subscribe(() => starts.add(connections.activity('one').state))
    expect(await Promise.all([call('one'), call('one'), call('one', home)])).toEqual([answer, answer, answer])
    expect([...starts]).toContain('starting')
  })

  test('that died in a call is not asked again, and starts at the next use', async () => {
    const { connections, call, clock } = open({ one: 'dies' })
    const died = { failed: 'The program ended with code 1.', mayHaveActed: true }
    expect(await call('one')).toEqual(died)
    expect(connections.activity('one')).toMatchObject({ state: 'failed', problem: died.failed })
    expect(await call('one')).toEqual(died)
    // The server starts well but dies in each call, so its next start is delayed.
    const waits = { failed: `${died.failed} It is tried again in 1 s.`, mayHaveActed: false }
    expect(await call('one')).toEqual(waits)
    clock.now = 1_000
    expect(await call('one')).toEqual(died)
  })

  test('that does not start is tried again after a pause that grows', async () => {
    const { connections, call, clock } = open({ one: 'says why' })
    const failed = 'The program ended with code 1. It printed: The database is locked.'
    expect(await call('one')).toEqual({ failed, mayHaveActed: false })
    expect(await call('one')).toEqual({ failed, mayHaveActed: false })
    expect(await call('one')).toEqual({ failed: `${failed} It is tried again in 1 s.`, mayHaveActed: false })
    clock.now = 1_000
    expect(await call('one')).toEqual({ failed, mayHaveActed: false })
    clock.now = 2_000
    expect(await call('one')).toMatchObject({ failed: `${failed} It is tried again in 1 s.` })
    await connections.stop('one')
    expect(await call('one')).toEqual({ failed, mayHaveActed: false })
  })

  test('that is not known, or whose program is not found, is named', async () => {
    const { connections, call } = open({})
    expect(await call('files')).toEqual({ failed: 'There is no server files.', mayHaveActed: false })
    expect(isRefusal(await connections.listTools('files'))).toBe(true)
  })

  test('has a folder of its own', async () => {
    const { call } = open({ one: 'good' })
    await call('one')
    expect(() => readFileSync(join(home, 'connections', 'one'))).toThrow(/EISDIR/)
  })

  test('of one folder is never told of another', async () => {
    const { connections } = open({ one: 'roots' })
    const rootsIn = async (folder?: string) => {
      const signal = new AbortController().signal
      const how = { signal, timeoutMs: 60_000, ...(folder !== undefined && { folder }) }
      const outcome = await connections.call('one', 'echo', { text: 'x' }, how)
      return JSON.stringify(outcome)
    }
    const [first, second, none] = await Promise.all([rootsIn('/first'), rootsIn('/second place'), rootsIn()])
    expect(first).toContain('file:///first')
    expect(first).not.toContain('second')
    expect(second).toContain('file:///second%20place')
    expect(second).not.toContain('first')
    expect(none).not.toContain('file:')
  })

  test('of the older era is asked once which era it speaks, and again after a month', async () => {
    const [eras, clock] = [new Map<string, number>(), { now: 0 }]
    const questions = () => readFileSync(join(home, 'connections', 'one', 'probes'), 'utf8').length
    const useOnce = async (mode = 'exits at probe') => {
      const { connections, call } = open({ one: mode }, { eras, clock })
      const outcome = await call('one')
      await connections.close()
      return outcome
    }
    expect(await useOnce()).toEqual(answer)
    expect(await useOnce()).toEqual(answer)
    expect(questions()).toBe(1)
    clock.now = 31 * 24 * 3_600_000
    expect(await useOnce()).toEqual(answer)
    expect(questions()).toBe(2)
    // A server that failed to start is asked again.
    expect(await useOnce('says why')).toHaveProperty('failed')
    expect(eras.size).toBe(0)
    expect(await useOnce()).toEqual(answer)
    expect(questions()).toBe(3)
  })

  test('that answers and ends at once has answered', async () => {
    const { call } = open({ one: 'answers and ends' })
    expect(await call('one')).toEqual(answer)
  })

  test('that is stopped while it starts leaves nothing, and starts at the next use', async () => {
    const { connections, call } = open({ one: 'silent' })
    const first = call('one')
    await until(() => connections.activity('one').state === 'starting')
    await connections.stop('one')
    expect(await first).toEqual({ failed: 'It was stopped before it had started.', mayHaveActed: false })
    expect(connections.activity('one').state).toBe('off')
  })

  test('that starts does not hold up a call that is stopped', async () => {
    const { connections } = open({ one: 'silent' })
    const stop = new AbortController()
    const outcome = connections.call('one', 'echo', {}, { signal: stop.signal, timeoutMs: 60_000 })
    stop.abort()
    expect(await outcome).toEqual({ failed: 'It was stopped before the call.', mayHaveActed: false })
  })

  test('ends when its entry is gone, switched off or another one', async () => {
    const { connections, call, entries } = open({ one: 'good', two: 'good', three: 'good', four: 'good' })
    for (const name of entries.keys()) expect(await call(name)).toEqual(answer)
    entries.delete('one')
    entries.set('two', { ...entries.get('two')!, enabled: false })
    entries.set('three', McpServer.parse({ ...entries.get('three'), args: [server, 'error'] }))
    await connections.reconcile()
    const states = ['one', 'two', 'three', 'four'].map(name => connections.activity(name).state)
    expect(states).toEqual(['off', 'off', 'off', 'running'])
    expect(await call('one')).toEqual({ failed: 'There is no server one.', mayHaveActed: false })
    expect(await call('three')).toMatchObject({ answered: { isError: true } })
    // No notice is needed: the next call sees that the entry has changed.
    entries.set('four', McpServer.parse({ ...entries.get('four'), args: [server, 'error'] }))
    expect(await call('four')).toMatchObject({ answered: { isError: true } })
  })

  test('that is ended in a call says so', async () => {
    const { connections, call } = open({ one: 'hangs' })
    const outcome = call('one')
    await until(() => connections.activity('one').state === 'running')
    await connections.stop('one')
    expect(await outcome).toEqual({
      failed: 'Talaria ended the server before it answered.',
      mayHaveActed: true,
    })
  })

  test('that goes beyond a limit is ended, and the limit is named', async () => {
    const { call } = open({ one: 'strays' })
    const failed =
      'The program was ended because it sent more than 20 replies to requests that were never sent.'
    expect(await call('one')).toEqual({ failed, mayHaveActed: true })
  })

  test('is refused once Talaria closes', async () => {
    const { connections, call } = open({ one: 'good' })
    await connections.close()
    expect(await call('one')).toEqual({ failed: 'Talaria is closing.', mayHaveActed: false })
  })
})
