import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp'
import { expect, test } from 'vitest'
import { createForegroundGate, createSequencePool } from './sequence-pool.ts'

const never = new AbortController().signal

/** A pool of this many sequences, which have only a name; `kept` are those whose tokens were saved. */
function aPool(places: number) {
  let opened = 0
  const kept: string[] = []
  const names = new Map<LlamaContextSequence, string>()
  const context = {
    get sequencesLeft() {
      return places - opened
    },
    getSequence() {
      const sequence = { contextTokens: [] as Token[] } as unknown as LlamaContextSequence
      names.set(sequence, `place ${++opened}`)
      return sequence
    },
  } as unknown as LlamaContext
  const gate = createForegroundGate()
  const pool = createSequencePool(context, gate, {
    keep: async sequence => void kept.push(names.get(sequence) ?? ''),
    refill: async () => {},
  })
  const lease = async (sessionId: string, priority?: 'background') => {
    const leave = priority ? () => {} : gate.enter()
    const held = await pool.lease({ sessionId, isBackground: priority === 'background' }, never)
    if (!held) throw new Error('There is no place.')
    return {
      place: names.get(held.sequence),
      pass: held.pass,
      end() {
        held.release()
        leave()
      },
    }
  }
  return { kept, lease }
}
const settled = () => new Promise(setImmediate)

test('a review in a chat’s sequence does not make it available to the next chat', async () => {
  const { lease } = aPool(2)
  const chat = await lease('chat')
  chat.end()
  const review = await lease('chat', 'background')
  expect(review.place).toBe(chat.place)
  review.end()
  const other = await lease('other', 'background')
  other.end()
  // Leftovers of background work are evicted first, although they were used last.
  const next = await lease('next')
  expect(next.place).toBe(other.place)
  next.end()
  const again = await lease('chat')
  expect(again.place).toBe(chat.place)
  again.end()
})

test('a chat’s evaluated tokens are saved when another chat takes its sequence after a review', async () => {
  const { lease, kept } = aPool(1)
  for (const priority of [undefined, 'background'] as const) (await lease('chat', priority)).end()
  expect(kept).toEqual([])
  ;(await lease('next')).end()
  expect(kept).toEqual(['place 1'])
})

test('a sequence used only by a review is not saved, and is evicted first', async () => {
  const { lease, kept } = aPool(2)
  const review = await lease('chat', 'background')
  review.end()
  ;(await lease('other')).end()
  const next = await lease('next')
  expect(next.place).toBe(review.place)
  expect(kept).toEqual([])
  next.end()
})

test.for([1, 2])(
  'the user’s message gets the chat’s sequence at the next step of its review, with %i sequences',
  async places => {
    const { lease, kept } = aPool(places)
    ;(await lease('chat')).end()
    const review = await lease('chat', 'background')
    expect(await review.pass()).toBe(true)
    const asked = lease('chat')
    await settled()
    // The review is in the middle of a step, and loses its sequence before the next step.
    const reviewed = review.pass()
    const answer = await asked
    expect(answer.place).toBe(review.place)
    // Nothing has to be written to disk before the user gets an answer.
    expect(kept).toEqual([])
    let goesOn = false
    void reviewed.then(() => (goesOn = true))
    await settled()
    expect(goesOn).toBe(false)
    answer.end()
    expect(await reviewed).toBe(true)
    review.end()
    const again = await lease('chat')
    expect(again.place).toBe(review.place)
    again.end()
  },
)
