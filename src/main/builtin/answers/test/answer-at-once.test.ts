import { expect, test } from 'vitest'
import { answerAtOnce } from '../answer-at-once.ts'
import { knownToTests, readRequests } from './requests.ts'

test('x', () => {
  const bad: string[] = []
  const rows = readRequests('first')
  for (const row of rows) {
    const said = answerAtOnce(row.text, knownToTests())
    const ok = row.kind === null ? said === undefined : said !== undefined && said.includes(row.says ?? '')
    if (!ok) bad.push(`${row.text} → ${said} (${row.says})`)
  }
  console.log(rows.length, bad.length, '\n' + bad.join('\n'))
})
