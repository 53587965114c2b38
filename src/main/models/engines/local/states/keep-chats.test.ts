import type { Token } from 'node-llama-cpp'
import { expect, test } from 'vitest'
import { keepChats } from './keep-chats.ts'

type Given = Parameters<typeof keepChats>[0]

/** A model with chats of ten tokens each. `onDisk` says how many of them are already saved. */
function modelWith(sessions: readonly string[], onDisk: Record<string, number> = {}) {
  const saved: { sessionId: string | undefined; usedAt: number | undefined }[] = []
  const stop = new AbortController()
  const states = {
    covered: async (_: unknown, tokens: readonly Token[], sessionId = '') =>
      Math.min(onDisk[sessionId] ?? 0, tokens.length - 1),
    save: async (_: unknown, __: unknown, chat?: { sessionId: string }, usedAt?: number) => {
      saved.push({ sessionId: chat?.sessionId, usedAt })
    },
    close: async () => {},
  }
  const held = sessions.map(sessionId => ({ sessionId, sequence: { contextTokens: Array(10).fill(1) } }))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is used here
  const given = { pool: { held }, states, writer: { kept: () => undefined } } as unknown as Given
  return { given, saved, stop, states }
}

test('the chat that was used last is saved first, and counts as the one used last', async () => {
  const { given, saved, stop } = modelWith(['newest', 'older', 'oldest'])
  await keepChats(given, stop.signal)
  expect(saved.map(({ sessionId }) => sessionId)).toEqual(['newest', 'older', 'oldest'])
  const times = saved.map(({ usedAt }) => usedAt ?? 0)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(new Set(times).size).toBe(3)
})

test('what is on disk to its end is not saved again, and one more token is', async () => {
  const { given, saved, stop } = modelWith(['whole', 'nearly'], { whole: 10, nearly: 9 })
  await keepChats(given, stop.signal)
  expect(saved.map(({ sessionId }) => sessionId)).toEqual(['nearly'])
})

test('after a stop no other chat is begun', async () => {
  const { given, saved, stop, states } = modelWith(['newest', 'older'])
  states.close = async () => stop.abort()
  await keepChats(given, stop.signal)
  expect(saved).toHaveLength(1)
})

test('without a folder for states nothing is saved', async () => {
  const { given, saved, stop } = modelWith(['newest'])
  await keepChats({ ...given, states: undefined }, stop.signal)
  expect(saved).toEqual([])
})
