import type { MemoryRevision } from '../../../shared/contract/learned/memory.ts'
import { isIn, parseNotes, type Place } from '../note-files.ts'
import { findConflict } from './conflict-lines.ts'
import type { FoundNotes } from './read-notes.ts'

/**
 * Why a file that another program left is not taken over before the user has chosen: it holds lines of a merge conflict, or
 * nothing although there are entries, or is not there; `restless`: it is written again and again.
 */
export type Waiting = Place & {
  kind: 'conflict' | 'empty' | 'missing' | 'restless'
  path: string
  /** The text of the file; empty if there is none. */
  text: string
  since: number
}

/** The files that wait for the user. What was last good stays in use until then. */
export type WaitingFiles = {
  /** Judge what was found of a file; `isNews` when something is to be told. */
  judge(
    place: Place,
    path: string,
    found: FoundNotes,
    known: { content: string; count: number },
  ): { waits: boolean; isNews: boolean }
  of(path: string): Waiting | undefined
  all(): Waiting[]
  /** Whether it may be over in a moment, so that nobody is asked yet. */
  isFresh(waiting: Waiting): boolean
  /** Whether another program has changed this file so often that its changes count as one. */
  isOften(place: Place): boolean
  settle(path: string): void
  /** In how many milliseconds to look again without a reason; undefined if nothing changes by itself. */
  lookAgainIn(): number | undefined
}

/** How long editors and synchronising programs may leave a file empty or away before anybody is asked. */
const FRESH_MS = 30_000
/** Within this time changes by other programs count as a row. */
const ROW_MS = 3_600_000
/** Changes of a row that are taken over at once; each further one waits twice as long for the file to rest. */
const FREE_CHANGES = 2
const MOST_REST_MS = 120_000
/** Revisions to look at for the changes of a row. */
const MOST_REVISIONS = 100

type Parts = {
  now(): number
  history(options: { limit: number }): { revisions: MemoryRevision[] }
}

/** Keep in mind which memory files wait, and since when. */
export function openWaiting({ now, history }: Parts): WaitingFiles {
  const files = new Map<string, Waiting & { isTold: boolean }>()

  /** How often other programs changed this file within the last hour. */
  function changesInRow(place: Place): number {
    const at = now()
    const recent = history({ limit: MOST_REVISIONS }).revisions.filter(
      each => each.actor === 'file' && isIn(each, place) && each.at <= at && each.at > at - ROW_MS,
    )
    return new Set(recent.map(each => each.at)).size
  }

  /** How much longer the file has to rest; its own time cannot be set, and one from before or after a jump of the clock counts as old. */
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

  /** Time since a file began to wait; a clock that was set back begins anew. */
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
      // An empty file that is taken away, or a new one that is empty, waits on.
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

/** Why nothing is changed in a file that waits, with what to do. */
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
