import { expect, test } from 'vitest'
import type { NewRunEvent, RunEvent } from '../../../../shared/contract/runs/run.ts'
import { aHistory, aReply, aResult, aRevision, aSkillRevision, aUserMessage } from '../../../test/messages.ts'
import { applyEvent, beginRun, initialChat, mergeNewest, type ChatState } from '../store/chat-state.ts'
import { foldSteps } from './fold-steps.ts'
import { transcriptRows, messagesOf, rowOf, type TranscriptRow } from './transcript-rows.ts'

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
const short = (item: TranscriptRow): string => {
  if (item.kind === 'tool') return `${item.card.call.id} ${item.card.phase}`
  if (item.kind === 'steps') return `[${item.rows.map(short).join(', ')}]`
  if (item.kind === 'answer') return `answer ${item.message?.id ?? 'live'}`
  if (item.kind === 'learned') return `learned ${item.revisions.map(revision => revision.id).join(', ')}`
  if (item.kind === 'skills')
    return `skills ${[...item.used.map(each => each.name), ...item.revisions.map(each => each.id)].join(', ')}`
  return item.kind
}
const rows = (state: ChatState, pending: string | null = null) => transcriptRows(state, pending).map(short)

test('a stored turn is shown as a question, its calls with their results, and the answer', () => {
  const state = stored(
    aUserMessage({ id: 1 }),
    aReply({ id: 2, text: 'I look.', calls: [command('c1')] }),
    aResult({ id: 3, callId: 'c1' }),
    aReply({ id: 4 }),
  )
  expect(rows(state)).toEqual(['user', 'answer 2', 'c1 done', 'answer 4'])
})

test('calls have a row each, and those that made memory changes none: the chip says it', () => {
  const keep = (id: string) => ({ id, name: 'memory', arguments: { action: 'add', content: 'Uses pnpm.' } })
  const messages = [
    aUserMessage({ id: 1 }),
    aReply({ id: 2, text: '', calls: [read('a'), keep('b')] }),
    aResult({ id: 3, callId: 'a' }),
    aResult({ id: 4, callId: 'b', name: 'memory' }),
    aReply({ id: 5, text: '', calls: [keep('c')] }),
    aResult({ id: 6, callId: 'c', name: 'memory', ok: false }),
  ]
  expect(rows(stored(...messages))).toEqual(['user', 'a done', 'b done', 'c failed'])
  const changed = { ...stored(...messages), learned: [aRevision({ id: 7, messageId: 1 })] }
  expect(rows(changed)).toEqual(['user', 'a done', 'c failed', 'learned 7'])
  // A search match in the result is shown at the chip.
  expect(messagesOf(transcriptRows(changed, null).at(-1)!)).toEqual([2, 4])
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
  const keyOf = (state: ChatState, row: string) =>
    transcriptRows(state, null).find(item => short(item) === row)?.key
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
  const [item] = transcriptRows(stored(aUserMessage({ skill })), null)
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
  const items = transcriptRows(
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

/** The rows of a transcript with its steps folded. */
const folded = (state: ChatState) => foldSteps(transcriptRows(state, null)).map(short)

test('steps that are over fold into one row between texts, and a single one stays a row', () => {
  const state = stored(
    aUserMessage({ id: 1 }),
    aReply({ id: 2, text: 'I look.', calls: [read('a'), command('b')] }),
    aResult({ id: 3, callId: 'a' }),
    aResult({ id: 4, callId: 'b', ok: false }),
    aReply({ id: 5, text: '', calls: [read('c')] }),
    aResult({ id: 6, callId: 'c' }),
    aReply({ id: 7, text: 'One more.', calls: [command('d')] }),
    aResult({ id: 8, callId: 'd' }),
    aReply({ id: 9 }),
    aUserMessage({ id: 10 }),
    aReply({ id: 11, text: '', calls: [read('e')] }),
    aResult({ id: 12, callId: 'e' }),
  )
  expect(folded(state)).toEqual([
    'user',
    'answer 2',
    '[a done, b failed, c done]',
    'answer 7',
    'd done',
    'answer 9',
    'user',
    'e done',
  ])
  const steps = foldSteps(transcriptRows(state, null))[2]!
  expect([steps.key, messagesOf(steps)]).toEqual(['2:a', [2, 3, 2, 4, 5, 6]])
})

test('thoughts between steps fold with them; those before and after stay where they are', () => {
  const thought = (id: number, call: string) =>
    aReply({ id, text: '', reasoning: 'Let me see.', calls: [read(call)] })
  const state = stored(
    aUserMessage({ id: 1 }),
    thought(2, 'a'),
    aResult({ id: 3, callId: 'a' }),
    thought(4, 'b'),
    aResult({ id: 5, callId: 'b' }),
    aReply({ id: 6, reasoning: 'That is it.' }),
  )
  expect(folded(state)).toEqual(['user', 'answer 2', '[a done, answer 4, b done]', 'answer 6'])
})

test('what runs, waits or is a sub-agent is never behind a fold', () => {
  const reply = aReply({ id: 11, text: '', calls: [read('a'), read('b'), command('c'), command('d')] })
  const state = run(
    stored(),
    start,
    { type: 'message', message: reply },
    { type: 'message', message: aResult({ id: 12, callId: 'a' }) },
    { type: 'message', message: aResult({ id: 13, callId: 'b' }) },
    { type: 'tool_call', call: command('c'), title: 'Run date' },
  )
  expect(folded(state)).toEqual([
    'user',
    '[a done, b done]',
    'c running',
    'd queued',
    'answer live',
    'working',
  ])
  const agent = { id: 'b', name: 'delegate', arguments: { goal: 'Read' } }
  const delegated = stored(
    aReply({ id: 2, text: '', calls: [read('a'), agent, read('c')] }),
    aResult({ id: 3, callId: 'a' }),
    aResult({ id: 4, callId: 'b', name: 'delegate' }),
    aResult({ id: 5, callId: 'c' }),
  )
  expect(folded(delegated)).toEqual(['a done', 'b done', 'c done'])
})
