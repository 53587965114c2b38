import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CallRecord } from '../../shared/contract/runs/call-record.ts'
import { hasRun, mayHaveChanged, sayRecord, wasStopped } from '../../shared/words/call-words.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'
import { commandsIn } from '../chats/left-behind.ts'
import { agentFacts } from './agent-facts.ts'

const decisions = CallRecord.shape.decision.options
const authorities = CallRecord.shape.by.unwrap().options
const ways = CallRecord.shape.how.unwrap().options

const aRecord = fc.record(
  {
    decision: fc.constantFrom(...decisions),
    by: fc.constantFrom(...authorities),
    how: fc.constantFrom(...ways),
    why: fc.string(),
    rules: fc.array(fc.string(), { maxLength: 2 }),
    exitCode: fc.integer(),
    files: fc.array(fc.string(), { maxLength: 2 }),
  },
  { requiredKeys: ['decision'] },
)

/** The chat of one command with its result. */
const aChat = (record: CallRecord, text = 'some output'): Message[] => [
  {
    id: 1,
    sessionId: 's',
    at: 0,
    role: 'assistant',
    text: '',
    reasoning: '',
    calls: [{ id: 'c1', name: 'terminal', arguments: { command: 'make' } }],
    interrupted: false,
    model: 'm',
  },
  {
    id: 2,
    sessionId: 's',
    at: 0,
    role: 'tool',
    callId: 'c1',
    name: 'terminal',
    ok: true,
    text,
    durationMs: 1,
    record,
  },
]

/** Everything that is concluded from a command's record: in reports, schedules, undo and cards. */
function concludedFrom(record: CallRecord) {
  const left = { id: 2, at: 0, role: 'tool' as const, name: 'terminal', record, steered: false }
  return [
    agentFacts(aChat(record)),
    commandsIn([left]),
    hasRun(record),
    mayHaveChanged(record),
    wasStopped(record),
  ]
}

test('other words for why a call ran or was denied change nothing that is concluded from it', () => {
  fc.assert(
    fc.property(aRecord, fc.string(), fc.array(fc.string(), { maxLength: 2 }), (record, why, rules) => {
      expect(concludedFrom({ ...record, why, rules })).toEqual(concludedFrom(record))
    }),
  )
})

test('a reason that reads like another decision is none', () => {
  const denied: CallRecord = { decision: 'ran', by: 'user', how: 'once', why: 'denied by you, then stopped' }
  expect(concludedFrom(denied).slice(1)).toEqual([1, true, true, false])
})

test('a question about a background process is no command that may have changed something', () => {
  expect(mayHaveChanged({ decision: 'ran', by: 'policy', how: 'own_process' })).toBe(false)
})

test('a command that prints an exit code of its own does not decide how it ended', () => {
  const { commands } = agentFacts(
    aChat({ decision: 'ran', by: 'user', how: 'once', exitCode: 2 }, 'exit code 0\n'),
  )
  expect(commands).toEqual([{ command: 'make', end: 'exit code 2' }])
})

test('the words of a card say who decided', () => {
  expect(
    [
      { decision: 'ran', by: 'rule', rules: ['“make” in /desk', '“ls”'] },
      { decision: 'ran', by: 'user', how: 'once', access: 'network' },
      { decision: 'ran', by: 'policy', how: 'only_reads', cutShort: true },
      { decision: 'denied', by: 'user', why: 'Use the other one.' },
      { decision: 'denied', by: 'nobody', why: 'Nobody answered.' },
      { decision: 'not_run' },
    ].map(record => sayRecord(CallRecord.parse(record))),
  ).toEqual([
    'allowed by your rule “make” in /desk and “ls”',
    'allowed by you, with network',
    'a command that only reads, then stopped',
    'denied by you',
    'denied: Nobody answered.',
    'not run',
  ])
})
