import { describe, expect, test } from 'vitest'
import { isAstray, judgeWording, LENIENT, STRICT, type Worded } from './judge-wording.ts'

const LISTING: Worded = {
  asked: 'what files are here?',
  given: {},
  result: 'The workspace, 3 entries\nletters/\nnotes.md (416 bytes)\ntodo.txt (138 bytes)',
  earlier: [],
}
const TODO: Worded = {
  asked: 'read todo.txt',
  given: { path: 'todo.txt' },
  result: 'todo.txt, lines 1-3 of 3\ncall the dentist\nbuy light bulbs\nbook the train to Graz',
  earlier: ['The capital of Norway is Oslo, a city of a million people by the sea.'],
}
const WRITTEN: Worded = {
  asked: 'create hello.txt with the text good morning',
  given: { path: 'hello.txt', content: 'good morning' },
  result: 'Created hello.txt (12 bytes).',
  earlier: [],
}

describe('what says what was found is an answer:', () => {
  test.for<[string, Worded, string]>([
    ['a list', LISTING, 'Here are the files:\n1. letters/\n2. notes.md (416 bytes)\n3. todo.txt'],
    ['a sentence', LISTING, 'There is a folder called letters, and the files notes.md and todo.txt.'],
    ['the text itself', TODO, 'Here is `todo.txt`:\n```\ncall the dentist\nbuy light bulbs\n```'],
    ['in other words', TODO, 'You have to call the dentist, buy light bulbs and book a train to Graz.'],
    ['what was done', WRITTEN, 'I created hello.txt. It says “good morning”.'],
    ['briefly', { ...TODO, asked: 'who do I call by todo.txt?' }, 'The dentist.'],
  ])('%s', ([, worded, text]) => {
    expect([judgeWording(text, worded, STRICT), isAstray(text, worded)]).toEqual([undefined, false])
  })
})

describe('what does not is none:', () => {
  test.for<[string, Worded, string]>([
    ['a file that is not there', LISTING, 'In the folder are letters/, notes.md, todo.txt and plan.docx.'],
    [
      'a number that stands nowhere',
      LISTING,
      'There are letters, notes.md (416 bytes) and todo.txt (139 bytes).',
    ],
    ['a quotation of nothing', TODO, 'The file says "call the doctor" and "buy light bulbs".'],
    ['an invented text', TODO, 'Here is todo.txt:\n```\nbuy milk\ncall mother\n```'],
    ['a story', TODO, 'Once upon a time a young princess lived in a castle beside the wide river.'],
    ['nothing of what was found', TODO, 'Sure, here is the file todo.txt.'],
    ['that it cannot', TODO, 'I’m sorry, but I can’t read files, such as todo.txt with light bulbs.'],
    ['an address', LISTING, 'See https://example.com/files for letters, notes.md and todo.txt.'],
    ['another language', TODO, 'Du sollst morgen unbedingt den Zahnarzt anrufen und Glühbirnen kaufen.'],
    [
      'steps to do it',
      WRITTEN,
      'To create a new document, launch your favourite editor, then choose Save in the menu.',
    ],
  ])('%s', ([, worded, text]) => {
    expect(judgeWording(text, worded, STRICT)).toBe('unfounded')
  })
})

test('an answer of before is told as that', () => {
  const again = 'The capital of Norway is Oslo, a city of a million people by the sea.'
  expect(judgeWording(again, TODO, STRICT)).toBe('same')
  // An answer that states the result may well recur.
  const said = 'Call the dentist, buy light bulbs and book the train to Graz.'
  expect(judgeWording(said, { ...TODO, earlier: [said] }, STRICT)).toBe(undefined)
})

test('a larger model may use more words of its own', () => {
  const text = 'Your tasks: phone the dentist, buy bulbs, and reserve a seat on the train to Graz.'
  expect([judgeWording(text, TODO, STRICT), judgeWording(text, TODO, LENIENT)]).toEqual([
    'unfounded',
    undefined,
  ])
})

test('a text that has lost its way is seen before its end, and one that is on its way is not', () => {
  const story = 'Once upon a time a young princess lived in a castle beside the wide river, and she '
  expect(isAstray(story, TODO)).toBe(true)
  expect(isAstray('The file is at /home/user/tasks.txt and ', TODO)).toBe(true)
  for (const text of [
    'Sure! Here is the list of wh',
    'Here is `todo.txt`:\n```\ncall the den',
    'Call the dentist, buy "light bu',
  ])
    expect([text, isAstray(text, TODO)]).toEqual([text, false])
})
