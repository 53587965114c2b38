import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { showHidden } from '../../src/shared/visible-text/show-hidden.ts'

type Row = { id: string; text: string; expect: string }
const rows = readFileSync(new URL('display.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Row)

test.each(rows.map(row => [row.id, row] as const))(
  '%s is shown as expected',
  (_, { text, expect: shown }) => {
    expect(showHidden(text)).toBe(shown)
  },
)

test('there are eighty rows, half of them ordinary text', () => {
  const ordinary = rows.filter(row => row.text === row.expect)
  expect(rows.length).toBeGreaterThanOrEqual(80)
  expect(ordinary.length).toBeGreaterThanOrEqual(40)
  expect(rows.length - ordinary.length).toBeGreaterThanOrEqual(40)
})
