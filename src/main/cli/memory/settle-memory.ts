import { basename } from 'node:path'
import { styleText } from 'node:util'
import type { WaitingFile } from '../../../shared/contract/learned/memory.ts'
import { many } from '../../../shared/text/amounts.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'
import { newEntries, waitingWords } from '../../../shared/words/waiting-words.ts'
import { Fault } from '../../../shared/rpc.ts'
import { withClient } from '../open-client.ts'
import { printRevisions } from './memory-actions.ts'
import { escapeInvisible, printLine } from '../output/terminal-text.ts'

type SettleOptions = {
  home?: string
  json?: true
  keep?: 'mine' | 'theirs' | 'both'
  add?: number[]
}

/** Show the memory files that wait for a choice, or apply the choice for one of them. */
export async function memorySettle(
  name: string | undefined,
  { home, json, keep, add }: SettleOptions,
): Promise<void> {
  if (keep !== undefined && add !== undefined) throw new Fault('bad_input', 'Choose one of --keep and --add.')
  await withClient(home, async client => {
    const { waiting } = await client['memory.view']({})
    const files = name === undefined ? waiting : [waitingNamed(waiting, name)]
    if (keep === undefined && add === undefined) {
      if (json) printLine(jsonLine({ waiting: files }))
      else printLine(files.map(showFile).join('\n\n') || 'No file waits for a choice.')
      return
    }
    const [file] = files
    if (!file) throw new Fault('not_found', 'No file waits for a choice.')
    if (files.length > 1)
      throw new Fault('bad_input', `Name one of them: ${files.map(each => basename(each.path)).join(', ')}.`)
    const { id, seen } = file
    const answer = await client['memory.settle']({
      id,
      seen,
      keep: keep ?? 'these',
      entries: keep === undefined ? [...file.mine.entries, ...numbered(file, add ?? [])] : [],
    })
    printRevisions(answer.revisions, 'Settled', `Settled: ${basename(file.path)} changes nothing.`, json)
  })
}

/** The entries of the other version with these numbers, as they are listed. */
function numbered({ theirs }: WaitingFile, numbers: readonly number[]): string[] {
  return numbers.map(number => {
    const text = theirs.entries[number - 1]
    if (text === undefined)
      throw new Fault(
        'not_found',
        `There is no entry ${number}: the other version has ${many(theirs.entries.length, 'entry', 'entries')}.`,
      )
    return text
  })
}

function waitingNamed(waiting: readonly WaitingFile[], name: string): WaitingFile {
  const found = waiting.filter(({ path }) => path === name || basename(path) === name)
  if (found.length > 1)
    throw new Fault('bad_input', `Several files have this name: ${found.map(({ path }) => path).join(', ')}.`)
  const [file] = found
  if (!file)
    throw new Fault(
      'not_found',
      `${name} does not wait for a choice. “talaria memory settle” lists the files that do.`,
    )
  return file
}

const dim = (text: string) => styleText('dim', text, { stream: process.stdout })

function showFile(file: WaitingFile): string {
  const { path, mine, theirs, reason } = file
  return [
    escapeInvisible(waitingWords(file, path)),
    ...sideLines(`Mine${labelOf(mine.label)}`, mine.entries, theirs.entries),
    ...(reason === null ? sideLines(`Theirs${labelOf(theirs.label)}`, theirs.entries, mine.entries) : []),
    ...waysOf(file).map(line => dim(escapeInvisible(line))),
  ].join('\n')
}

/** The commands that settle a file. */
function waysOf(file: WaitingFile): string[] {
  const name = basename(file.path)
  const command = `talaria memory settle ${/[\s()&;'[\]~]/.test(name) ? JSON.stringify(name) : name}`
  const [first] = newEntries(file)
  if (file.kind === 'empty' || file.kind === 'missing')
    return [`Keep them: ${command} --keep mine`, `Move them to the archive: ${command} --keep theirs`]
  if (first === undefined) return [`Stop mentioning it: ${command} --keep mine`]
  const number = file.theirs.entries.indexOf(first) + 1
  return [
    `Choose mine, theirs or both: ${command} --keep both`,
    `Or add single entries of theirs to mine: ${command} --add ${number}`,
  ]
}

const labelOf = (label: string) => (label === '' ? '' : ` (${escapeInvisible(label)})`)

/** The entries of a side with their numbers; a plus marks those that the other side lacks. */
function sideLines(title: string, entries: readonly string[], others: readonly string[]): string[] {
  if (entries.length === 0) return [`  ${title}: no entries`]
  return [
    `  ${title}:`,
    ...entries.map((text, at) => {
      const mark = others.includes(text) ? ' ' : '+'
      return `  ${mark} ${String(at + 1).padStart(2)}  ${escapeInvisible(text).replaceAll('\n', '\n        ')}`
    }),
  ]
}
