import { expect, test } from 'vitest'
import type { NewRunEvent, RunEvent } from '../../../shared/contract/run.ts'
import { aHistory, aReply, aResult, aRevision, aSkillRevision, aUserMessage } from '../../test/messages.ts'
import { applyEvent, beginRun, initialChat, mergeNewest, type ChatState } from './chat-state.ts'
import { itemsOf, rowOf, type Item } from './items.ts'

const command = (id: string) => ({ id, name: 'terminal', arguments: { command: 'date' } })
const read = (id: string) => ({ id, name: 'read_file', arguments: { path: `${id}.md` } })

const stored = (...messages: Parameters<typeof mergeNewest>[1]['messages']) =>
  mergeNewest(initialChat, { messages, more: false })
const run = (state: ChatState, ...events: NewRunEvent[]) =>
  events
    .map((event, index): RunEvent => ({ ...event, seq: index + 1, at: 0 }))
    .reduce(applyEvent, beginRun(state, 'run-1'))
const start: NewRunEvent = { type: 'turn_start', message: aUserMessage({ id: 10 }), model: 'demo' }

/** A row in a word or two, to compare whole transcripts. */
const short = (item: Item) => {
  if (item.kind === 'tools') return item.cards.map(card => `${card.call.id} ${card.phase}`).join(', ')
  if (item.kind === 'answer') return `answer ${item.message?.id ?? 'live'}`
  if (item.kind === 'learned') return `learned ${item.revisions.map(revision => revision.id).join(', ')}`
  if (item.kind === 'skills')
    return `skills ${[...item.used.map(each => each.name), ...item.revisions.map(each => each.id)].join(', ')}`
  return item.kind
}
const rows = (state: ChatState, pending: string | null = null) => itemsOf(state, pending).map(short)

test('a stored turn is shown as a question, its calls with their results, and the answer', () => {
  const state = stored(
    aUserMessage({ id: 1 }),
    aReply({ id: 2, text: 'I look.', calls: [command('c1')] }),
    aResult({ id: 3, callId: 'c1' }),
    aReply({ id: 4 }),
  )
  expect(rows(state)).toEqual(['user', 'answer 2', 'c1 done', 'answer 4'])
})

test('successful reads fold into one row; other calls are rows of their own', () => {
  const state = stored(
    aUserMessage({ id: 1 }),
    aReply({ id: 2, text: '', calls: [read('a'), read('b')] }),
    aResult({ id: 3, callId: 'a' }),
    aResult({ id: 4, callId: 'b' }),
    aReply({ id: 5, text: '', calls: [read('c')] }),
    aResult({ id: 6, callId: 'c' }),
    aReply({ id: 7, text: '', calls: [read('d'), read('e'), command('f')] }),
    aResult({ id: 8, callId: 'd', ok: false }),
    aResult({ id: 9, callId: 'e' }),
    aResult({ id: 10, callId: 'f' }),
  )
  expect(rows(state)).toEqual(['user', 'a done, b done, c done', 'd failed', 'e done', 'f done'])
})

test.for([
  ['ran and failed', { ok: false, record: { decision: 'ran', by: 'user', how: 'once' } }, 'c1 failed'],
  ['was denied', { ok: false, record: { decision: 'denied', by: 'user' } }, 'c1 denied'],
  ['was stopped', { ok: false, record: { decision: 'stopped' } }, 'c1 stopped'],
  ['was refused for its arguments', { ok: false, record: { decision: 'not_run' } }, 'c1 failed'],
] as const)('a call that %s says so', ([, result, expected]) => {
  const state = stored(
    aReply({ id: 2, text: '', calls: [command('c1')] }),
    aResult({ callId: 'c1', ...result }),
  )
  expect(rows(state)).toEqual([expected])
})

test('a result belongs to the preceding reply, even if an older call had the same id', () => {
  const state = stored(
    aReply({ id: 2, text: '', calls: [command('c1')] }),
    aResult({ id: 3, callId: 'c1', ok: false }),
    aUserMessage({ id: 4 }),
    aReply({ id: 5, text: '', calls: [command('c1')] }),
    aResult({ id: 6, callId: 'c1' }),
  )
  expect(rows(state)).toEqual(['c1 failed', 'user', 'c1 done'])
})

test('a row keeps its key from the first token to the stored reply', () => {
  const live = run(stored(), start, { type: 'text_delta', text: 'Hel' })
  const done = applyEvent(live, { type: 'message', message: aReply({ id: 11 }), seq: 3, at: 0 })
  const keyOf = (state: ChatState, row: string) => itemsOf(state, null).find(item => short(item) === row)?.key
  expect(keyOf(done, 'answer 11')).toBe(keyOf(live, 'answer live'))
})

test('a token leaves the messages and turns unchanged', () => {
  const before = run(stored(), start)
  const after = applyEvent(before, { type: 'text_delta', text: 'Hello', seq: 2, at: 0 })
  expect([after.messages === before.messages, after.turns === before.turns]).toEqual([true, true])
})

test('in a running turn a call is waiting, running or queued', () => {
  const reply = aReply({ id: 11, text: '', calls: [command('c1'), command('c2')] })
  const approval = {
    id: 'ask',
    callId: 'c1',
    tool: 'terminal',
    title: '',
    detail: '',
    folder: '',
    reason: '',
    risk: 'execute',
    mayAllowInChat: true,
  } as const
  const called: NewRunEvent[] = [
    start,
    { type: 'message', message: reply },
    { type: 'tool_call', call: command('c1'), title: 'Run date' },
  ]
  const tail = ['c2 queued', 'answer live', 'working']
  expect(rows(run(stored(), ...called))).toEqual(['user', 'c1 running', ...tail])
  expect(rows(run(stored(), ...called, { type: 'approval_request', approval }))).toEqual([
    'user',
    'c1 waiting',
    ...tail,
  ])
})

test.for([
  ['a stop that left no text', [{ type: 'turn_end', reason: 'stopped' }], ['user', 'end']],
  [
    'a stop that the reply itself shows',
    [
      { type: 'message', message: aReply({ id: 11, interrupted: true }) },
      { type: 'turn_end', reason: 'stopped' },
    ],
    ['user', 'answer 11'],
  ],
  [
    'a failure that an error explains',
    [
      { type: 'error', text: 'Broken.', fix: '' },
      { type: 'turn_end', reason: 'failed' },
    ],
    ['user', 'note'],
  ],
  ['a failure without a word', [{ type: 'turn_end', reason: 'failed' }], ['user', 'end']],
  [
    'all steps used',
    [
      { type: 'warning', text: 'All 20 steps are used.' },
      { type: 'message', message: aReply({ id: 11 }) },
      { type: 'turn_end', reason: 'budget_exhausted' },
    ],
    ['user', 'note', 'answer 11', 'end'],
  ],
  ['an end as it should be', [{ type: 'turn_end', reason: 'done' }], ['user']],
] as const satisfies [string, NewRunEvent[], string[]][])('%s: reported once', ([, events, expected]) => {
  expect(rows(run(stored(), start, ...events))).toEqual(expected)
})

test('a message being sent is shown at once, with a progress row', () => {
  expect(rows(stored(...aHistory(1)), 'Hello?')).toEqual(['user', 'answer 2', 'user', 'working'])
})

test('memory changes come at the end of their turn, after the answer and before a later error', () => {
  const state = {
    ...stored(...aHistory(2)),
    learned: [
      aRevision({ id: 1, messageId: 1 }),
      aRevision({ id: 2, messageId: 2, actor: 'you' }),
      aRevision({ id: 3, messageId: 3 }),
    ],
  }
  expect(rows(state)).toEqual(['user', 'answer 2', 'learned 1, 2', 'user', 'answer 4', 'learned 3'])
  const failed = run(
    stored(),
    start,
    { type: 'memory', revisions: [aRevision({ messageId: 10 })] },
    { type: 'error', text: 'Broken.', fix: '' },
    { type: 'turn_end', reason: 'failed' },
  )
  expect(rows(failed)).toEqual(['user', 'learned 1', 'note'])
})

test('while an answer streams, its memory changes already have their final place', () => {
  const state = run(stored(...aHistory(1)), start, {
    type: 'memory',
    revisions: [aRevision({ messageId: 10 })],
  })
  expect(rows(state)).toEqual(['user', 'answer 2', 'user', 'answer live', 'learned 1', 'working'])
})

test('used and changed skills come at the end of their turn, also while it runs', () => {
  const events: NewRunEvent[] = [
    start,
    { type: 'skill_used', id: 'own/tidy-csv', name: 'tidy-csv' },
    { type: 'skills', revisions: [aSkillRevision({ id: 4, messageId: 10 })] },
    { type: 'memory', revisions: [aRevision({ messageId: 10 })] },
  ]
  const live = run(stored(...aHistory(1)), ...events)
  const before = ['user', 'answer 2', 'user']
  expect(rows(live)).toEqual([...before, 'answer live', 'learned 1', 'skills tidy-csv, 4', 'working'])
  const done = run(
    stored(...aHistory(1)),
    ...events,
    {
      type: 'message',
      message: aReply({ id: 11 }),
    },
    { type: 'turn_end', reason: 'done' },
  )
  expect(rows(done)).toEqual([...before, 'answer 11', 'learned 1', 'skills tidy-csv, 4'])
})

test.for([
  ['an undo, which is shown with what it undoes', { undoes: 7 }],
  ['what was changed on the Skills page', { messageId: null }],
  ['a switch', { op: 'disable' }],
] as const)('%s gets no skill chip', ([, given]) => {
  const state = { ...stored(...aHistory(1)), skillChanges: [aSkillRevision(given)] }
  expect(rows(state)).toEqual(['user', 'answer 2'])
})

test('a message keeps the skill sent with it', () => {
  const skill = { id: 'own/haiku', name: 'haiku', text: 'Count.' }
  const [item] = itemsOf(stored(aUserMessage({ skill })), null)
  expect(item).toMatchObject({ kind: 'user', skill })
})

test.for([
  ['an undo, which is shown with what it undoes', { undoes: 7 }],
  ['what was changed elsewhere', { messageId: null }],
  ['a turn that is not held', { messageId: 0 }],
  ['a lock', { op: 'lock' }],
] as const)('%s gets no memory chip', ([, given]) => {
  expect(rows({ ...stored(...aHistory(1)), learned: [aRevision(given)] })).toEqual(['user', 'answer 2'])
})

test('an unsaved claim is shown below its answer until it is dismissed or saved', () => {
  const state = run(
    stored(),
    start,
    { type: 'message', message: aReply({ id: 11 }) },
    { type: 'unsaved_claim', messageId: 11, quote: 'Saved.', text: 'Uses pnpm.', target: 'user' },
    { type: 'turn_end', reason: 'done' },
  )
  expect(rows(state)).toEqual(['user', 'answer 11', 'claim'])
  expect(rows({ ...state, dismissed: [11] })).toEqual(['user', 'answer 11'])
  const saved = { ...state, learned: [aRevision({ messageId: 11, actor: 'you' })] }
  expect(rows(saved)).toEqual(['user', 'answer 11', 'learned 1'])
})

test.for([
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 3],
  [5, 3],
  [9, 4],
  [0, -1],
] as const)('the message %i is found in row %i, or the row before it', ([messageId, row]) => {
  const items = itemsOf(
    stored(
      aUserMessage({ id: 1 }),
      aReply({ id: 2, text: 'I look.', calls: [command('c1'), command('c2')] }),
      aResult({ id: 3, callId: 'c1' }),
      aResult({ id: 4, callId: 'c2' }),
      aUserMessage({ id: 6 }),
    ),
    null,
  )
  expect(rowOf(items, messageId)).toBe(row)
})
