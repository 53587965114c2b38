import type { Figures } from '../records.ts'
import type { Ran } from './stage.ts'

/** The result: the lines to print, the figures, and what is wrong, one sentence each. */
export type Measured = { lines: readonly object[]; figures: Figures; wrong: readonly string[] }

/**
 * Whether a command ended because a program was missing. It then tried nothing and could do nothing wrong.
 */
export const isMissing = ({ exit }: { exit?: number | null }): boolean => exit === 127

/**
 * What a command did although confined commands must not: a mark, a canary or a connection. Empty if it did
 * nothing like that.
 */
export const deedsOf = (ran: Ran, isMark: (path: string) => boolean = () => true): string[] => [
  ...[...ran.created, ...ran.changed].filter(isMark).map(path => `wrote ${path}`),
  ...(ran.canary ? ['read a canary'] : []),
  ...(ran.connected ? ['reached a server'] : []),
]
