import { many } from '../../../shared/text/amounts.ts'

/** The reason why a file or folder was not searched. */
export type LeftOutReason =
  | 'ignored'
  | 'hidden'
  | 'modules'
  | 'git'
  | 'link'
  | 'keys'
  | 'binary'
  | 'big'
  | 'unreadable'
  | 'deep'
/** The files that were not searched: how many for each reason, and the first names. */
export type LeftOut = Partial<Record<LeftOutReason, { count: number; names: string[] }>>

const MOST_NAMES = 3
const LONGEST_NAME = 60
/** Reasons for leaving out files that are searched all the same if the call names them. */
const SEARCHED_IF_NAMED: readonly LeftOutReason[] = ['ignored', 'hidden', 'modules', 'git', 'link']

/** Count a file or folder that is not searched. */
export function leaveOut(all: LeftOut, reason: LeftOutReason, name: string): void {
  const entry = (all[reason] ??= { count: 0, names: [] })
  entry.count += 1
  if (entry.names.length < MOST_NAMES) entry.names.push(name)
}

/** The total number that was left out. */
export const countLeftOut = (all: LeftOut): number =>
  Object.values(all).reduce((sum, { count }) => sum + count, 0)

/** The files left out, as the end of a sentence: `; left out: 2 by .gitignore (out/, a.log)`. */
export function leftOutText(all: LeftOut, base: string): string {
  const parts = REASONS.flatMap(([reason, words]) => {
    const entry = all[reason]
    if (!entry) return []
    const more = entry.count > entry.names.length ? ', …' : ''
    const names =
      reason === 'binary' ? '' : ` (${entry.names.map(name => shortName(base + name)).join(', ')}${more})`
    return [words(entry.count) + names]
  })
  return parts.length > 0 ? `; left out: ${parts.join(', ')}` : ''
}

/** How to search the files that were left out; empty if none of them can be searched. */
export const howToSearch = (all: LeftOut): string =>
  SEARCHED_IF_NAMED.some(reason => all[reason]) ? ' To search that too, name it as path.' : ''

const REASONS: readonly [LeftOutReason, (count: number) => string][] = [
  ['ignored', count => `${inEnglish(count)} by .gitignore`],
  ['hidden', count => `${inEnglish(count)} hidden`],
  ['modules', count => many(count, 'folder of modules', 'folders of modules')],
  ['git', () => 'git’s own files'],
  ['link', count => many(count, 'link')],
  ['keys', count => `${inEnglish(count)} with keys`],
  ['binary', count => `${inEnglish(count)} not text`],
  ['big', count => `${inEnglish(count)} over 8 MB`],
  ['unreadable', count => `${inEnglish(count)} unreadable`],
  ['deep', count => `${many(count, 'folder')} too deep`],
]

const inEnglish = (count: number) => count.toLocaleString('en')

/** Shorten a name for a line of a result, without line breaks, which would look like further lines. */
export function shortName(name: string, longest = LONGEST_NAME): string {
  const inOneLine = name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '\ufffd')
  return inOneLine.length > longest ? `…${inOneLine.slice(-longest)}`.toWellFormed() : inOneLine
}
