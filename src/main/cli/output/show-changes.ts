import { Fault } from '../../../shared/rpc.ts'
import { printAside, printLine } from './terminal-text.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

/** A change of the memory or of a skill. */
type Change = { id: number; undoes: number | null; undoneBy: number | null }

/** How many changes to read at a time when searching the history. */
export const PAGE = 200

/**
 * Undo the changes with these numbers; without numbers, the newest that is not undone yet. Returns the new
 * changes.
 */
export async function undoChanges<T extends Change>(
  numbers: readonly number[],
  history: (asked: { limit: number }) => Promise<{ revisions: T[] }>,
  undo: (asked: { revisionIds: number[] }) => Promise<{ revisions: T[] }>,
): Promise<T[]> {
  const revisionIds =
    numbers.length > 0 ? [...numbers] : [newestOf((await history({ limit: PAGE })).revisions)]
  const { revisions } = await undo({ revisionIds })
  if (revisions.length === 0)
    throw new Fault('not_found', 'Nothing to undo: the change was undone already, or never made.')
  return revisions
}

function newestOf(revisions: readonly Change[]): number {
  const newest = revisions.find(each => each.undoneBy === null && each.undoes === null)
  if (!newest) throw new Fault('not_found', 'There is no change to undo.')
  return newest.id
}

type Words<T> = { line(change: T): string; hint(changes: readonly T[]): string; nothing: string }

/** Print what was changed and how to undo it. */
export function printChanges<T extends Change>(
  revisions: readonly T[],
  { line, hint, nothing }: Words<T>,
  json: true | undefined,
): void {
  if (json) return printLine(jsonLine({ revisions }))
  if (revisions.length === 0) return printLine(nothing)
  for (const revision of revisions) printLine(line(revision))
  printAside(hint(revisions))
}

/** Notes for the end of the line of a change: which change it undid, and which change undid it. */
export const undoNotes = ({ undoes, undoneBy }: Change): string =>
  [undoes !== null && `undoes ${undoes}`, undoneBy !== null && `undone by ${undoneBy}`]
    .filter(Boolean)
    .map(note => `, ${note}`)
    .join('')
