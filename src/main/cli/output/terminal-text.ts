import { stripVTControlCharacters } from 'node:util'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import type { Approval } from '../../../shared/contract/runs/run.ts'
import { tellMayObey } from '../../../shared/words/obeyed-words.ts'

const CONTROLS = /(?![\n\t])\p{Cc}/gu
const REORDERING = /[\u202a-\u202e\u2066-\u2069]+/g

/**
 * Remove everything that could control a terminal: colours, cursor, window title. Characters that reorder
 * text are written out.
 */
export const stripControls = (text: string): string =>
  stripVTControlCharacters(text).replace(CONTROLS, '').replace(REORDERING, escapeInvisible)

/**
 * Write hidden characters and look-alikes as `⟨U+202E⟩`, so that the user sees everything that an approval
 * covers.
 */
export const escapeInvisible = (text: string): string => showHidden(text)

const two = (number: number) => String(number).padStart(2, '0')

/** A local day in sortable form: 2026-11-21. */
export function dayOf(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** A local day and time: 2026-11-21 09:05. */
export function momentOf(at: number): string {
  const date = new Date(at)
  return `${dayOf(at)} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The start of a day given as 2026-11-21; undefined if invalid. */
export function startOfDay(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === undefined) return undefined
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  return dayOf(date.getTime()) === text ? date.getTime() : undefined
}

export { many } from '../../../shared/text/amounts.ts'

/** Wrap a line between words to at most `room` characters; later lines are indented. */
export function wrapWords(text: string, room: number, indent = 0): string {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length > room) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

/** Format names and descriptions in two columns, or below each other on a narrow terminal. */
export function showTable(
  rows: readonly (readonly [name: string, about: string])[],
  columns: number,
): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  const isNarrow = columns < width + 24
  return rows
    .map(([name, about]) =>
      isNarrow
        ? `${name}\n  ${wrapWords(about, columns - 2, 2)}`
        : `${name.padEnd(width)}${wrapWords(about, columns - width, width)}`,
    )
    .join('\n')
}

/** Print a result: a line on standard output. */
export const printLine = (text: string) => void process.stdout.write(`${text}\n`)
/** Print what is not the result, such as a hint: a line on standard error. */
export const printAside = (text: string) => void process.stderr.write(`${text}\n`)

const printed = new Set<string>()

/**
 * Print a note about the whole command on standard error, such as that nothing can be saved; once per
 * process.
 */
export function printOnce(text: string): void {
  if (!isPrinted(text)) printAside(text)
  printed.add(text)
}

/** Whether `printOnce` has printed a text, so that a failure need not repeat it. */
export const isPrinted = (text: string): boolean => printed.has(text)

/** How a command would run, in sentences. */
export function howItRuns(command: NonNullable<Approval['command']>): string {
  const { whyNot, offline, keys = [] } = command
  const mayObey = tellMayObey(command)
  const how =
    whyNot === ''
      ? 'It runs confined: it can change this chat’s folder only and has no network.'
      : `Not confined: ${whyNot}`
  const lock = offline && whyNot !== '' ? ' The offline lock is on, but cannot keep it off the network.' : ''
  const none = whyNot === '' ? ' It sees no keys.' : ''
  const given =
    keys.length > 0 ? ` It is given these keys of the skill in use, and no others: ${keys.join(', ')}.` : none
  return `${how}${lock}${given}${mayObey === undefined ? '' : ` ${mayObey}`}`
}

/** A text on one line, with control characters escaped. */
export const oneLine = (text: string) => escapeInvisible(text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ')).trim()
