import { basename } from 'node:path'
import { z } from 'zod'
import { parseArgs } from 'node:util'
import { isRefusal, parseJson, type Refusal } from '../../src/main/lib/expected-errors.ts'
import { fail, printFigures, readLines, readRows } from '../command-line.ts'
import { measureApprovals, measureExecuted, measureMarked } from './measure-approvals.ts'
import { measureEscapes } from './measure-escapes.ts'
import { halves, measureHalf } from './measure-halves.ts'
import { measureDisplay, measureOrdinary } from './measure-ordinary.ts'
import type { Measured } from './measured.ts'
import type { Attempt } from './obeyed/attempt.ts'
import { ownFiles, rowKinds } from './row.ts'

const USAGE = `Usage: npm run -s eval:approvals -- [--execute] [--sandbox off] [<file.jsonl>...]

Judges each command as a chat would, with and without confinement, and prints one JSON line for it, then the figures. Without files: the
commands of the repository. With --execute the commands that ask without confinement and run with it really run, confined. The kind
of the rows of a file says what is done with them: escapes and ordinary commands always run, in folders made for them; obeyed ones are tried
in a whole host, with --sandbox off unconfined. Ends with 1 if anything is not as it must be; of the
halves of one list, mended.jsonl and unseen.jsonl, it counts that only.`

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { execute: { type: 'boolean', default: false }, sandbox: { type: 'string' } },
    })
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${USAGE}`)
  }
}

const Kind = z.looseObject({
  kind: z.enum(Object.keys(rowKinds) as [keyof typeof rowKinds]).default('command'),
})

/** The kind of the first row of a file. The other rows must be of the same kind. */
function kindOf(file: string): keyof typeof rowKinds {
  const [line] = readLines(file)
  if (line === undefined) return fail(`${file} has no rows.`)
  const first = Kind.safeParse(parseJson(line))
  return first.success
    ? first.data.kind
    : fail(`Line 1 of ${file} is no row: it is no object, or of no known kind.`)
}

type Options = { execute: boolean; sandbox: 'auto' | 'off' }

/** How to measure the rows of a kind, by the name of its figures. All rows are read first. */
function measureKind(
  kind: keyof typeof rowKinds,
  files: readonly string[],
  { execute, sandbox }: Options,
): { name: string; measured: Measured | Refusal | Promise<Measured | Refusal> } {
  const read = <T>(row: z.ZodType<T>): T[] => files.flatMap(file => readRows(file, row))
  switch (kind) {
    case 'command': {
      const rows = read(rowKinds.command)
      const half = (['mended', 'unseen'] as const).find(each =>
        files.every(file => isFile(file, halves[each])),
      )
      if (half && !execute) return { name: `approvals-${half}`, measured: measureHalf(rows) }
      return execute
        ? { name: 'approvals-executed', measured: measureExecuted(rows) }
        : { name: 'approvals', measured: measureApprovals(rows) }
    }
    case 'marked':
      return { name: 'approvals-marked', measured: measureMarked(read(rowKinds.marked)) }
    case 'escape':
      return { name: 'approvals-escapes', measured: measureEscapes(read(rowKinds.escape)) }
    case 'ordinary':
      return { name: 'approvals-ordinary', measured: measureOrdinary(read(rowKinds.ordinary)) }
    case 'display':
      return { name: 'approvals-display', measured: measureDisplay(read(rowKinds.display)) }
    case 'obeyed':
      return {
        name: `approvals-obeyed${isFresh(files) ? '-fresh' : ''}`,
        measured: tryObeyed(read(rowKinds.obeyed), sandbox),
      }
  }
}

/** Try attempts in a whole host, which is loaded only when it is needed. */
async function tryObeyed(attempts: readonly Attempt[], sandbox: Options['sandbox']): Promise<Measured> {
  const { measureObeyed } = await import('./obeyed/try-attempts.ts')
  return await measureObeyed(attempts, sandbox)
}

const isFile = (file: string, other: string) => basename(file) === basename(other)

/** Whether these attempts were written later. They have their own record. */
const isFresh = (files: readonly string[]) => files.every(file => basename(file) === 'fresh.jsonl')

const { values, positionals } = readArguments()
const files = positionals.length > 0 ? positionals : ownFiles
const [kind, ...others] = new Set(files.map(kindOf))
if (kind === undefined || others.length > 0) fail(`The files are of several kinds.\n\n${USAGE}`)
if (values.execute && kind !== 'command') fail(`--execute is for commands that are only judged.\n\n${USAGE}`)
if (values.sandbox !== undefined && (values.sandbox !== 'off' || kind !== 'obeyed'))
  fail(`--sandbox may be off, for obeyed attempts.\n\n${USAGE}`)
const { name, measured } = measureKind(kind, files, {
  execute: values.execute,
  sandbox: values.sandbox === 'off' ? 'off' : 'auto',
})
const done = await measured
if (isRefusal(done)) fail(`Commands cannot be confined here: ${done.refused}`)
for (const line of done.lines) console.log(JSON.stringify(line))
for (const each of done.wrong) console.error(each)
printFigures(name, done.figures)
// For the halves, the figures say how much is wrong, so they do not fail.
if (done.wrong.length > 0 && !/-(mended|unseen)$/.test(name)) process.exitCode = 1
