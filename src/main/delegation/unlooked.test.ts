import { expect, test } from 'vitest'
import { standingOf } from '../../shared/agent-standing.ts'
import type { Message } from '../../shared/contract/messages.ts'
import { factsOf } from './facts.ts'

/** The chat of a sub-agent with one call that was allowed so, or with none. */
function chatWith(allowed: string | undefined): Message[] {
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
    allowed: allowed ?? '',
  }
  return allowed === undefined ? [{ ...answer, calls: [] }] : [answer, result]
}

test.for<[allowed: string | undefined, ran: boolean]>([
  [undefined, false],
  ['denied by the user', false],
  ['not run', false],
  ['reading in the workspace', true],
  ['allowed by you', true],
])('a call that was “%s” ran: %s', ([allowed, ran]) => {
  expect(factsOf(chatWith(allowed)).ran).toBe(ran)
})

test('an answer that rests on no tool is said to be one; other ends are what they are', () => {
  expect(standingOf({ state: 'ended', end: 'done', unlooked: true })).toBe(
    'answered without looking at anything',
  )
  expect(standingOf({ state: 'ended', end: 'done' })).toBe('answered')
  expect(standingOf({ state: 'ended', end: 'stopped', unlooked: true })).toBe('stopped')
  expect(standingOf({ state: 'running', end: null })).toBe('works')
})

test('a void answer is no result, though it was paid for', () => {
  const [answer] = chatWith(undefined)
  if (answer?.role !== 'assistant') throw new Error('No answer.')
  const facts = factsOf([{ ...answer, text: 'I see. I see. I see.', void: true }])
  expect([facts.summary, facts.steps]).toEqual(['', 1])
})
