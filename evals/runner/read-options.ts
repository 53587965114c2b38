import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { benchParts, usualParts } from '../../bench/measured/parts.ts'
import { recordNames, type Eval } from '../all-evals.ts'

export const USAGE = `npm run -s evals -- [--only NAME,…] [--bench [PART,…]] [--data FOLDER] [--write] [--texts] [--list]
Runs every eval and compares its figures with bench/records.json; one line each.
  --only NAME,…      only these; also bench.PART
  --bench [PART,…]   also these parts of the bench (all but peer, without names); their speeds are shown beside the record
  --data FOLDER      the labelled data that is not in the repository; ../shared/data where it is there
  --write            write what was measured to bench/records.json, docs/measurements and the marks in the documents
  --texts            write only docs/measurements and the marks, from the records; measures nothing
  --list             the names, each with its command
Exit code: 0 all as recorded, 1 something differs or failed, 2 wrong usage.`

/**
 * What to measure. `names`: the names of records, in the order of measuring; parts of the bench as
 * `bench.PART`.
 */
export type Options =
  | { do: 'help' }
  | { do: 'list' }
  | { do: 'texts' }
  | { do: 'measure'; names: readonly string[]; data: string | undefined; write: boolean }

/** Read the options of `npm run evals`, or say what is wrong with them. */
export function readOptions(
  args: readonly string[],
  { root, evals }: { root: string; evals: readonly Eval[] },
): Options | { wrong: string } {
  const parsed = parseOptions(args)
  if ('wrong' in parsed) return parsed
  const { values } = parsed
  if (values.help) return { do: 'help' }
  if (values.list) return { do: 'list' }
  if (values.texts) return { do: 'texts' }
  if (values.data !== undefined && !existsSync(values.data))
    return { wrong: `${values.data}, which --data names, is not there.` }
  if (values.data !== undefined && !statSync(values.data).isDirectory())
    return { wrong: `${values.data}, which --data names, is no folder.` }
  const beside = resolve(root, '../shared/data')
  const data = values.data === undefined ? (existsSync(beside) ? beside : undefined) : resolve(values.data)
  const evalNames = evals.map(({ name }) => name)
  const parts = values.bench === '' ? usualParts : namesIn(values.bench)
  const noPart = parts.filter(name => !benchParts.some(part => part === name))
  if (noPart.length > 0) return { wrong: `The bench has no part ${noPart.join(', ')}.` }
  const only = namesIn(values.only)
  if (values.only !== undefined && only.length === 0) return { wrong: '--only names nothing.' }
  if (values.bench !== undefined && parts.length === 0) return { wrong: '--bench names no part.' }
  const known = recordNames(evals)
  const unknown = only.filter(name => !known.includes(name))
  if (unknown.length > 0)
    return { wrong: `No eval has the name ${unknown.join(', ')}; --list says which there are.` }
  const wanted = new Set([
    ...(values.only === undefined ? evalNames : only),
    ...parts.map(part => `bench.${part}`),
  ])
  return { do: 'measure', names: known.filter(name => wanted.has(name)), data, write: values.write }
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      // parseArgs has no options with an optional value, so `--bench` alone gets an empty one.
      args: args.map((arg, at) => (arg === '--bench' && isNoValue(args[at + 1]) ? '--bench=' : arg)),
      options: {
        only: { type: 'string' },
        bench: { type: 'string' },
        data: { type: 'string' },
        write: { type: 'boolean', default: false },
        texts: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}

const isNoValue = (next: string | undefined): boolean => next === undefined || next.startsWith('-')

const namesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')

/** The command that measures a record, to be typed in the root folder. */
export function commandFor(name: string, evals: readonly Eval[]): string {
  const found = evals.find(each => each.name === name)
  if (!found) return `npm run -s bench -- --only ${name.replace(/^bench\./, '')}`
  const args = found.args.map(arg => arg.replace('{data}', 'DATA'))
  return ['npm run -s', found.script, ...(args.length > 0 ? ['--', ...args] : [])].join(' ')
}
