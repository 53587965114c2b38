import { formatCount, formatDuration, formatShare } from '../../../ui/format.ts'

const dollars = (digits: number) =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  })
const cents = dollars(2)
const fine = dollars(4)

const inDays = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' })
const dayOnly = inDays({ dateStyle: 'medium' })

const HOUR = 3_600_000
/** `3 h 5 min` from an hour on. */
const long = (ms: number) => {
  const minutes = Math.round((ms % HOUR) / 60_000)
  if (ms < HOUR) return ms === 0 ? '0 s' : formatDuration(ms)
  const [hours, rest] = minutes === 60 ? [Math.floor(ms / HOUR) + 1, 0] : [Math.floor(ms / HOUR), minutes]
  return rest === 0 ? `${formatCount(hours)} h` : `${formatCount(hours)} h ${rest} min`
}

/** What the figures of usage say. */
export const usageText = {
  range: 'Which time',
  ranges: { week: '7 days', month: '30 days', quarter: '90 days', year: 'A year', all: 'All' },
  failed: (why: string) => `The figures could not be read: ${why}`,
  retry: 'Try again',
  nothing: 'No model has answered in this time.',

  totals: 'All together',
  answers: 'Answers',
  read: 'Read',
  cached: 'Kept from before',
  fresh: 'Read anew',
  written: 'Written',
  time: 'Time',
  cost: 'Cost',
  readTokens: 'Tokens read',
  writtenTokens: 'Tokens written',
  tokens: (count: number) => `${formatCount(count)} tokens`,
  cachedOf: (share: number) => `${formatShare(share)} of it kept from before`,
  count: formatCount,
  duration: long,
  dollars: (amount: number | null) =>
    amount === null ? '–' : (amount > 0 && amount < 0.1 ? fine : cents).format(amount),
  costHint: 'Where prices are known',
  noCost: 'No prices known',
  noCostHint: 'A server can name its price; you can write prices into its entry.',

  measure: 'What is drawn',
  measures: { tokens: 'Tokens', answers: 'Answers', time: 'Time', cost: 'Cost' },
  chart: (measure: string, from: string, to: string) => `${measure} from ${from} to ${to}`,
  most: (value: string) => `The most was ${value}.`,
  legend: 'Colours',
  table: 'Show as a table',
  period: 'When',
  day: (day: string) => dayOnly.format(Date.parse(day)),
  span: (from: string, to: string) =>
    from === to ? dayOnly.format(Date.parse(from)) : dayOnly.formatRange(Date.parse(from), Date.parse(to)),

  models: 'By model',
  model: 'Model',
  chats: 'By chat',
  chat: 'Chat',
  kinds: 'By what it was for',
  kind: 'What for',
  kindNames: { chat: 'Chats', learning: 'Learning', question: 'Single questions' },
  openChat: (title: string) => `Open the chat “${title}”`,
  noTitle: 'Without a title, or removed',
} as const
