import { appendFileSync } from 'node:fs'
import fc from 'fast-check'

// Every property reports its number of cases. Properties with the default number are multiplied here too.

fc.configureGlobal({
  numRuns: 100 * Number(process.env['TALARIA_ROUNDS']),
  seed: Number(process.env['TALARIA_SEED']),
  reporter(details) {
    appendFileSync(process.env['TALARIA_CASES'] ?? '', `${details.numRuns}\n`)
    if (details.failed) throw new Error(fc.defaultReportMessage(details))
  },
})
