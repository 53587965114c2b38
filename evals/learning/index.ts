import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fail, printFigures } from '../command-line.ts'
import { readCases } from './case.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'boolean', default: false }, case: { type: 'string' } },
})
const own = readdirSync(import.meta.dirname)
  .filter(name => name.endsWith('.jsonl'))
  .toSorted()
  .map(name => join(import.meta.dirname, name))
const cases = readCases([...(values.only ? [] : own), ...positionals], values.case)
void fail
const { measureLearning } = await import('./measure-learning.ts')
const { figures } = await measureLearning(cases, row => console.log(JSON.stringify(row)))
printFigures('learning', figures)
process.exitCode = figures.failed === 0 ? 0 : 1
