import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { aChat, assistant, aStore, toolResult, user } from '../../../testing/db/a-store.ts'
import type { Message, ToolCall } from '../../shared/contract/chats/messages.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import type { Store } from '../db/store.ts'
import { closeOpenCalls } from '../runs/repair-interrupted.ts'
import type { Runs } from '../runs/runs.ts'
import { branchHandlers } from './branch-handlers.ts'
import { createPendingChanges } from './pending-chat-changes.ts'

type Handlers = ReturnType<typeof branchHandlers>
/** How an answer ends: plainly, with calls, interrupted within them, cut off, or without any text. */
const WAYS = ['plain', 'calls', 'broken', 'cut', 'nothing'] as const

/** The handlers over a store, with an agent that answers immediately, in the next of the ways. */
function over(store: Store, next: () => (typeof WAYS)[number]) {
  let calls = 0
  const call = (): ToolCall => ({ id: `call_${(calls += 1)}`, name: 'look', arguments: {} })
  const readyFor: Runs['readyFor'] = id => {
    closeOpenCalls(store.messages, id, Date.now)
    return store.sessions.get(id)!
  }
  const answerTo: Runs['answerTo'] = ({ id }, _message, { ended } = {}) => {
    const way = next()
    if (way === 'calls' || way === 'broken') {
      const both = [call(), call()]
      store.messages.append(assistant(id, 'Looking.', { calls: both }))
      for (const { id: callId } of way === 'calls' ? both : both.slice(1))
        store.messages.append(toolResult(id, 'seen', { callId }))
      if (way === 'calls') store.messages.append({ ...user(id, 'also this'), role: 'user', steered: true })
    }
    if (way !== 'broken' && way !== 'nothing')
      store.messages.append(assistant(id, 'So it is.', { interrupted: way === 'cut' }))
    ended?.('done')
    return { runId: 'run' }
  }
  const send: Runs['send'] = (id, text) => {
    const message = store.messages.append(user(readyFor(id).id, text))
    return answerTo(store.sessions.get(id)!, message)
  }
  const runs = {
    answerTo,
    readyFor,
    send,
    live: (session: Session) => session,
    compare: () => ({ runId: 'run' }),
    stopLane() {},
    stopIn: async () => {},
    pathMoved() {},
  } as const
  const handlers = branchHandlers({
    store,
    files: {
      share: async () => {},
      list: async () => [],
      listOf: async () => [],
      restore: async () => ({ restored: [], failed: [] }),
    },
    runs,
    approval: () => 'ask',
    refuseFolder() {},
    pathMoved() {},
    now: Date.now,
    changes: createPendingChanges(),
    documentsFor: async () => ({ attachments: [], marks: [] }),
  })
  return { handlers, send }
}

/** Check what models require of a history: who begins, and one result directly after each call. */
function expectLegal(path: readonly Message[]) {
  let open: string[] = []
  path.forEach((message, at) => {
    if (message.role === 'tool') {
      expect(open).toContain(message.callId)
      open = open.filter(id => id !== message.callId)
      return
    }
    expect(open).toEqual([])
    const before = path[at - 1]?.role
    if (message.role === 'assistant') {
      expect(before).toBeOneOf(['user', 'tool'])
      open = message.calls.map(({ id }) => id)
    }
  })
  expect(open).toEqual([])
  expect(path[0]?.role ?? 'user').toBe('user')
}

/** Switch to a message by the listed branches, as a user does, and check that it is there. */
async function reach(store: Store, handlers: Handlers, sessionId: string, messageId: number) {
  for (let steps = 0; steps < 100; steps++) {
    let at = store.branches.get(sessionId, messageId)!
    if (at.isOnPath) return
    for (;;) {
      const parent = at.parentId === null ? undefined : store.branches.get(sessionId, at.parentId)
      if (!parent || parent.isOnPath) break
      at = parent
    }
    const { branches } = handlers['branch.list']({ sessionId, limit: 5_000 })
    expect(branches.map(({ id }) => id)).toContain(at.message.id)
    await handlers['branch.switch']({ sessionId, messageId: at.message.id, stopRun: false })
  }
  throw new Error(`Message ${messageId} cannot be reached.`)
}

test('any edits, retries, forks, switches and undos leave legal histories in which every message can be reached', async () => {
  const counted = { moves: 0, legal: 0, reached: 0, texts: 0 }
  const what = fc.constantFrom('send', 'edit', 'retry', 'continue', 'switch', 'undo', 'fork')
  const move = fc.tuple(what, fc.nat(), fc.constantFrom(...WAYS))
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 25 }), async moves => {
      using store = aStore()
      let way: (typeof WAYS)[number] = 'plain'
      const { handlers, send } = over(store, () => way)
      const chats = [aChat(store).id]
      const said = new Map<number, { chat: string; text: string }>()
      const note = (chat: string) => {
        for (let id = 1; ; id++) {
          const found = chats.map(each => store.branches.get(each, id)).find(Boolean)
          if (!found) break
          const { sessionId, text } = found.message
          const kept = said.get(id)
          if (kept) expect(text).toBe(kept.text)
          said.set(id, { chat: sessionId, text })
          counted.texts++
        }
        closeOpenCalls(store.messages, chat, Date.now)
        expectLegal(store.messages.page(chat, { limit: 500 }).messages)
        counted.legal++
      }
      for (const [how, number, next] of moves) {
        way = next
        counted.moves++
        const sessionId = chats[number % chats.length]!
        const own = [...said].filter(([, { chat }]) => chat === sessionId).map(([id]) => id)
        const messageId = own[number % Math.max(1, own.length)]
        const at = { sessionId, messageId: messageId ?? 1, stopRun: false }
        try {
          if (how === 'send' || messageId === undefined) send(sessionId, 'Go on.')
          else if (how === 'edit') await handlers['branch.edit']({ ...at, text: `said ${number}` })
          else if (how === 'retry') await handlers['branch.retry'](at)
          else if (how === 'continue') await handlers['branch.continue']({ sessionId })
          else if (how === 'switch') await handlers['branch.switch'](at)
          else if (how === 'undo') await handlers['branch.undo']({ sessionId, stopRun: false })
          else chats.push((await handlers['branch.fork'](at)).id)
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/bad_input|not_found/) as string })
        }
        for (const chat of chats) note(chat)
      }
      for (const [id, { chat }] of said) {
        await reach(store, handlers, chat, id)
        expectLegal(store.messages.page(chat, { limit: 500 }).messages)
        counted.reached++
      }
    }),
    { numRuns: 20 },
  )
  expect(counted.moves).toBeGreaterThan(100)
  expect(counted.reached).toBeGreaterThan(200)
})

test('what a sub-agent said and was told cannot be edited, taken back or answered again, only copied', async () => {
  using store = aStore()
  const parent = aChat(store)
  const { id } = aChat(store, { origin: 'sub_agent', originId: 'call_1', parentId: parent.id })
  const { handlers } = over(store, () => 'plain')
  const asked = store.messages.append(user(id, 'Read the notes.'))
  const answer = store.messages.append(assistant(id, 'They are read.'))
  const before = store.messages.history(id)
  const refused = { code: 'bad_input', message: expect.stringContaining('The messages of a sub-agent') }
  const to = { sessionId: id, stopRun: false }
  for (const { id: messageId } of [asked, answer]) {
    await expect(handlers['branch.edit']({ ...to, messageId, text: 'Otherwise.' })).rejects.toMatchObject(
      refused,
    )
    await expect(handlers['branch.retry']({ ...to, messageId })).rejects.toMatchObject(refused)
    await expect(handlers['branch.switch']({ ...to, messageId })).rejects.toMatchObject(refused)
  }
  await expect(handlers['branch.undo'](to)).rejects.toMatchObject(refused)
  await expect(handlers['files.restore']({ sessionId: id, files: [], obeyed: false })).rejects.toMatchObject(
    refused,
  )
  expect(store.messages.history(id)).toEqual(before)
  const copy = await handlers['branch.fork']({ sessionId: id, messageId: answer.id })
  expect(copy.origin).toBe('window')
})
