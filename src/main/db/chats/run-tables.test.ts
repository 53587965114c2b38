import { expect, test } from 'vitest'
import type { NewRunEvent } from '../../../shared/contract/runs/run.ts'
import { aChat, assistant, aStore, open, user } from '../../../../testing/db/a-store.ts'

const text = (words: string): NewRunEvent => ({ type: 'text_delta', text: words })
const question: NewRunEvent = {
  type: 'approval_request',
  approval: {
    id: 'ask_1',
    callId: 'call_1',
    tool: 'terminal',
    title: 'Run a command',
    detail: 'ls',
    folder: '/desk',
    reason: 'commands ask',
    risk: 'execute',
    mayAllowInChat: true,
  },
}
const answer: NewRunEvent = {
  type: 'approval_resolved',
  approvalId: 'ask_1',
  callId: 'call_1',
  decision: 'once',
  note: '',
}

test('events are numbered from 1 and can be read from any number on', () => {
  using store = aStore()
  const run = store.runs.start(aChat(store).id)
  const events = [
    text('half of \ud83d'),
    text('\ude80 a rocket'),
    { type: 'turn_end', reason: 'done' } as const,
  ].map(event => store.runs.append(run.id, event))
  expect(events.map(event => event.seq)).toEqual([1, 2, 3])
  expect([store.runs.after(run.id, 0), store.runs.after(run.id, 2), store.runs.after(run.id, 3)]).toEqual([
    events,
    events.slice(2),
    [],
  ])
})

test('a run is active in its chat until it ends', () => {
  using store = aStore()
  const chat = aChat(store)
  const run = store.runs.start(chat.id)
  expect(store.sessions.get(chat.id)).toEqual({ ...chat, activeRunId: run.id, lastRunId: run.id })
  expect(store.runs.active(chat.id)).toEqual(run)
  store.runs.end(run.id, 'done')
  expect(store.sessions.get(chat.id)).toEqual({ ...chat, lastRunId: run.id })
  expect(store.runs.active(chat.id)).toBeUndefined()
  expect(store.runs.get(run.id)).toEqual({ ...run, endedAt: expect.any(Number), reason: 'done' })
})

test('a second run in the same chat is refused', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.runs.start(id)
  expect(() => store.runs.start(id)).toThrow('The agent is still working in this chat.')
  expect(store.runs.start(aChat(store).id)).toMatchObject({ endedAt: null })
})

test('a chat is marked as waiting while an approval is open', () => {
  using store = aStore()
  const { id } = aChat(store)
  const run = store.runs.start(id)
  const waiting = [question, text('x'), answer].map(event => {
    store.runs.append(run.id, event)
    return store.sessions.get(id)?.waiting
  })
  expect(waiting).toEqual([true, true, false])
})

test('an event of a run that does not exist is refused', () => {
  using store = aStore()
  expect(() => store.runs.append('run_none', text('x'))).toThrow('This run no longer exists.')
})

test('the logs of the newest twenty ended runs are kept, and all rows of runs', () => {
  using store = aStore()
  const { id } = aChat(store)
  const open = store.runs.start(aChat(store).id)
  store.runs.append(open.id, text('still going'))
  const runs = Array.from({ length: 25 }, (_, n) => {
    const run = store.runs.start(id)
    store.runs.append(run.id, text(`run ${n}`))
    store.runs.end(run.id, 'done')
    return run
  })
  store.runs.start(id)
  expect(runs.map(run => store.runs.after(run.id, 0).length)).toEqual([
    ...Array(5).fill(0),
    ...Array(20).fill(1),
  ])
  expect(store.runs.get(runs[0]?.id ?? '')).toMatchObject({ reason: 'done' })
  expect(store.runs.after(open.id, 0)).toHaveLength(1)
})

test('a run cut off by a crash ends as stopped and keeps its text', () => {
  using store = aStore()
  const { id } = aChat(store)
  const asked = store.messages.append(user(id, 'Tell me a story'))
  const run = store.runs.start(id)
  store.runs.append(run.id, { type: 'turn_start', message: asked, model: 'builtin' })
  store.runs.append(run.id, { type: 'reasoning_delta', text: 'A fox, ' })
  store.runs.append(run.id, { type: 'reasoning_delta', text: 'perhaps.' })
  store.runs.append(run.id, text('Once upon '))
  store.runs.append(run.id, text('a ti'))
  store.close()

  const { store: again } = open(store.home)
  expect(again.runs.closeLeftOpen()).toEqual([{ ...run, endedAt: expect.any(Number), reason: 'stopped' }])
  const [, kept] = again.messages.history(id)
  expect(kept).toEqual({
    ...assistant(id, 'Once upon a ti', { reasoning: 'A fox, perhaps.', interrupted: true }),
    id: asked.id + 1,
    at: expect.any(Number),
  })
  expect(again.runs.after(run.id, 5)).toMatchObject([
    { seq: 6, type: 'message', message: kept },
    { seq: 7, type: 'turn_end', reason: 'stopped' },
  ])
  expect([again.sessions.get(id)?.activeRunId, again.runs.closeLeftOpen()]).toEqual([null, []])
  again.close()
})

test('after a crash, text that was being requested again is not kept', () => {
  using store = aStore()
  const { id } = aChat(store)
  const asked = store.messages.append(user(id, 'Tell me a story'))
  const run = store.runs.start(id)
  store.runs.append(run.id, { type: 'turn_start', message: asked, model: 'builtin' })
  store.runs.append(run.id, { type: 'reasoning_delta', text: 'Hm hm hm.' })
  store.runs.append(run.id, text('fox fox fox fox'))
  store.runs.append(run.id, { type: 'retry', reason: 'looping' })
  store.runs.append(run.id, text('Once upon'))
  store.runs.closeLeftOpen()
  expect(store.messages.history(id)[1]).toMatchObject({ text: 'Once upon', reasoning: '', interrupted: true })
})

test('a message stored just before a crash is not stored twice', () => {
  using store = aStore()
  const { id } = aChat(store)
  const asked = store.messages.append(user(id, 'Hello'))
  const run = store.runs.start(id)
  store.runs.append(run.id, { type: 'turn_start', message: asked, model: 'builtin' })
  store.runs.append(run.id, text('Hello to '))
  store.runs.append(run.id, text('you.'))
  const said = store.messages.append(assistant(id, 'Hello to you.'))
  store.runs.closeLeftOpen()
  expect(store.messages.history(id)).toEqual([asked, said])
  expect(store.runs.after(run.id, 3)).toMatchObject([
    { type: 'message', message: said },
    { type: 'turn_end' },
  ])
})

test('a run that lacks only its end after a crash gets just that', () => {
  using store = aStore()
  const { id } = aChat(store)
  const run = store.runs.start(id)
  store.runs.append(run.id, { type: 'turn_end', reason: 'done' })
  store.runs.closeLeftOpen()
  expect([store.runs.after(run.id, 0).length, store.messages.history(id)]).toEqual([1, []])
})
