import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fail, printFigures } from '../command-line.ts'
import { FORMS, measureRecall, sharesOf, type Form, type RecallRow } from './measure.ts'
import { readSet } from './read-set.ts'

const USAGE = `Usage: node evals/recall/index.ts [--form default|full] [--answers] [FOLDER]
FOLDER has conversations.jsonl and queries.jsonl; without one it is evals/recall, the repository's own set.
default: what models get; full: the same with detail full. --answers prints them too.`

const OWN = fileURLToPath(new URL('.', import.meta.url))

/**
 * Asks the tool `session_search` each question of a folder, in one of its forms and as a model calls it.
 * Prints one JSON line for each question, the shares for each language and kind of question if the rows have
 * them, and finally the figures.
 */
async function main(args: string[]): Promise<void> {
  const { folder, form, answers } = readArguments(args)
  const set = readSet(folder)
  if (set.queries.every(({ skip }) => skip !== undefined)) fail(`There is nothing to ask in ${folder}.`)
  const measured = await measureRecall(set, [form])
  const { rows, figures } = measured[form]
  for (const { answer, ...row } of rows) console.log(JSON.stringify(answers ? { ...row, answer } : row))
  printShares('language', rows)
  printShares('kind', rows)
  printFigures(`recall-${resolve(folder) === resolve(OWN) ? 'own-' : ''}${form}`, figures)
}

function printShares(by: 'language' | 'kind', rows: readonly RecallRow[]): void {
  const said = rows.filter(row => row[by] !== undefined)
  for (const [value, among] of Map.groupBy(said, row => row[by]))
    console.log(JSON.stringify({ [by]: value, ...sharesOf(among) }))
}

function readArguments(args: string[]): { folder: string; form: Form; answers: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { form: { type: 'string', default: 'default' }, answers: { type: 'boolean', default: false } },
    })
    const form = FORMS.find(each => each === values.form)
    if (positionals.length > 1 || form === undefined) return fail(USAGE)
    return { folder: positionals[0] ?? OWN, form, answers: values.answers }
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}

await main(process.argv.slice(2))
