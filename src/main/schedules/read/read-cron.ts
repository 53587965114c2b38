import { openPattern } from '../next-instants.ts'
import type { Unplannable } from './clause.ts'

const NAMES: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
}

const FIELD =
  /^(?:\*|\d{1,4}|[a-z]{3}(?![a-z]))(?:[-/,#](?:\*|\d{1,4}|[a-z]{3}(?![a-z])|l))*$|^(?:\?|l|lw|\d{1,2}w|\d#l)$/i
/** The last of a weekday in a month, in the notations of different programs: 5L, FRIL, 5#L, FRI#L. */
const LAST = /^(?<day>[0-7]|sun|mon|tue|wed|thu|fri|sat)#?l$/i
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
/** Cron fields that are not supported, such as `L-3` or Jenkins' `H`. */
const STRANGE_FIELD = /^(?=.*[\d*#?HL])[\d*?,/#()HLW-]{1,20}$/

/**
 * Find a cron line with five fields at the start or end of a text, and the text without it. Undefined if
 * there is none; a reason if the line is invalid.
 */
export function readCron(text: string): { pattern: string; rest: string } | Unplannable | undefined {
  const words = [...text.matchAll(/[^\s"'`“”„]+/g)]
  const named = words.find((word, at) => /^@[a-z]+$/i.test(word[0]) && (at === 0 || at === words.length - 1))
  if (named) {
    const pattern = NAMES[named[0].toLowerCase()]
    const rest = restOf(text, named.index, named.index + named[0].length)
    if (pattern !== undefined) return { pattern, rest }
    if (named[0].toLowerCase() === '@reboot') return { open: '“@reboot” is not a time.' }
  }
  const isField = (at: number) => words[at] !== undefined && isFieldText(words[at][0])
  const start = /^cron:?$/i.test(words[0]?.[0] ?? '') ? 1 : 0
  const strange = strangeField(words.slice(start, start + 5).map(([word]) => word))
  if (strange !== undefined) return { open: strange }
  let first = start
  if (!isField(first) || !/[\d*]/.test(words[first]![0])) {
    const star = words.findIndex(([word]) => /^\*(\/\d+)?$/.test(word))
    if (star === -1) return undefined
    first = star
    while (first > start && isField(first - 1) && /[\d*]/.test(words[first - 1]![0])) first--
  }
  let end = first
  while (isField(end) && /[\d*?]|^l|^[a-z]{3}(?:[-,][a-z]{3})*$|l$/i.test(words[end]![0]) && end - first < 8)
    end++
  const fields = words.slice(first, end).map(([word]) => asCron(word))
  const hasStar = fields.some(field => field.startsWith('*'))
  if (fields.length < 5)
    return hasStar && fields.length > 1 ? { open: 'A cron line has five fields.' } : undefined
  const isLong = fields.length > 5 && /[\d*]/.test(fields[5]!)
  if (isLong) return hasStar ? { open: 'A cron line has five fields.' } : undefined
  const pattern = fields.slice(0, 5).join(' ').toUpperCase()
  const last = words[first + 4]!
  const rest = restOf(text, start === 1 && first === 1 ? 0 : words[first]!.index, last.index + last[0].length)
  return checkPattern(pattern) ?? { pattern, rest }
}

/** The first of five cron-like fields that is not supported; undefined if they are valid or not cron-like. */
function strangeField(fields: readonly string[]): string | undefined {
  const strange = fields.filter(field => !isFieldText(field))
  if (fields.length < 5 || !fields.some(field => field.startsWith('*'))) return undefined
  const twice = fields.includes('?') ? fields.find(field => /^\dl$/i.test(field)) : undefined
  if (strange.length === 0 && twice !== undefined)
    return `Beside “?”, programs count the days of “${twice}” in two ways: write FRIL or 5#L for the last Friday.`
  return strange.length === 1 && STRANGE_FIELD.test(strange[0]!)
    ? `“${strange[0]}” is not a cron field that Talaria understands.`
    : undefined
}

const isFieldText = (word: string) =>
  FIELD.test(word) || word.split(',').every(part => LAST.test(part) || FIELD.test(part))

/** A field in the stored notation: the last Friday is `5#L`. */
const asCron = (word: string): string =>
  word
    .split(',')
    .map(part => {
      const { day } = LAST.exec(part)?.groups ?? {}
      if (day === undefined) return part
      const at = WEEKDAYS.indexOf(day.toLowerCase())
      return `${at === -1 ? day : at}#L`
    })
    .join(',')

const restOf = (text: string, from: number, to: number) => `${text.slice(0, from)} ${text.slice(to)}`

function checkPattern(pattern: string): Unplannable | undefined {
  try {
    openPattern(pattern, 'UTC')
    return undefined
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : ''
    return { open: `This is not a valid cron line: ${said}.` }
  }
}
