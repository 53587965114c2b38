import { parseArgs } from 'node:util'
import { fail } from '../command-line.ts'
import { tryEdits, type Tried } from './try-edits.ts'

const USAGE =
  'Usage: npm run -s eval:edits [-- --seed 1 --each 10 --wrong]   --wrong prints each edit that came out wrong'

/**
 * Says how edits end that models write with other blanks, quotes, dashes, accents and line ends than the file has: as meant,
 * refused, or as a third thing, which must not be.
 */
function main(): void {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      each: { type: 'string', default: '10' },
      wrong: { type: 'boolean', default: false },
    },
  })
  const [seed, each] = [Number(values.seed), Number(values.each)]
  if (!Number.isInteger(seed) || !Number.isInteger(each) || each < 1) fail(USAGE)
  const tried = tryEdits(seed, each)
  console.log(`${tried.length} edits: right / refused / wrong`)
  for (const key of ['language', 'distortion'] as const) {
    console.log('')
    for (const [name, those] of Map.groupBy(tried, edit => edit[key]))
      console.log(`${name.padEnd(24)}${counts(those)}`)
  }
  console.log(`\n${'all'.padEnd(24)}${counts(tried)}`)
  if (values.wrong)
    for (const { language, distortion, edit, got } of tried.filter(({ outcome }) => outcome === 'wrong'))
      console.log(JSON.stringify({ language, distortion, ...edit, got }))
}

const counts = (tried: readonly Tried[]) =>
  (['right', 'refused', 'wrong'] as const)
    .map(outcome => String(tried.filter(each => each.outcome === outcome).length).padStart(6))
    .join(' /')

main()
