import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOutputTail } from './output-tail.ts'

test('readers at any position get what is kept from there, and the number of characters that is not', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 12 })), fc.nat(80), (pieces, position) => {
      const tail = createOutputTail(10)
      for (const piece of pieces) tail.add(piece)
      const whole = pieces.join('')
      expect(tail.end).toBe(whole.length)
      const from = Math.min(position, whole.length)
      const { text, dropped } = tail.since(from)
      expect(text).toBe(whole.slice(Math.max(from, whole.length - 10)).toWellFormed())
      expect(text.length + dropped).toBe(whole.length - from)
    }),
  )
})

test('a piece that is longer than the limit leaves its end', () => {
  const tail = createOutputTail(3)
  tail.add('abcdef')
  expect(tail.since(0)).toEqual({ text: 'def', dropped: 3 })
})
