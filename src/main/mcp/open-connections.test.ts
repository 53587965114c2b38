import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { isRefusal } from '../lib/expected-errors.ts'
import { until } from '../../../testing/until.ts'
import { openConnections, type Connections } from './open-connections.ts'
import { McpServer } from '../../shared/contract/mcp.ts'

const server = fileURLToPath(new URL('../../../testing/mcp/misbehaving-server.ts', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'talaria-connections-'))
const opened: Connections[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  rmSync(join(home, 'connections'), { recursive: true, force: true })
})

/** Connections to servers in modes of the misbehaving one, by name; the name `files` is not known. */
function open(modes: Record<string, string>, { idleMs = 60_000, clock = { now: 0 } } = {}) {
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
    },
    keyOf: () => undefined,
    loginPath: () => Promise.resolve(process.env['PATH'] ?? ''),
    entryOf: name => entries.get(name),
    fetchFor: () => fetch,
    version: '1.0.0',
    now: () => clock.now,
    idleMs,
  })
  opened.push(connections)
  const call = (name: string, folder?: string) =>
    connections.call(
      name,
      'echo',
      { text: 'x' },
      { signal: new AbortController().signal, timeoutMs: 60_000, ...(folder !== undefined && { folder }) },
    )
  return { connections, call, clock }
}

const answer = { answered: { content: [{ type: 'text', text: 'x' }] } }

describe('a server', () => {
  test('starts at its first use, and stops when nobody uses it', async () => {
    const { connections, call } = open({ one: 'good' }, { idleMs: 1 })
    expect(connections.activity('one').state).toBe('off')
    expect(await call('one')).toEqual(answer)
    await until(() => connections.activity('one').state === 'off')
    expect(await call('one')).toEqual(answer)
  })

  test('starts once for calls at the same time, and once for each folder', async () => {
    const { connections, call } = open({ one: 'good' })
    const starts = new Set<string>()
    connections.changes.subscribe(() => starts.add(connections.activity('one').state))
    expect(await Promise.all([call('one'), call('one'), call('one', home)])).toEqual([answer, answer, answer])
    expect([...starts]).toContain('starting')
  })

  test('that died in a call is not asked again, and starts at the next use', async () => {
    const { connections, call } = open({ one: 'dies' })
    expect(await call('one')).toMatchObject({
      failed: 'The program ended: it ended with code 1.',
      mayHaveActed: true,
    })
    await until(() => connections.activity('one').state === 'failed')
    expect(connections.activity('one').problem).toBe('The program ended: it ended with code 1.')
  })

  test('that does not start is tried again after a pause that grows', async () => {
    const { connections, call, clock } = open({ one: 'says why' })
    const failed = 'The program ended: it ended with code 1. It printed: The database is locked.'
    expect(await call('one')).toEqual({ failed, mayHaveActed: false })
    expect(await call('one')).toEqual({ failed: `${failed} It is tried again in 1 s.`, mayHaveActed: false })
    clock.now = 1_000
    expect(await call('one')).toMatchObject({ failed })
    clock.now = 2_000
    expect(await call('one')).toMatchObject({ failed: `${failed} It is tried again in 1 s.` })
    await connections.stop('one')
    expect(await call('one')).toMatchObject({ failed })
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

  test('is refused once Talaria closes', async () => {
    const { connections, call } = open({ one: 'good' })
    await connections.close()
    expect(await call('one')).toEqual({ failed: 'Talaria is closing.', mayHaveActed: false })
  })
})
