import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Usage } from '../../../../shared/contract/chats/messages.ts'
import type { Approval, NewRunEvent, RunEvent } from '../../../../shared/contract/runs/run.ts'
import { aHistory, aReply, aResult, aRevision, aUserMessage } from '../../../test/messages.ts'
import {
  addReported,
  applyEvent,
  beginRun,
  currentTurn,
  initialChat,
  isBusy,
  lastUsage,
  mergeById,
  mergeNewest,
  mergeOlder,
  type ChatState,
} from './chat-state.ts'

const call = { id: 'call-1', name: 'terminal', arguments: { command: 'date' } }
const approval: Approval = {
  id: 'ask-1',
  callId: 'call-1',
  tool: 'terminal',
  title: 'Run date',
  detail: 'date',
  folder: '/home/ada',
  reason: 'Commands ask first.',
  risk: 'execute',
  mayAllowInChat: true,
}
const usage: Usage = {
  promptTokens: 100,
  reusedTokens: 60,
  evaluatedTokens: 40,
  outputTokens: 20,
  contextTokens: 1_024,
  firstTokenMs: 400,
  prefillPerSecond: 900,
  tokensPerSecond: 31,
}

/** Number events as a host does; each comes a second after the one before. */
const numbered = (...events: NewRunEvent[]): RunEvent[] =>
  events.map((event, index) => ({ ...event, seq: index + 1, at: index * 1_000 }))
const begun = (state: ChatState = initialChat) => beginRun(state, 'run-1')
const after = (...events: NewRunEvent[]) => numbered(...events).reduce(applyEvent, begun())
const start: NewRunEvent = { type: 'turn_start', message: aUserMessage({ id: 10 }), model: 'demo' }

test('streamed text is joined, and the stored reply replaces it', () => {
  const streaming = after(
    start,
    { type: 'text_delta', text: 'It is ' },
    { type: 'text_delta', text: 'noon.' },
  )
  expect(streaming.live.text).toBe('It is noon.')
  const reply = aReply({ id: 11, text: 'It is noon!' })
  const stored = after(
    start,
    { type: 'text_delta', text: 'It is noon.' },
    { type: 'message', message: reply },
  )
  expect(stored.live.text).toBe('')
  expect(stored.messages).toEqual([aUserMessage({ id: 10 }), reply])
})

test('thinking time runs from the first thought to the first event of another kind', () => {
  const state = after(
    start,
    { type: 'reasoning_delta', text: 'Hm. ' },
    { type: 'reasoning_delta', text: 'A clock.' },
    { type: 'text_delta', text: 'Noon.' },
  )
  expect(state.live).toMatchObject({ reasoning: 'Hm. A clock.', thoughtMs: 2_000 })
  const stored = applyEvent(state, { type: 'message', message: aReply({ id: 11 }), seq: 5, at: 9_000 })
  expect(currentTurn(stored)?.thoughtMs).toEqual({ 11: 2_000 })
})

test('an approval waits until it is answered, and the wait does not count as the tool’s time', () => {
  const asked = after(
    start,
    { type: 'tool_call', call, title: 'Run date' },
    { type: 'approval_request', approval },
  )
  expect(currentTurn(asked)?.waiting).toEqual([approval])
  const resolved = { type: 'approval_resolved', approvalId: 'ask-1', callId: 'call-1', note: '' } as const
  const answered = applyEvent(asked, { ...resolved, decision: 'once', seq: 4, at: 60_000 })
  expect(currentTurn(answered)).toMatchObject({
    waiting: [],
    calls: { 'call-1': { startedAt: 60_000, decision: 'once' } },
  })
  const from = 'you on Telegram'
  const elsewhere = applyEvent(asked, { ...resolved, decision: 'deny', from, seq: 4, at: 60_000 })
  expect(currentTurn(elsewhere)).toMatchObject({
    waiting: [],
    calls: { 'call-1': { decision: 'deny', from } },
  })
})

test('tool output is kept up to a limit while the tool runs, and dropped when its result arrives', () => {
  const running = after(
    start,
    { type: 'tool_output', callId: 'call-1', text: 'a'.repeat(100_000) },
    { type: 'tool_output', callId: 'call-1', text: 'the end' },
  )
  expect(running.live.outputs['call-1']).toHaveLength(60_000)
  expect(running.live.outputs['call-1']).toMatch(/the end$/)
  const done = applyEvent(running, { type: 'message', message: aResult({ id: 12 }), seq: 4, at: 0 })
  expect(done.live.outputs).toEqual({})
})

test('text that turns out to be a thought is moved to the thoughts', () => {
  const state = after(
    { type: 'text_delta', text: 'Hm, tea or coffee?' },
    { type: 'was_thought' },
    { type: 'text_delta', text: 'Tea.' },
  )
  expect(state.live).toMatchObject({ text: 'Tea.', reasoning: 'Hm, tea or coffee?' })
})

test('a discarded reply is removed, and a note says why', () => {
  const shown: NewRunEvent[] = [
    start,
    { type: 'reasoning_delta', text: 'Hm hm hm.' },
    { type: 'text_delta', text: 'la la la la' },
  ]
  const before = after(...shown)
  const state = after(...shown, { type: 'retry', reason: 'looping' })
  expect(state.live).toEqual({ ...begun().live, seq: 4 })
  expect(currentTurn(state)?.notes).toEqual([
    {
      key: 'run-1:4',
      after: 10,
      kind: 'aside',
      text: 'The model repeated itself, so Talaria asked again.',
      fix: '',
    },
  ])
  expect([state.messages, isBusy(state)]).toEqual([before.messages, true])
})

test('the second try is timed and stored like a first one', () => {
  const reply = aReply({ id: 11, text: 'Noon.' })
  const state = after(
    start,
    { type: 'reasoning_delta', text: 'Hm hm hm.' },
    { type: 'retry', reason: 'empty' },
    { type: 'reasoning_delta', text: 'A clock.' },
    { type: 'text_delta', text: 'Noon.' },
    { type: 'message', message: reply },
  )
  expect(state.messages.at(-1)).toEqual(reply)
  expect(currentTurn(state)).toMatchObject({ answers: [11], thoughtMs: { 11: 1_000 } })
})

test('the end of a turn removes its open approvals', () => {
  const state = after(start, { type: 'approval_request', approval }, { type: 'turn_end', reason: 'stopped' })
  expect(currentTurn(state)).toMatchObject({ waiting: [], ended: 'stopped' })
  expect(isBusy(state)).toBe(false)
})

test('warnings and errors come after the message that preceded them', () => {
  const state = after(
    start,
    { type: 'warning', text: 'Careful.' },
    { type: 'error', text: 'Broken.', fix: 'Mend it.' },
  )
  expect(currentTurn(state)?.notes).toEqual([
    { key: 'run-1:2', after: 10, kind: 'warning', text: 'Careful.', fix: '' },
    { key: 'run-1:3', after: 10, kind: 'error', text: 'Broken.', fix: 'Mend it.' },
  ])
})

test('an unknown event of a newer host is counted and ignored', () => {
  const state = applyEvent(begun(), { type: 'telepathy', seq: 1, at: 0 } as unknown as RunEvent)
  expect(state).toEqual({ ...begun(), live: { ...begun().live, seq: 1 } })
})

test('resuming the same run keeps its state, and a new run starts empty', () => {
  const state = after(start, { type: 'text_delta', text: 'Hello' }, { type: 'context_usage', usage })
  expect(beginRun(state, 'run-1')).toBe(state)
  expect(beginRun(state, 'run-2').live).toMatchObject({ seq: 0, text: '', usage })
})

test('pages of history join without gaps or duplicates, also during a run', () => {
  const history = aHistory(5)
  const newest = { messages: history.slice(6), more: true }
  const state = mergeNewest(after(start), {
    messages: [...newest.messages, aUserMessage({ id: 10 })],
    more: true,
  })
  const older = mergeOlder(state, { messages: history.slice(0, 6), more: false })
  expect(older.messages.map(message => message.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(older.more).toBe(false)
})

test('messages before a gap are dropped, because they would look adjacent', () => {
  const old = mergeNewest(initialChat, { messages: aHistory(2), more: false })
  const far = mergeNewest(old, { messages: [aUserMessage({ id: 90 }), aReply({ id: 91 })], more: true })
  expect(far.messages.map(message => message.id)).toEqual([90, 91])
  expect(far.more).toBe(true)
})

test('the last usage comes from the run, or else from the newest stored reply with usage', () => {
  const stored = mergeNewest(initialChat, {
    messages: [aReply({ id: 2, usage }), aUserMessage({ id: 3 }), aReply({ id: 4 })],
    more: false,
  })
  expect(lastUsage(stored)).toEqual(usage)
  expect(lastUsage(initialChat)).toBeNull()
})

/** Runs of any shape: actions of a model, its tools and the user, in any order. */
const anyRun = fc
  .array(
    fc.oneof(
      fc.record({ type: fc.constant('text_delta' as const), text: fc.string() }),
      fc.record({ type: fc.constant('reasoning_delta' as const), text: fc.string() }),
      fc.record({
        type: fc.constant('tool_output' as const),
        callId: fc.constant('call-1'),
        text: fc.string(),
      }),
      fc.record({ type: fc.constant('warning' as const), text: fc.string() }),
      fc.record({ type: fc.constant('retry' as const), reason: fc.constantFrom('empty', 'looping') }),
      fc.constant<NewRunEvent>({
        type: 'context_full',
        neededTokens: 9_000,
        contextTokens: 4_096,
        leftOut: 'turns',
      }),
      fc.constant<NewRunEvent>({ type: 'progress', phase: 'reading', done: 1, total: 2 }),
      fc.constant<NewRunEvent>({ type: 'tool_call', call, title: 'Run date' }),
      fc.constant<NewRunEvent>({ type: 'approval_request', approval }),
      fc.constant<NewRunEvent>({
        type: 'approval_resolved',
        approvalId: 'ask-1',
        callId: 'call-1',
        decision: 'once',
        note: '',
      }),
      fc.constantFrom('reply' as const, 'result' as const),
    ),
    { maxLength: 40 },
  )
  .map(steps => {
    let id = 10
    const events = steps.map((step): NewRunEvent => {
      if (step === 'reply') return { type: 'message', message: aReply({ id: ++id, calls: [call] }) }
      if (step === 'result') return { type: 'message', message: aResult({ id: ++id }) }
      return step
    })
    return numbered(start, ...events, { type: 'turn_end', reason: 'done' })
  })

test('however the events of a run arrive, in pieces or repeated, the chat is the same', () => {
  fc.assert(
    fc.property(anyRun, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 20 }), (events, pieces) => {
      let state = begun()
      for (const [from, length] of pieces) {
        // A resumed watch starts where the last one ended, or earlier.
        const first = from % (state.live.seq + 1)
        state = events.slice(first, first + (length % 10)).reduce(applyEvent, state)
      }
      state = events.slice(state.live.seq).reduce(applyEvent, state)
      expect(state).toEqual(events.reduce(applyEvent, begun()))
    }),
  )
})

test('history loaded at any moment of a run does not change the final state', () => {
  fc.assert(
    fc.property(anyRun, fc.nat(), (events, moment) => {
      const at = moment % events.length
      const told = events.slice(0, at + 1).flatMap(event => ('message' in event ? [event.message] : []))
      const early = events.slice(0, at).reduce(applyEvent, begun())
      const joined = mergeNewest(early, { messages: told, more: false })
      expect(events.slice(at).reduce(applyEvent, joined)).toEqual(events.reduce(applyEvent, begun()))
    }),
  )
})

test('memory changes of a run are sorted, and a repeated one does not replace the known one', () => {
  const second = aRevision({ id: 2, op: 'edit', before: 'Uses npm.', after: 'Uses pnpm.' })
  const told = after(
    start,
    { type: 'memory', revisions: [second] },
    { type: 'memory', revisions: [aRevision({ id: 1 })] },
  )
  expect(told.learned.map(revision => revision.id)).toEqual([1, 2])
  const undone = { ...told, learned: told.learned.map(revision => ({ ...revision, undoneBy: 9 })) }
  const again = numbered({ type: 'memory', revisions: [second] }).reduce(
    applyEvent,
    beginRun(undone, 'run-2'),
  )
  expect(again.learned.map(revision => revision.undoneBy)).toEqual([9, 9])
})

test('an unsaved claim belongs to its turn', () => {
  const claim = { messageId: 11, quote: 'I saved it.', text: 'Uses pnpm.', target: 'user' } as const
  const state = after(start, { type: 'unsaved_claim', ...claim }, { type: 'turn_end', reason: 'done' })
  expect(currentTurn(state)?.claims).toEqual([claim])
})

test('revisions read from the host replace those reported by a run, never the reverse', () => {
  const told = addReported([], [aRevision({ id: 2 }), aRevision({ id: 1 })])
  const read = mergeById(told, [aRevision({ id: 2, undoneBy: 3 }), aRevision({ id: 4 })])
  expect(read.map(({ id, undoneBy }) => [id, undoneBy])).toEqual([
    [1, null],
    [2, 3],
    [4, null],
  ])
  expect(addReported(read, [aRevision({ id: 2 })])).toBe(read)
})
