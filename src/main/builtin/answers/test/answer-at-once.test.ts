import { expect, test } from 'vitest'
import { answerAtOnce } from '../answer-at-once.ts'
import { knownToTests, readRequests } from './requests.ts'

/** At least this share of what needs no tool is to be right. */
const RIGHT = 0.95

test.for(['first', 'second', 'third', 'fourth'] as const)('labelled requests, %s half', half => {
  const rows = readRequests(half)
  const judged = rows.map(({ text, kind, says = '', tool = false }) => {
    const said = answerAtOnce(text, knownToTests())
    return { text, said, tool, isRight: kind === null ? said === undefined : said?.includes(says) === true }
  })
  const wrong = judged.filter(({ isRight }) => !isRight)
  expect(wrong.filter(({ tool }) => tool)).toEqual([])
  const others = judged.filter(({ tool }) => !tool)
  const right = others.filter(({ isRight }) => isRight).length
  console.log(rows.length, others.length, wrong)
  expect({ share: right / others.length, wrong }).toSatisfy(({ share }: { share: number }) => share >= RIGHT)
})
