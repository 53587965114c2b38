import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rootFolder } from '../../../lib/disk/shipped-files.ts'
import { answerAtOnce } from '../answer-at-once.ts'
import { isFixedSentence, sayFallback } from '../fixed-sentences.ts'
import { knownToTests, PARTS, readRequests } from '../../../../../testing/builtin/labelled-requests.ts'

const questions = PARTS.flatMap(readRequests).map(({ text }) => text)
const knowns = [knownToTests(), knownToTests({ entries: [], said: [], tools: [] })]

test('all that is said to 200 questions and more is known as that, with tools and without', () => {
  expect(questions.length).toBeGreaterThan(200)
  const said = questions.flatMap(text =>
    knowns.flatMap(known => [
      answerAtOnce(text, known) ?? sayFallback(text, known),
      sayFallback(text, known),
    ]),
  )
  expect(said.filter(text => !isFixedSentence(text))).toEqual([])
  expect(new Set(said).size).toBeGreaterThan(150)
})

test('sentences with a word more, a word less or another one are none of ours', () => {
  const said = [
    ...new Set(
      questions.map(text => answerAtOnce(text, knownToTests()) ?? sayFallback(text, knownToTests())),
    ),
  ]
  // Quoted text is the user’s own and may be anything.
  const plain = said.filter(text => !/[“”\n]/.test(text) && /[a-z]/.test(text))
  const changed = plain.flatMap(text => [
    `${text} I like you.`,
    `Well, ${text}`,
    text.replace(/ \S+ /, ' purple '),
    // A number without its last digit is still a number.
    text.replace(/[.?]$/, ' maybe'),
  ])
  expect(changed.length).toBeGreaterThan(200)
  expect(changed.filter(text => !plain.includes(text) && isFixedSentence(text))).toEqual([])
})

test('ordinary texts are none of ours', () => {
  const guide = globSync('docs/guide/*.md', { cwd: rootFolder() })
  const texts = ['README.md', 'SECURITY.md', 'CHANGELOG.md', 'ARCHITECTURE.md', ...guide].flatMap(file =>
    readFileSync(join(rootFolder(), file), 'utf8')
      .split(/(?<=[.:!?])\s+|\n+/)
      .map(each => each.trim())
      .filter(each => each !== ''),
  )
  const nonsense = [
    'This is no remember I remember',
    'User tell you is sails 28 10',
    'You told me: “',
    'It is.',
    '',
    ' ',
    'You told me:',
    '- “Audi”',
  ]
  expect(texts.length).toBeGreaterThan(1_000)
  expect([...texts, ...nonsense].filter(isFixedSentence)).toEqual([])
})

test.for([
  ['write a poem about the sea', 'I cannot write texts', 'letter.txt'],
  ['translate good morning into German', 'I cannot translate', 'Models page'],
  ['who is the president of France?', 'I cannot answer that', 'Models page'],
  ['write a python function that adds', 'I cannot write or explain code', 'node --version'],
  ['what is the weather tomorrow', 'internet', 'Models page'],
  ['summarise this text: la la', 'I cannot sum up', 'Models page'],
  ['should I buy a car', 'advice', 'what can you do'],
  ['draw a cat', 'pictures', 'Models page'],
  ['asdf qwer', 'did not understand', 'what can you do'],
  ['where did I put the spare key', 'saved nothing', 'remember that'],
  ['by the way, what does my sister do', 'You told me', 'Ada'],
  ['Erzähl mir bitte einen Witz über die Katze', 'Das eingebaute Modell', 'Models'],
] as const)('beyond this model: %s', ([asked, why, instead]) => {
  const said = sayFallback(asked, knownToTests())
  expect(said).toContain(why)
  expect(said).toContain(instead)
})

test('nothing is proposed that is off', () => {
  const said = sayFallback('write a poem about the sea', knownToTests({ tools: [] }))
  expect(said).not.toContain('letter.txt')
  expect(said).toContain('Models page')
})
