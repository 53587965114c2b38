import { expect, test } from 'vitest'
import { answerAtOnce } from '../answer-at-once.ts'
import { knownToTests, PARTS, readRequests } from '../../../../../testing/builtin/labelled-requests.ts'

/** Minimum share of right answers to requests that need no tool. */
const RIGHT = 0.95

test.for(PARTS)('labelled requests, %s part: none for a tool is taken, the others are answered', part => {
  const judged = readRequests(part).map(({ text, kind, says = '', tool = false }) => {
    const said = answerAtOnce(text, knownToTests())
    return { text, said, tool, isRight: kind === null ? said === undefined : said?.includes(says) === true }
  })
  const wrong = judged.filter(({ isRight }) => !isRight)
  expect(wrong.filter(({ tool }) => tool)).toEqual([])
  const others = judged.filter(({ tool }) => !tool)
  const right = others.filter(({ isRight }) => isRight).length
  expect(right / others.length, JSON.stringify(wrong, undefined, 1)).toBeGreaterThanOrEqual(RIGHT)
})

test('there are at least 250 labelled requests, and at least 100 of them ask for tools', () => {
  const rows = PARTS.flatMap(readRequests)
  expect(new Set(rows.map(({ text }) => text)).size).toBe(rows.length)
  expect(rows.length).toBeGreaterThanOrEqual(250)
  expect(rows.filter(({ tool }) => tool).length).toBeGreaterThanOrEqual(100)
})

test.for(['hey could you pls tell me %s??', 'Hi! %s please', 'ok so %s', 'do you know %s ?'])(
  'politeness changes no answer: %s',
  frame => {
    const questions = [
      'what is 17 * 23',
      'what day is it today',
      'what is my name',
      'what time is it',
      'what is 12% of 80',
    ]
    for (const question of questions)
      expect(answerAtOnce(frame.replace('%s', question), knownToTests()), question).toBe(
        answerAtOnce(question, knownToTests()),
      )
  },
)

test('politeness makes no answer of a request for a tool', () => {
  const asked = PARTS.flatMap(readRequests).filter(({ tool }) => tool)
  const taken = asked
    .flatMap(({ text }) => [`hi, ${text}`, `could you ${text} please?`, `${text} thanks`])
    .filter(text => answerAtOnce(text, knownToTests()) !== undefined)
  expect(taken).toEqual([])
})

test('a long text is no question', () => {
  expect(answerAtOnce(`what is ${'1+'.repeat(300)}1`, knownToTests())).toBeUndefined()
  expect(answerAtOnce(`thanks ${'very much '.repeat(200)}`, knownToTests())).toBeUndefined()
  expect(answerAtOnce('', knownToTests())).toBeUndefined()
})

test('what can be done follows the tools that are on', () => {
  const few = answerAtOnce('what can you do', knownToTests({ tools: ['terminal'] }))
  expect(few).toContain('run node --version')
  expect(few).not.toContain('list the files here')
  expect(answerAtOnce('what can you do', knownToTests({ tools: [] }))).toContain('I have no tools')
  expect(answerAtOnce('can you run commands', knownToTests({ tools: [] }))).toContain('Not in this chat')
  expect(answerAtOnce('yes', knownToTests({ tools: [] }))).not.toContain('list the files')
})
