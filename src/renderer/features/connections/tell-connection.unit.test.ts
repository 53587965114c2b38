import { expect, test } from 'vitest'
import { MAY_NOTHING, type ConnectedAgent } from '../../../shared/contract/connections/agents.ts'
import type { Connection } from '../../../shared/contract/connections/connect.ts'
import { formatAgo, tellFacts, tellSilence, tellState } from './tell-connection.ts'

const NOW = Date.UTC(2026, 10, 29, 12)
const HOUR = 3_600_000
const DAY = 24 * HOUR

const aConnection = (given: Partial<Connection> = {}): Connection => ({
  program: 'claude-code',
  title: 'Claude Code',
  isInstalled: true,
  state: 'connected',
  agentId: 'a1',
  folder: '/home/ada/.talaria/connect/claude-code',
  connectedAt: NOW - 30 * DAY,
  lastEventAt: NOW - 2 * HOUR,
  sessions: 12,
  events: 340,
  note: '',
  ...given,
})

const learning: ConnectedAgent = {
  id: 'a1',
  name: 'Claude Code',
  program: '',
  allowed: true,
  may: { ...MAY_NOTHING, learn: true },
  createdAt: NOW - 30 * DAY,
  lastAt: null,
  today: { requests: 3, proposals: 0 },
  seen: '',
}

test.each([
  [0, 'just now'],
  [-5 * HOUR, 'just now'],
  [59_000, 'just now'],
  [60_000, '1 minute ago'],
  [2 * HOUR + 1, '2 hours ago'],
  [3 * DAY, '3 days ago'],
])('%i ms are told as “%s”', (ms, said) => {
  expect(formatAgo(NOW - ms, NOW)).toBe(said)
})

test('a program is found or not, connected or not', () => {
  expect(tellState(aConnection({ state: 'off', isInstalled: false }))).toBe('Not found on this computer')
  expect(tellState(aConnection({ state: 'off' }))).toBe('Not connected')
  expect(tellState(aConnection())).toBe('Connected')
  expect(tellState(aConnection({ state: 'changed' }))).toBe('Changed')
})

test('the last event, the sessions and the requests are told, and of a program that is off only what is kept', () => {
  expect(tellFacts(aConnection(), learning, NOW)).toEqual([
    'last event 2 hours ago',
    '12 sessions kept',
    'no requests yet',
    '3 requests today',
  ])
  expect(tellFacts(aConnection({ lastEventAt: null, sessions: 0 }), learning, NOW)[0]).toBe('no events yet')
  expect(tellFacts(aConnection({ state: 'off', sessions: 1 }), undefined, NOW)).toEqual(['1 session kept'])
})

test('seven days without an event are told, but not of a program that is not learnt from', () => {
  const silent = aConnection({ lastEventAt: NOW - 9 * DAY })
  expect(tellSilence(silent, learning, NOW)).toMatch(/^No events for 9 days. Either Claude Code was not used/)
  expect(tellSilence(aConnection({ lastEventAt: null }), learning, NOW)).toMatch(
    /^No events since it was connected 30 days ago. /,
  )
  expect(tellSilence(aConnection({ lastEventAt: NOW - 6 * DAY }), learning, NOW)).toBe('')
  expect(tellSilence(silent, { ...learning, allowed: false }, NOW)).toBe('')
  expect(tellSilence(silent, { ...learning, may: MAY_NOTHING }, NOW)).toBe('')
})
