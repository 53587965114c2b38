import { expect, test } from 'vitest'
import { countWithLines } from './estimate-tokens.ts'

const letters = (text: string) => text.length
const known = new Set(['A line that never changes.', 'Another one of them.'])

test('a line that is a token of its own counts as one, and so does each line feed', () => {
  expect(countWithLines('A line that never changes.', known, letters)).toBe(1)
  expect(countWithLines('A line that never changes.\nabc\n\nAnother one of them.', known, letters)).toBe(
    1 + 3 + 0 + 1 + 3,
  )
})

test('where no line is a token, the whole text is counted at once', () => {
  expect(countWithLines('a\nb', new Set(), letters)).toBe(3)
})
