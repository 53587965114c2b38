import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../../testing/count-cases.ts'
import { isSimpleMessage } from './simple-message.ts'

test.for([
  'Hi!',
  'Good morning, how are you?',
  'Thanks a lot, have a nice day.',
  'What is the capital of France?',
  'How many days does February have in 2028?',
  'Wie heißt die Hauptstadt von Peru?',
])('“%s” is simple', text => {
  expect(isSimpleMessage(text)).toBe(true)
})

test.for([
  ['nothing', ' '],
  ['more than one line', 'Hello\nand more'],
  ['a long message', 'word '.repeat(21)],
  ['many characters', 'x'.repeat(121)],
  ['code', 'What does `ls` mean?'],
  ['a file', 'What is in notes.txt?'],
  ['an address', 'Who is behind https://example.org?'],
  ['a folder', 'Look into src/main'],
  ['work', 'Write a poem'],
  ['work in another language', 'Schreib mir ein Gedicht'],
  ['a reason', 'Why is the sky blue?'],
  ['a go-ahead', 'Yes, please.'],
  ['a go-ahead in another language', 'Weiter so'],
  ['what was said before', 'Who said that?'],
  ['the result of a tool', '[Tool Result: read_file] fine'],
  ['a skill that was sent along', '[Skill: mail] hello'],
  ['an order to end', 'You have used all the steps of this turn. Do not use any tool now.'],
] as const)('%s is not simple', ([, text]) => {
  expect(isSimpleMessage(text)).toBe(false)
})

const aMessage = fc.oneof(
  fc.string({ maxLength: 160 }),
  fc
    .array(fc.constantFrom('Hello', 'what', 'is', 'the', 'capital', 'of', 'Peru?', 'test', 'that', 'a/b'), {
      maxLength: 25,
    })
    .map(words => words.join(' ')),
)

test('a simple message stays simple between spaces, and none becomes simple by growing', () => {
  const { met, atLeast } = countCases<'simple' | 'not simple'>()
  fc.assert(
    fc.property(aMessage, text => {
      expect(isSimpleMessage(`  ${text} `)).toBe(isSimpleMessage(text))
      met(isSimpleMessage(text) ? 'simple' : 'not simple')
      if (!isSimpleMessage(text) && text.trim() !== '') expect(isSimpleMessage(`${text} file`)).toBe(false)
    }),
  )
  atLeast({ simple: 10, 'not simple': 30 })
})
