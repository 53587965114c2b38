import { fileURLToPath } from 'node:url'
import { fail, printFigures, readRows } from '../command-line.ts'
import { countVerdicts, judgeRows, Row } from './measure.ts'

const USAGE = `Usage: npm run -s eval:addresses [-- FILE.jsonl]   rows {id, url, resolves?: {host: [ip…]}, want?}
  prints {id, verdict, why?} for each; names in resolves are not looked up, and other names are judged by themselves
  figures are printed where every row has want: public, private, never or invalid`
const first = fileURLToPath(new URL('first.jsonl', import.meta.url))
const fresh = fileURLToPath(new URL('fresh.jsonl', import.meta.url))

/**
 * Says for each address whether Talaria may request it. All of the repository's own addresses must be right.
 */
function main([given, ...more]: readonly string[]): void {
  if (more.length > 0 || (given?.startsWith('-') && given !== '--fresh')) fail(USAGE)
  const path = given === undefined ? first : given === '--fresh' ? fresh : given
  const rows = readRows(path, Row)
  const judged = judgeRows(rows)
  for (const row of judged) console.log(JSON.stringify(row))
  if (rows.some(({ want }) => want === undefined)) return
  const figures = countVerdicts(judged)
  printFigures(path === fresh ? 'addresses-fresh' : 'addresses', figures)
  const isOwn = path === first || path === fresh
  process.exitCode = isOwn && figures['right'] !== figures['rows'] ? 1 : 0
}

main(process.argv.slice(2))
