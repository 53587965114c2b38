import { parseJson } from '../../src/main/lib/expected-errors.ts'
import { parseSchedule } from '../../src/main/schedules/parse-schedule.ts'
import { fail, readLines } from '../command-line.ts'

const USAGE =
  'Usage: npm run -s eval:schedule -- FILE.jsonl   rows {id, text, now, zone}; now is an instant with its offset'

/** Says for each row of a file when its text runs, one JSON line a row. */
function main([path]: readonly string[]): void {
  if (path === undefined) fail(USAGE)
  for (const [at, line] of readLines(path).entries())
    console.log(JSON.stringify(answerOf(parseJson(line), at + 1)))
}

function answerOf(given: unknown, line: number) {
  const { id = String(line), text, now, zone } = (given ?? {}) as Record<string, unknown>
  const isRow = typeof text === 'string' && typeof now === 'string' && typeof zone === 'string'
  if (!isRow || !/(?:Z|[+-]\d\d:?\d\d)$/.test(now) || Number.isNaN(Date.parse(now)))
    fail(`Line ${line} is no row.\n${USAGE}`)
  const reading = parseSchedule(text, { now: new Date(now), zone })
  if (reading.kind === 'refused') return { id, kind: reading.kind, next: [], reason: reading.reason }
  return { id, kind: reading.kind, next: reading.next.map(each => each.toISOString()) }
}

main(process.argv.slice(2))
