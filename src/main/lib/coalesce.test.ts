import { setTimeout as sleep } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

type Item = { type: 'text' | 'reasoning'; text: string } | { type: 'call'; id: number }

const FOREVER = 60_000
const text = (words: string): Item => ({ type: 'text', text: words })
const reasoning = (words: string): Item => ({ type: 'reasoning', text: words })
const call = (id: number): Item => ({ type: 'call', id })

const joinSame = (a: Item, b: Item): Item | undefined =>
  a.type !== 'call' && b.type === a.type ? { type: a.type, text: a.text + b.text } : undefined

async function* from(items: readonly Item[], pauses: readonly number[] = []) {
  for (const [at, item] of items.entries()) {
    const pause = pauses[at] ?? 0
    if (pause > 0) await sleep(pause)
    yield item
  }
}
async function all(source: AsyncIterable<Item>, ms?: number): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of coalesce(source, joinSame, ms)) items.push(item)
  return items
}

test('the first item passes alone and what follows in the same frame is joined', async () => {
  expect(await all(from([text('a'), text('b'), text('c')]), FOREVER)).toEqual([text('a'), text('bc')])
})

test('text and reasoning are joined each with its own, and other items keep their place', async () => {
  const items = [
    reasoning('1'),
    reasoning('2'),
    reasoning('3'),
    text('a'),
    text('b'),
    call(7),
    text('c'),
    text('d'),
  ]
  expect(await all(from(items), FOREVER)).toEqual([
    reasoning('1'),
    reasoning('23'),
    text('ab'),
    call(7),
    text('cd'),
  ])
})

test('with no time to wait nothing is joined', async () => {
  const items = [text('a'), text('b'), call(1)]
  expect(await all(from(items), 0)).toEqual(items)
})

test('whatever the pauses, no text is lost and no order is changed', async () => {
  const item = fc.oneof(fc.string().map(text), fc.string().map(reasoning), fc.nat(9).map(call))
  const flat = (items: Item[]) => {
    const joined: Item[] = []
    for (const next of items) {
      const both = joined.length > 0 ? joinSame(joined.at(-1)!, next) : undefined
      if (both) joined[joined.length - 1] = both
      else joined.push(next)
    }
    return joined
  }
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 20 }), fc.array(fc.nat(3)), async (items, pauses) => {
      expect(flat(await all(from(items, pauses), 2))).toEqual(flat(items))
    }),
    { numRuns: 50 },
  )
})

test('leaving early closes the source', async () => {
  let closed = false
  async function* source() {
    try {
      for (;;) {
        yield text('x')
        await sleep(1)
      }
    } finally {
      closed = true
    }
  }
  for await (const _ of coalesce(source(), joinSame)) break
  await expect.poll(() => closed).toBe(true)
})

test('leaving early does not wait for an item that never comes', async () => {
  async function* source() {
    yield text('x')
    await new Promise(() => {})
  }
  const seen: Item[] = []
  for await (const item of coalesce(source(), joinSame)) {
    seen.push(item)
    break
  }
  expect(seen).toEqual([text('x')])
})

test('a source that fails is heard of after the text before it', async () => {
  async function* source() {
    yield text('a')
    yield text('b')
    throw new Error('broken pipe')
  }
  const seen: Item[] = []
  const reading = (async () => {
    for await (const item of coalesce(source(), joinSame, FOREVER)) {
      seen.push(item)
      // Slow on purpose: the source fails while nobody waits for it.
      await sleep(5)
    }
  })()
  await expect(reading).rejects.toThrow('broken pipe')
  expect(seen).toEqual([text('a'), text('b')])
})
