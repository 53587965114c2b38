import { expect, test } from 'vitest'
import { findTextPlace, type TextPlace } from './text-places.ts'

const place = (before: string, after: string): TextPlace => ({ offset: before.length, before, after })

test.for([
  ['a text that grew behind it', place('The tide ', 'turns'), 'The tide turns at noon', 9],
  [
    'a text before it that is longer now',
    place('Thinking…The tide ', 'turns at'),
    'Thought for 3 sThe tide turns at',
    24,
  ],
  [
    'the nearest of equal ones',
    place('one two one two one two ', 'one two'),
    'x one two one two one two one two',
    26,
  ],
  [
    'what stands before it, where the rest has changed',
    place('Here it is: ', '$a^2$ ends'),
    'Here it is: a2',
    12,
  ],
  [
    'what stands behind it, where the rest has changed',
    place('**Sum** ', 'of all of them'),
    'Sum of all of them',
    4,
  ],
  [
    'its words, where ends of lines are drawn in another way',
    place('One line\nanother line\n', ''),
    'One lineanother line',
    20,
  ],
  [
    'both sides, where the end of a list goes on',
    place('The ', 'tide turns at noon w1\n'),
    'The tide turns at noon w1 w2\n',
    4,
  ],
  [
    'its words, where what was written is drawn as formatted text',
    place('1. Run:\n\n   ```\n   ', 'second\n   nolodri'),
    'Run:\ncodesecond\nnolodri\n',
    9,
  ],
] as const)('a place is found again by %s', ([, given, text, expected]) => {
  expect(findTextPlace(text, given)).toBe(expected)
})

test('a place of which nothing is left is not guessed', () => {
  expect(findTextPlace('Something else entirely', place('The tide ', 'turns at noon'))).toBeUndefined()
  expect(findTextPlace('a b c', place('x ', 'y'))).toBeUndefined()
})

test('the end of a selection is found behind its last word, where what was written is drawn as formatted text', () => {
  const given = place('1. Run:\n\n   ```\n   second', '\n   nolodri')
  expect(findTextPlace('Run:\ncodesecond\nnolodri\n', given, { isStart: false })).toBe(15)
  expect(
    findTextPlace('Run:\ncodesecond\n', place('1. Run:\n\n   ```\n   second', ''), { isStart: false }),
  ).toBe(15)
})
