import { expect, test } from 'vitest'
import type { Message, ToolCall } from '../../shared/contract/chats/messages.ts'
import { aChat, assistant, aStore, toolResult, user } from '../../../testing/db/a-store.ts'
import { closeOpenCalls, endInterruptedRuns } from './repair-interrupted.ts'

const now = () => 1_800_000_000_000
const callOf = (id: string): ToolCall => ({ id, name: 'read_file', arguments: { path: id } })
const inShort = (messages: readonly Message[]) =>
  messages.map(message => (message.role === 'tool' ? `${message.callId} ${message.ok}` : message.role))

test('a run left open by a crash is ended, and each call without a result gets one that explains it', () => {
  using store = aStore()
  const { id } = aChat(store)
  const run = store.runs.start(id)
  store.messages.append(user(id, 'Read three files.'))
  store.messages.append(assistant(id, '', { calls: ['a', 'b', 'c'].map(callOf) }))
  store.messages.append(toolResult(id, 'A', { callId: 'a' }))

  expect(endInterruptedRuns(store, now)).toBe(1)
  expect(inShort(store.messages.history(id))).toEqual(['user', 'assistant', 'a true', 'b false', 'c false'])
  expect(store.messages.history(id).at(-1)).toMatchObject({
    name: 'read_file',
    text: expect.stringMatching(/^Error: The turn broke off/),
    record: { decision: 'stopped' },
  })
  expect([store.runs.active(id), store.runs.get(run.id)?.reason]).toEqual([undefined, 'stopped'])
  expect(endInterruptedRuns(store, now)).toBe(0)
})

test('a call of a server’s tool is said to have acted perhaps, and not to be repeated', () => {
  using store = aStore()
  const { id } = aChat(store)
  const calls = ['use_tool', 'mcp__files__write'].map((name, at) => ({ ...callOf(`c${at}`), name }))
  store.messages.append(assistant(id, '', { calls }))
  const repaired = closeOpenCalls(store.messages, id, now)
  expect(repaired.map(message => message.text)).toEqual(
    Array(2).fill(
      'Error: The turn broke off before this call had a result. It may have acted; the call was not repeated.',
    ),
  )
})

test('an id used by an earlier reply does not count as answered', () => {
  using store = aStore()
  const { id } = aChat(store)
  store.messages.append(assistant(id, '', { calls: [callOf('call_0')] }))
  store.messages.append(toolResult(id, 'A', { callId: 'call_0' }))
  store.messages.append(assistant(id, '', { calls: [callOf('call_0')] }))
  expect(inShort(closeOpenCalls(store.messages, id, now))).toEqual(['call_0 false'])
})

test('a legal history is left unchanged', () => {
  using store = aStore()
  const { id } = aChat(store)
  const open = () => closeOpenCalls(store.messages, id, now)
  expect(open()).toEqual([])
  store.messages.append(user(id, 'Hello'))
  expect(open()).toEqual([])
  store.messages.append(assistant(id, '', { calls: [callOf('a')] }))
  store.messages.append(toolResult(id, 'A', { callId: 'a' }))
  expect(open()).toEqual([])
  store.messages.append(assistant(id, 'It says A.'))
  expect(open()).toEqual([])
})
