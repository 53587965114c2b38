import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allEvals, recordNames, recordsOfNone, type Eval } from '../../evals/all-evals.ts'
import type { Recorded, Records } from '../../evals/records.ts'
import { commandFor } from '../../evals/runner/read-options.ts'
import { writtenFiles } from '../../evals/runner/stamp.ts'
import { fillMarks, fillRow, formatFigure, recordsNamedIn, type Filled } from './fill-figures.ts'
import { sections } from './sections.ts'
import type { Goal, Row, Section } from './row.ts'

const HEAD = `# Measured

<!-- Written by \`npm run evals -- --write\` from bench/records.json and bench/measured; do not edit it. -->

Figures of the product. Each line is about one record; \`npm run evals -- --only RECORD\` measures it again and compares. The table
[Records](#records) has the command behind each, and the commit, the day and the machine that it was measured on. Quality is the same on every
machine. Speeds are those of that machine, with whatever else ran on it; ratios within one run are what to trust. Earlier figures are in the
history of this file. Rounds that count faults, such as crashes or the conformance of MCP, are run by \`npm run -s test:long\`.`

/**
 * The whole text of MEASURED.md, and problems with figures that its rows name but their records do not have.
 */
export function composeMeasured(
  records: Records,
  all: readonly Section[] = sections,
  evals: readonly Eval[] = allEvals,
): Filled {
  const problems = recordsOfNone(evals, records).map(name => `The record ${name} belongs to no eval.`)
  const write = (row: Row) => {
    const written = writeRow(row, records)
    problems.push(...written.problems)
    return written.text
  }
  const parts = all.map(({ title, says, rows }) =>
    [
      `## ${title}`,
      '',
      ...(says === '' ? [] : [says, '']),
      '| | on | measured | record |',
      '|---|---|---|---|',
      ...rows.map(write),
    ].join('\n'),
  )
  return { text: `${[HEAD, ...parts, writeSources(records, evals)].join('\n\n')}\n`, problems }
}

function writeRow(row: Row, records: Records): Filled {
  const { what, on, record, shows, goals = [] } = row
  const filled = fillRow(shows, record, records)
  const figures = records[record]?.figures ?? {}
  const judged = goals.flatMap(goal => judgeGoal(goal, figures[goal.figure]))
  const said = [filled?.text ?? 'not measured yet', ...judged].join('; ')
  const unknown = goals.flatMap(({ figure }) =>
    filled && figures[figure] === undefined
      ? [`The record ${record} has no figure ${figure}, which has a goal.`]
      : [],
  )
  return {
    text: `| ${what} | ${on} | ${said} | \`${record}\` |`,
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

/**
 * The list of where each record comes from. Machines are named by letters, because a few machines appear in
 * many lines.
 */
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

/**
 * Write MEASURED.md, and the marked figures in the documents, from the records. Returns what is wrong in
 * them.
 */
export function writeMeasured(
  root: string,
  records: Records,
  { evals, print }: { evals: readonly Eval[]; print(line: string): void },
): string[] {
  const known = new Set(recordNames(evals))
  const measured = composeMeasured(records, sections, evals)
  const problems = [...measured.problems]
  replaceFile(join(root, writtenFiles.measured), measured.text)
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
