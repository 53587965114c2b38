import { fileURLToPath } from 'node:url'
import { isKnownZone } from '../../src/main/schedules/wall-clock.ts'
import { fail, printFigures, readRows } from '../command-line.ts'
import { measureSchedule, Row } from './measure.ts'

const USAGE = `Usage: npm run -s eval:schedule [-- FILE.jsonl]   rows {id, text, want, now?, zone?, next?}
  want as in evals/schedule/compare-rules.ts; now and next are instants with their offset`
const own = fileURLToPath(new URL('phrases.jsonl', import.meta.url))

/**
 * Says for each phrase when it runs and whether that is right. All of the repository's own phrases must be
 * right.
 */
function main([path, ...more]: readonly string[]): void {
  if (more.length > 0 || path?.startsWith('-')) fail(USAGE)
  const given = readRows(path ?? own, Row)
  for (const [at, { zone }] of given.entries())
    if (!isKnownZone(zone)) fail(`Line ${at + 1} of ${path ?? own} is no row: “${zone}” is no time zone.`)
  const { rows, figures } = measureSchedule(given)
  for (const row of rows) console.log(JSON.stringify(row))
  printFigures('schedule', figures)
  const isWrong = figures['right'] !== figures['rows'] || figures['nextWrong'] !== 0
  process.exitCode = path === undefined && isWrong ? 1 : 0
}

main(process.argv.slice(2))
