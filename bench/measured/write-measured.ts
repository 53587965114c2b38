import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allEvals, recordNames, recordsOfNone, type Eval } from '../../evals/all-evals.ts'
import type { Recorded, Records } from '../../evals/records.ts'
import { commandFor } from '../../evals/runner/read-options.ts'
import { writtenFiles } from '../../evals/runner/stamp.ts'
import { fillMarks, fillRow, formatFigure, recordsNamedIn, type Filled } from './fill-figures.ts'
import { pages } from './pages.ts'
import type { Goal, Page, Row, Section } from './row.ts'

const MADE_BY =
  '<!-- Written by `npm run evals -- --write` from bench/records.json and bench/measured; do not edit it. -->'

const HEAD = `# Measurements

${MADE_BY}

The figures of Talaria. Every line comes from one record. \`npm run evals -- --only RECORD\` measures it again and compares. The table
[Records](#records) has the command of each record, and the commit, day and machine that it was measured on.

- Quality is the same on every machine.
- Speed depends on the machine and on what else runs there. Trust ratios within one run.
- Earlier figures are in the history of these files.
- \`npm run -s test:long\` runs the rounds that count faults, such as crashes or the conformance of MCP.`

/** The text of each page of `docs/measurements`, by its file name, and figures that rows name although their record lacks them. */
export type Measurements = { files: Record<string, string>; problems: string[] }

/** Compose the pages of `docs/measurements` from the records. */
export function composeMeasured(
  records: Records,
  all: readonly Page[] = pages,
  evals: readonly Eval[] = allEvals,
): Measurements {
  const problems = recordsOfNone(evals, records).map(name => `The record ${name} belongs to no eval.`)
  const write = (row: Row) => {
    const written = writeRow(row, records)
    problems.push(...written.problems)
    return written.text
  }
  const writeSection = ({ title, says, rows }: Section) =>
    [`## ${title}`, ...(says === '' ? [] : [says]), rows.map(write).join('\n')].join('\n\n')
  const written = all.map(({ file, title, sections }) => [
    file,
    `${[`# ${title}`, MADE_BY, ...sections.map(writeSection)].join('\n\n')}\n`,
  ])
  const index = all.map(({ file, title, sections }) => {
    const links = sections.map(section => `[${section.title}](${file}#${anchorOf(section.title)})`)
    return `- [${title}](${file}): ${links.join(', ')}`
  })
  const readme = `${[HEAD, index.join('\n'), writeSources(records, evals)].join('\n\n')}\n`
  return { files: { 'README.md': readme, ...Object.fromEntries(written) }, problems }
}

const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\d -]/gu, '')
    .replaceAll(' ', '-')

function writeRow(row: Row, records: Records): Filled {
  const { what, on, record, shows, goals = [] } = row
  const filled = fillRow(shows, record, records)
  const figures = records[record]?.figures ?? {}
  const judged = goals.flatMap(goal => judgeGoal(goal, figures[goal.figure]))
  const said = filled?.text ?? 'not measured yet'
  const unknown = goals.flatMap(({ figure }) =>
    filled && figures[figure] === undefined
      ? [`The record ${record} has no figure ${figure}, which has a goal.`]
      : [],
  )
  return {
    text: `- ${what} (${on}):\n  ${[`**${said}**`, ...judged].join('; ')} · \`${record}\``,
    problems: [...(filled?.problems ?? []), ...unknown],
  }
}

function judgeGoal({ least, most, unit = '' }: Goal, value: number | undefined): string[] {
  const bounds = [
    ...(least === undefined ? [] : [`at least ${formatFigure(least)}${unit}`]),
    ...(most === undefined ? [] : [`at most ${formatFigure(most)}${unit}`]),
  ].join(', ')
  if (value === undefined) return [`goal ${bounds}`]
  const isMet = (least === undefined || value >= least) && (most === undefined || value <= most)
  return [`goal ${bounds}${isMet ? '' : ': **missed**'}`]
}

/** The table of records. Machines have letters, because many records share few of them. */
function writeSources(records: Records, evals: readonly Eval[]): string {
  const names = Object.keys(records)
  const machines = [...new Set(Object.values(records).map(({ machine }) => machine))]
  const letterOf = ({ machine }: Recorded) => String.fromCharCode(65 + machines.indexOf(machine))
  return [
    '## Records',
    '',
    `\`DATA\` is a folder of labelled data that is not in the repository. A commit with \`+\` had changes that were not committed.`,
    ...(machines.length === 0 ? ['Nothing is recorded yet.'] : []),
    ...machines.map((machine, at) => `\n${String.fromCharCode(65 + at)}: ${machine}`),
    '',
    '| record | command | commit | day | machine |',
    '|---|---|---|---|---|',
    ...names.flatMap(name => {
      const record = records[name]
      if (!record) return []
      const { commit, on } = record
      return [`| \`${name}\` | \`${commandFor(name, evals)}\` | ${commit} | ${on} | ${letterOf(record)} |`]
    }),
  ].join('\n')
}

/** Write `docs/measurements` and the marked figures of other documents. Return the problems found in them, as sentences. */
export function writeMeasured(
  root: string,
  records: Records,
  { evals, print }: { evals: readonly Eval[]; print(line: string): void },
): string[] {
  const known = new Set(recordNames(evals))
  const measured = composeMeasured(records, pages, evals)
  const problems = [...measured.problems]
  mkdirSync(join(root, writtenFiles.measured), { recursive: true })
  for (const [name, text] of Object.entries(measured.files))
    replaceFile(join(root, writtenFiles.measured, name), text)
  for (const name of writtenFiles.withMarks) {
    const path = join(root, name)
    if (!existsSync(path)) continue
    const document = readFileSync(path, 'utf8')
    const filled = fillMarks(document, records)
    const unknown = recordsNamedIn(document).filter(record => !known.has(record))
    problems.push(
      ...filled.problems.map(problem => `${name}: ${problem}`),
      ...unknown.map(record => `${name}: A mark names ${record}, which belongs to no eval.`),
    )
    replaceFile(path, filled.text)
  }
  return problems

  function replaceFile(path: string, text: string) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) return
    writeFileSync(path, text)
    print(`wrote ${path.slice(root.length + 1)}`)
  }
}
