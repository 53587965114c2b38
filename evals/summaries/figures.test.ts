import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readRows } from '../command-line.ts'
import { differences } from '../records.ts'
import { ChatRow, measureSummaries, SummaryRow } from './measure.ts'

const own = <T>(name: string, row: Parameters<typeof readRows<T>>[1]): T[] =>
  readRows(fileURLToPath(new URL(name, import.meta.url)), row)
const chats = own('chats.jsonl', ChatRow)
const summaries = own('summaries.jsonl', SummaryRow)

test('each labelled summary is kept or refused as it is meant', () => {
  const { rows } = measureSummaries(chats, summaries)
  expect(rows.filter(({ right }) => !right)).toEqual([])
  expect(rows.filter(each => each.expect === 'good').length).toBeGreaterThanOrEqual(25)
  expect(new Set(rows.map(({ refused }) => refused)).size, 'every reason is met').toBe(7)
})

test('the figures are the recorded ones', () => {
  expect(differences('summaries', measureSummaries(chats, summaries).figures)).toEqual([])
})

test('a good one that is refused, junk that is kept, and a row without its chat are counted', () => {
  const [good] = summaries.filter(each => each.expect === 'good')
  const [junk] = summaries.filter(each => each.expect === 'junk')
  const wrong = [
    { ...good!, expect: 'junk' as const },
    { ...junk!, expect: 'good' as const },
    { ...junk!, chat: 'no chat' },
    junk!,
  ]
  expect(measureSummaries(chats, wrong).figures).toEqual({
    chats: chats.length,
    good: 1,
    junk: 2,
    goodRefused: 1,
    junkKept: 1,
    noChat: 1,
  })
})
