import { expect, test } from 'vitest'
import { createOutputRing, createShow } from './command-output.ts'

test('short output is kept whole', () => {
  const ring = createOutputRing(4)
  for (const piece of ['ab', 'cd', 'e', 'fgh']) ring.add(piece)
  expect(ring.text()).toBe('abcdefgh')
})

test('of long output the beginning and the end are kept, and what is missing is counted', () => {
  const ring = createOutputRing(4)
  for (let count = 0; count < 10_000; count++) ring.add(String(count % 10))
  ring.add('the end')
  expect(ring.text()).toBe('0123\n[… 9,999 characters were not kept …]\n end')
})

test('what comes at once is shown as one piece, and nothing is shown when nothing came', () => {
  const shown: string[] = []
  const show = createShow(text => shown.push(text))
  show.add('a')
  show.add('b')
  show.end()
  createShow(text => shown.push(text)).end()
  expect(shown).toEqual(['ab'])
})

test('of too much at once the end is shown', () => {
  const shown: string[] = []
  const show = createShow(text => shown.push(text))
  for (let count = 0; count < 1_000; count++) show.add('0123456789'.repeat(100))
  show.add('the end')
  show.end()
  expect(shown).toHaveLength(1)
  expect(shown[0]).toMatch(/^\[…\]\n/)
  expect(shown[0]!.endsWith('the end')).toBe(true)
  expect(shown[0]!.length).toBeLessThan(20_000)
})
