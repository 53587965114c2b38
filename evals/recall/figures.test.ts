import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { differences } from '../records.ts'
import { FORMS, measureRecall } from './measure.ts'
import { readSet } from './read-set.ts'

const set = readSet(fileURLToPath(new URL('.', import.meta.url)))

test('the own set has chats of many kinds, and questions that nothing answers', () => {
  expect(set.conversations.length).toBeGreaterThanOrEqual(40)
  for (const { turns } of set.conversations) {
    expect(turns.length).toBeGreaterThanOrEqual(8)
    expect(turns.length).toBeLessThanOrEqual(30)
  }
  expect(set.queries.length).toBeGreaterThanOrEqual(110)
  expect(set.queries.filter(({ evidence }) => evidence.length === 0).length).toBeGreaterThanOrEqual(10)
  expect(new Set(set.queries.map(({ language }) => language)).size).toBeGreaterThanOrEqual(6)
  expect(new Set(set.queries.map(({ query_id }) => query_id)).size).toBe(set.queries.length)
})

test(
  'the search finds as much of the own set as is recorded, in each form',
  { timeout: 300_000 },
  async () => {
    const measured = await measureRecall(set, FORMS)
    expect(FORMS.flatMap(form => differences(`recall-own-${form}`, measured[form].figures))).toEqual([])
  },
)

test('a message that the answer cuts is not whole, and a question without an answer is in no share', async () => {
  const long = `The boiler is set to 61 degrees. ${'And so on it went with the plumber, who had much to tell. '.repeat(100)}`
  const turns = [
    { dia_id: 'D1:1', speaker: 'user', text: 'What is the boiler set to?' },
    { dia_id: 'D1:2', speaker: 'assistant', text: long },
    { dia_id: 'D1:3', speaker: 'user', text: 'And the pump of the boiler?' },
    { dia_id: 'D1:4', speaker: 'tool', text: 'pump: 2 of 3, boiler: 61', tool: 'terminal' },
  ]
  const ask = { conversation_id: 'c', question: 'boiler pump' }
  const measured = await measureRecall(
    {
      conversations: [{ conversation_id: 'c', session_id: 'c/s01', datetime: '2026-03-01T10:00:00', turns }],
      queries: [
        { ...ask, query_id: 'cut', evidence: ['D1:2', 'D1:3'] },
        { ...ask, query_id: 'tool', evidence: ['D1:4'] },
        { ...ask, query_id: 'none', question: 'zeppelin', evidence: [] },
        { ...ask, query_id: 'skipped', evidence: ['D1:1'], skip: 'wrong label' },
      ],
    },
    ['default'],
  )
  const { rows, figures } = measured.default
  expect(rows.map(({ query_id, missing, session }) => ({ query_id, missing, session }))).toEqual([
    { query_id: 'cut', missing: ['D1:2'], session: true },
    { query_id: 'tool', missing: [], session: true },
    { query_id: 'none', missing: [], session: false },
  ])
  expect(figures).toMatchObject({
    questions: 2,
    anyWhole: 100,
    allWhole: 50,
    sessionInFirstThree: 100,
    unanswerable: 1,
    unanswerableSaid: 1,
    skipped: 1,
  })
})
