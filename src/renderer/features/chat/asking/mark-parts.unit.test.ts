import { expect, test } from 'vitest'
import { markParts } from './mark-parts.ts'

const marked = (text: string, ...data: string[]) => markParts(text, data).filter((_, at) => at % 2 === 1)

test.each([
  ['a search', 'the key of Anna is 4711', 'Anna is', 'Anna is'],
  [
    'plus signs',
    'https://a.example/?d=the+water+stands+at+14%3A20',
    'water stands at 14:20',
    'water+stands+at+14%3A20',
  ],
  ['dashes in a path', 'https://a.example/the-Water-stands/x', 'the water stands', 'the-Water-stands'],
  [
    'letters as bytes',
    'https://a.example/?d=M%C3%BCller%20and%20%53on',
    'Müller and Son',
    'M%C3%BCller%20and%20%53on',
  ],
])('what comes from the chat is marked in %s', (_, text, data, found) => {
  expect(marked(text, data)).toEqual([found])
  expect(markParts(text, [data]).join('')).toBe(text)
})

test('of two that overlap the longer one is marked, and signs of patterns are signs', () => {
  expect(marked('https://a.example/one-two-three', 'one', 'one two three')).toEqual(['one-two-three'])
  expect(marked('a(b)c', '(b)', '...')).toEqual(['b'])
  expect(markParts('as it is', [])).toEqual(['as it is'])
})
