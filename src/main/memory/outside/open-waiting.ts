import type { MemoryRevision } from '../../../shared/contract/learned/memory.ts'
import { isIn, parseNotes, type Place } from '../note-files.ts'
import { findConflict } from './conflict-lines.ts'
import type { FoundNotes } from './read-notes.ts'

/**
 * A file from another program that is not imported until the user chooses. It has merge conflicts, or is
 * empty or missing although there are entries, or is `restless`: rewritten repeatedly.
 */
export type Waiting = Place & {
  kind: 'conflict' | 'empty' | 'missing' | 'restless'
  path: string
  /** The text of the file; empty if it is missing. */
  text: string
  since: number
}

/** The files that wait for the user. Their last good version stays in use until then. */
export type WaitingFiles = {
  /** Decide whether a file waits. `isNews`: the user should be notified. */
  judge(
    place: Place,
    path: string,
    found: FoundNotes,
    known: { content: string; count: number },
  ): { waits: boolean; isNews: boolean }
  of(path: string): Waiting | undefined
  all(): Waiting[]
  /** Whether the problem may go away in a moment, so that the user is not asked yet. */
  isFresh(waiting: Waiting): boolean
  /** Whether another program changes this file so often that its changes count as one. */
  isOften(place: Place): boolean
  settle(path: string): void
  /** In how many ms to check again; undefined if no file can change its state by itself. */
  lookAgainIn(): number | undefined
}

/** How long editors and sync programs may leave a file empty or missing before the user is asked, in ms. */
const FRESH_MS = 30_000
/** Period within which changes by other programs count as a series, in ms. */
const ROW_MS = 3_600_000
/** How many changes of a series to import immediately. Each further one doubles the time that files rest. */
const FREE_CHANGES = 2
const MOST_REST_MS = 120_000
/** Maximum number of revisions to search for the changes of a series. */
const MOST_REVISIONS = 100

type Parts = {
  now(): number
  history(options: { limit: number }): { revisions: MemoryRevision[] }
}

/** Track which memory files wait, and since when. */
export function openWaiting({ now, history }: Parts): WaitingFiles {
  const files = new Map<string, Waiting & { isTold: boolean }>()

  /** How many times other programs changed this file within the last hour. */
  function changesInRow(place: Place): number {
    const at = now()
    const recent = history({ limit: MOST_REVISIONS }).revisions.filter(
      each => each.actor === 'file' && isIn(each, place) && each.at <= at && each.at > at - ROW_MS,
    )
    return new Set(recent.map(each => each.at)).size
  }

  /** How long the file must still rest, in ms. Change times cannot be faked; one far from now is old. */
  function restLeft(place: Place, changedAt: number | undefined): number {
    const count = changesInRow(place)
    if (count < FREE_CHANGES || changedAt === undefined) return 0
    const needed = Math.min(2 ** count * 1_000, MOST_REST_MS)
    return needed - Math.abs(now() - changedAt)
  }

  function kindOf(
    place: Place,
    { text, isMissing, changedAt }: FoundNotes,
    { content, count }: { content: string; count: number },
  ): Waiting['kind'] | undefined {
    if (findConflict(text)) return 'conflict'
    if (count > 0 && isMissing) return 'missing'
    if (count > 0 && parseNotes(text).length === 0) return 'empty'
    return text !== content && restLeft(place, changedAt) > 0 ? 'restless' : undefined
  }

  /** How long a file has been waiting, in ms. Setting the clock back restarts the count. */
  function age(waiting: Waiting): number {
    if (waiting.since > now()) waiting.since = now()
    return now() - waiting.since
  }
  const isFresh = (waiting: Waiting) =>
    (waiting.kind === 'empty' || waiting.kind === 'missing') && age(waiting) < FRESH_MS

  return {
    judge(place, path, found, known) {
      const kind = kindOf(place, found, known)
      const before = files.get(path)
      if (kind === undefined) return { waits: false, isNews: files.delete(path) }
      // A file that was empty and is now missing, or the reverse, keeps waiting.
      const isSame = before !== undefined && (before.kind === kind || (isAway(before.kind) && isAway(kind)))
      const waiting = isSame ? before : { ...place, kind, path, text: '', since: now(), isTold: false }
      const isOther = kind === 'conflict' && waiting.text !== found.text
      Object.assign(waiting, { kind, text: found.text })
      files.set(path, waiting)
      const isDue = !waiting.isTold && !isFresh(waiting)
      if (isDue) waiting.isTold = true
      return { waits: true, isNews: !isSame || isDue || isOther }
    },
    of: path => files.get(path),
    all: () => [...files.values()],
    isFresh,
    isOften: place => changesInRow(place) >= FREE_CHANGES,
    settle: path => void files.delete(path),
    lookAgainIn() {
      const waits = [...files.values()].flatMap(each =>
        isFresh(each) ? [FRESH_MS - age(each)] : each.kind === 'restless' ? [MOST_REST_MS / 8] : [],
      )
      return waits.length === 0 ? undefined : Math.min(...waits)
    },
  }
}

const isAway = (kind: Waiting['kind']) => kind === 'empty' || kind === 'missing'

/** The reason why a waiting file is not changed, and what to do about it. */
export function whyLeftAlone({ kind, path }: Waiting): string {
  const choose =
    'The user has to choose first, on the Memory page or with “talaria memory settle”. What was last good stays in use.'
  switch (kind) {
    case 'conflict':
      return `Nothing was changed: ${path} holds two versions that a program could not merge. ${choose}`
    case 'empty':
      return `Nothing was changed: ${path} is empty, although there are entries. ${choose}`
    case 'missing':
      return `Nothing was changed: ${path} is not there, although there are entries. ${choose}`
    case 'restless':
      return `Nothing was changed: another program keeps writing ${path}. Try again in a minute, or choose on the Memory page.`
  }
}
