import { dayWords } from '../../lib/words/index-words.ts'

/** A day, month or year named in a question, in the words that passages are indexed by. */
export type Dates = { words: string[]; matches(at: number): boolean }

const DAY = 86_400_000
const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const SHORT = MONTHS.map(
  name => `${name.slice(0, 3)}(?:${name.slice(3)}|${name === 'september' ? 't?' : ''}\\b\\.?)`,
)
const MONTH = `(${SHORT.join('|')})`
const NUMBER = '(\\d{1,2})(?:st|nd|rd|th)?'

const ISO = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/g
const DAY_FIRST = new RegExp(`\\b${NUMBER}(?: of)? ${MONTH}(?:,? (\\d{4}))?\\b`, 'gi')
const MONTH_FIRST = new RegExp(`\\b${MONTH} ${NUMBER}(?:,? (\\d{4}))?\\b`, 'gi')
// “May” and “march” are ordinary words too, so a month alone needs one of these words before it.
const MONTH_ALONE = new RegExp(
  `\\b(?:in|of|during|since|until|last|this|early|late) ${MONTH}(?:,? (\\d{4}))?\\b`,
  'gi',
)
const YEAR = /\b(?:in|of|during|since|until) ((?:19|20)\d{2})\b/gi
const RELATIVE = /\b(today|yesterday|last week|this week|last month|this month|last year|this year)\b/gi

/** Return the dates named in a question, to prefer messages of that time; undefined if none. */
export function datesIn(question: string, now: number): Dates | undefined {
  const words = new Set<string>()
  const add = (year: string | undefined, month: number, day: string | undefined) => {
    const two = String(month).padStart(2, '0')
    if (month < 1 || month > 12) return
    if (year === undefined) words.add(`inmonth${two}`)
    else if (day === undefined) words.add(`inmonth${year}${two}`)
    else words.add(`onday${year}${two}${day.padStart(2, '0')}`).add(`inmonth${year}${two}`)
  }
  for (const [, year, month, day] of question.matchAll(ISO)) add(year, Number(month), day)
  for (const [, day, month, year] of question.matchAll(DAY_FIRST)) add(year, monthOf(month!), day)
  for (const [, month, day, year] of question.matchAll(MONTH_FIRST)) add(year, monthOf(month!), day)
  for (const [, month, year] of question.matchAll(MONTH_ALONE)) add(year, monthOf(month!), undefined)
  for (const [, year] of question.matchAll(YEAR)) words.add(`inyear${year}`)
  for (const [, when] of question.matchAll(RELATIVE)) for (const word of relative(when!, now)) words.add(word)
  if (words.size === 0) return undefined
  return {
    words: [...words],
    matches: at => Object.values(dayWords(at)).some(word => words.has(word)),
  }
}

const monthOf = (name: string) =>
  MONTHS.findIndex(month => month.startsWith(name.slice(0, 3).toLowerCase())) + 1

function relative(when: string, now: number): string[] {
  const days = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => dayWords(now - (from + n) * DAY).day)
  const date = new Date(now)
  const before = new Date(date.getFullYear(), date.getMonth() - 1, 1).getTime()
  switch (when.toLowerCase()) {
    case 'today':
      return days(0, 0)
    case 'yesterday':
      return days(1, 1)
    case 'this week':
      return days(0, 6)
    case 'last week':
      return days(1, 13)
    case 'this month':
      return [dayWords(now).month]
    case 'last month':
      return [dayWords(before).month]
    case 'this year':
      return [dayWords(now).year]
    default:
      return [`inyear${date.getFullYear() - 1}`]
  }
}
