import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { usualParts } from '../bench/measured/parts.ts'
import { writeMeasured } from '../bench/measured/write-measured.ts'
import { allEvals } from './all-evals.ts'
import { fail } from './command-line.ts'
import { readRecords, type Records } from './records.ts'
import { commandFor, readOptions, USAGE } from './runner/read-options.ts'
import { runAll } from './runner/run-all.ts'

// Runs every eval as its own program and compares its figures with its record: `npm run -s evals -- --help`.
const root = rootFolder()
const options = readOptions(process.argv.slice(2), { root, evals: allEvals })
if ('wrong' in options) fail(`${options.wrong}\n\n${USAGE}`)
switch (options.do) {
  case 'help':
    console.log(USAGE)
    break
  case 'list':
    for (const name of [...allEvals.map(each => each.name), ...usualParts.map(part => `bench.${part}`)])
      console.log(`${name.padEnd(24)} ${commandFor(name, allEvals)}`)
    break
  case 'texts': {
    const problems = writeMeasured(root, recordsOrFail(), {
      evals: allEvals,
      print: line => console.log(line),
    })
    for (const problem of problems) console.error(problem)
    process.exitCode = problems.length > 0 ? 1 : 0
    break
  }
  case 'measure':
    recordsOrFail()
    process.exitCode = await runAll({
      ...options,
      root,
      evals: allEvals,
      now: new Date(),
      print: line => console.log(line),
    })
}

/**
 * The records. Ends the program if they cannot be read, because nothing could be compared and writing would
 * lose them.
 */
function recordsOrFail(): Records {
  try {
    return readRecords()
  } catch (error) {
    return fail((error as Error).message)
  }
}
