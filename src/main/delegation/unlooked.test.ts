import { expect, test } from 'vitest'
import { standingOf } from '../../shared/words/sub-agent-words.ts'
import type { CallRecord } from '../../shared/contract/runs/call-record.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'
import { agentFacts } from './agent-facts.ts'

/** The chat of a sub-agent with one call that has this record, or with no call. */
function chatWith(record: CallRecord | undefined): Message[] {
  const stored = { sessionId: 's', at: 0 }
  const answer: Message = {
    ...stored,
    id: 2,
    role: 'assistant',
    text: 'All is well.',
    reasoning: '',
    calls: [{ id: 'c1', name: 'list_files', arguments: {} }],
    interrupted: false,
    model: 'm',
  }
  const result: Message = {
    ...stored,
    id: 3,
    role: 'tool',
    callId: 'c1',
    name: 'list_files',
    ok: false,
    text: '',
    durationMs: 0,
    record: record ?? { decision: 'ran' },
  }
  return record === undefined ? [{ ...answer, calls: [] }] : [answer, result]
}

test.for<[record: CallRecord | undefined, ran: boolean]>([
  [undefined, false],
  [{ decision: 'denied', by: 'user' }, false],
  [{ decision: 'not_run' }, false],
  [{ decision: 'ran', by: 'policy', how: 'reads_folder' }, true],
  [{ decision: 'ran', by: 'user', how: 'once' }, true],
])('a call with the record %j ran: %s', ([record, ran]) => {
  expect(agentFacts(chatWith(record)).ran).toBe(ran)
})

test('an answer that rests on no tool is said to be one; other ends are what they are', () => {
  expect(standingOf({ state: 'ended', end: 'done', unlooked: true })).toBe(
    'answered without looking at anything',
  )
  expect(standingOf({ state: 'ended', end: 'done' })).toBe('answered')
  expect(standingOf({ state: 'ended', end: 'stopped', unlooked: true })).toBe('stopped')
  expect(standingOf({ state: 'running', end: null })).toBe('working')
})

test('a void answer is no result, though it was paid for', () => {
  const [answer] = chatWith(undefined)
  if (answer?.role !== 'assistant') throw new Error('No answer.')
  const facts = agentFacts([{ ...answer, text: 'I see. I see. I see.', void: true }])
  expect([facts.summary, facts.steps]).toEqual(['', 1])
})
