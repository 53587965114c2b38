import { expect, test } from 'vitest'
import { answerPerson } from '../person/answer-person.ts'

const NOTHING = 'I have saved nothing about that yet. Tell me with “remember that …”.'
const known = (entries: readonly string[], said: readonly string[] = []) => ({
  entries,
  said,
  tools: ['memory'],
})

test('what is known of others does not answer for the person', () => {
  const others = [
    'Ada lives in Linz',
    'My wife works at a bank',
    "My brother's name is Tom",
    'Ada drives a Skoda',
    'Tom was born in May',
  ]
  for (const asked of [
    'where do i live',
    'where do i work',
    'what is my name',
    'what do i drive',
    'when is my birthday',
  ])
    expect(answerPerson(asked, known(others)), asked).toBe(NOTHING)
})

test.for([
  ['what is my name', 'User is called Sam'],
  ['what is my name', 'Name: Ada Lovelace'],
  ['where do i live', 'The user lives in Graz'],
  ['where do i live', 'I moved to Oslo in May'],
  ['what do i do for a living', 'User works as a curator'],
  ['what do i drive', 'I drive an old Skoda'],
  ['what am i allergic to', 'User is allergic to shrimp'],
  ['when is my birthday', 'Birthday on 4 May'],
  ["what is my wife's name", 'My wife is called Ines'],
  ['what is my favourite colour', 'User’s favourite color is indigo'],
  ['do i like shrimp', 'I hate shrimps'],
] as const)('%s: %s', ([asked, entry]) => {
  const found = answerPerson(asked, known(['The project uses pnpm', entry]))
  expect(found).toBe(`You told me: “${entry}”.`)
})

test('no entry is found by small words alone', () => {
  const entries = ['I am the best of all', 'It is what it is', 'Do not tell me what to do']
  for (const asked of [
    'what did i tell you about the',
    'do i like the',
    'what is my favourite song',
    'what did i tell you about it',
  ])
    expect(answerPerson(asked, known(entries)) ?? NOTHING, asked).toBe(NOTHING)
})

test('several entries are a list, and a long one says how many are left', () => {
  const entries = Array.from({ length: 15 }, (_, at) => `I like dish ${at}`)
  const lines = answerPerson('what do you know about me', known(entries))?.split('\n') ?? []
  expect(lines).toHaveLength(14)
  expect(lines.at(-1)).toBe('- … and 3 more, on the Memory page.')
})

test('what was said in this chat counts where memory has nothing, but no question and no order', () => {
  const said = [
    'My name is Vera and I live in Graz.',
    'what is my name?',
    'remember the milk',
    'list the files where I live',
  ]
  expect(answerPerson('where do i live', known([], said))).toBe(
    'You said earlier in this chat: “My name is Vera and I live in Graz”.',
  )
  expect(answerPerson('where do i live', known(['Lives in Linz'], said))).toBe(
    'You told me: “Lives in Linz”.',
  )
  expect(answerPerson('where do i live', known([], ['list the files where I live']))).toBe(NOTHING)
})

test('what belongs to the computer or to earlier chats is left to tools', () => {
  for (const asked of [
    'what is my ip address',
    'what is my username',
    'where is my report',
    'what did i say about ada last week',
    'what is in my folder',
  ])
    expect(answerPerson(asked, known(['My sister Ada lives in Linz'])), asked).toBeUndefined()
})

test('entries over several lines and with quotes stay one quoted line', () => {
  expect(answerPerson('what is my name', known(['My name is\n “Vera”']))).toBe(
    'You told me: “My name is "Vera"”.',
  )
})
