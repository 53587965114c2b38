import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeMeasured } from '../../bench/measured/write-measured.ts'
import { recordNames, recordsOfNone, type Eval } from '../all-evals.ts'
import { readRecords, type Records } from '../records.ts'
import { runEval, type Outcome } from './run-eval.ts'
import { runPart } from './run-part.ts'
import { readStamp, writtenFiles } from './stamp.ts'

/** What to measure, where, and whether to record it. */
export type Asked = {
  root: string
  evals: readonly Eval[]
  names: readonly string[]
  data: string | undefined
  write: boolean
  now: Date
  print(line: string): void
}

/** Measure everything that was asked for, and print one line for each. Returns the exit code. */
export async function runAll(asked: Asked): Promise<0 | 1> {
  const { root, evals, names, write, print } = asked
  const recordsFile = join(root, writtenFiles.records)
  const records = readRecords(recordsFile)
  const stamp = readStamp(root, asked.now)
  if (write && 'why' in stamp) {
    print(`Nothing can be recorded: ${stamp.why}`)
    return 1
  }
  const gone = recordsOfNone(evals, records)
  for (const name of gone) {
    print(`${name.padEnd(24)} ${write ? 'is left out of the records' : 'differs'}: it belongs to no eval`)
    if (write) delete records[name]
  }
  const kinds: Outcome['kind'][] = []
  for (const name of names) {
    const outcome = await measureOne(name, records, asked)
    kinds.push(outcome.kind)
    for (const line of linesOf(name, outcome, write)) print(line)
    if (!write || 'why' in stamp || !('figures' in outcome)) continue
    records[name] = { ...stamp, figures: outcome.figures }
    // Written after each eval, so that results are kept if a later eval is stopped.
    writeFileSync(recordsFile, `${JSON.stringify(sortRecords(records, evals), null, 2)}\n`)
  }
  const count = (kind: Outcome['kind']) => kinds.filter(each => each === kind).length
  const told = (['as recorded', 'new', 'measured', 'differs', 'skipped', 'failed'] as const)
    .filter(kind => count(kind) > 0)
    .map(kind => `${count(kind)} ${kind}`)
  print(told.join(', '))
  const problems = write ? writeMeasured(root, sortRecords(records, evals), { evals, print }) : []
  for (const problem of problems) print(problem)
  const isWrong =
    count('failed') > 0 ||
    count('skipped') === kinds.length ||
    problems.length > 0 ||
    (!write && gone.length + count('differs') + count('new') > 0)
  return isWrong ? 1 : 0
}

async function measureOne(name: string, records: Records, { root, data, evals }: Asked): Promise<Outcome> {
  const found = evals.find(each => each.name === name)
  return found
    ? await runEval(found, records[name], { root, data })
    : await runPart(name.replace(/^bench\./, ''), records[name], root)
}

function linesOf(name: string, outcome: Outcome, write: boolean): string[] {
  const line = (text: string) => `${name.padEnd(24)} ${text}`
  const below = (text: string) => text.split('\n').map(each => `    ${each}`)
  switch (outcome.kind) {
    case 'as recorded':
      return [line('as recorded')]
    case 'differs':
      return [line(`${write ? 'differs, and is recorded' : 'differs'}: ${outcome.how.join(' ')}`)]
    case 'new':
      return [line(write ? 'recorded for the first time' : 'differs: nothing is recorded (--write)')]
    case 'measured':
      return [line('measured'), ...below(outcome.ratios.join('\n'))]
    case 'skipped':
      return [line(`skipped: ${outcome.why}`)]
    case 'failed':
      return [line(`failed: ${outcome.why}`), ...(outcome.errors ? below(outcome.errors) : [])]
  }
}

/** Sort records in the order of the list, so that each keeps its place in the file. */
const sortRecords = (records: Records, evals: readonly Eval[]): Records =>
  Object.fromEntries(
    recordNames(evals).flatMap(name => {
      const record = records[name]
      return record ? [[name, record] as const] : []
    }),
  )
