import { createHash } from 'node:crypto'
import type { StrangersMark } from '../../shared/contract/chats/messages.ts'
import { newId } from '../lib/ids.ts'
import { isDescribed } from './strangers-text.ts'

/**
 * Create the mark of a text that has just arrived from outside; see `serverSource` and `describedSource`. An
 * equal text that arrives later gets another mark.
 */
export const newMark = (source: string): StrangersMark => ({
  id: newId('text'),
  source,
  ...(isDescribed(source) && { described: true as const }),
})

/** Merge the marks of several texts without duplicates, in order of appearance. */
export function mergeMarks(
  ...lists: readonly (readonly StrangersMark[] | undefined)[]
): readonly StrangersMark[] {
  const found = new Map<string, StrangersMark>()
  for (const mark of lists.flatMap(list => list ?? [])) if (!found.has(mark.id)) found.set(mark.id, mark)
  return [...found.values()]
}

/** Maximum number of marks stored with one text; further ones are merged into one per source. */
const MOST_MARKS = 40
/** How many of these are the newest marks, which keep their own ids. */
const OWN = 24

/**
 * Limit the marks for storage to `MOST_MARKS`, so that a chat of a thousand results does not store a thousand
 * marks with each answer. Older marks of a source become one, whose id follows from theirs. No text loses its
 * mark by this; it must only be cleared once more.
 */
export function boundMarks(marks: readonly StrangersMark[]): readonly StrangersMark[] {
  if (marks.length <= MOST_MARKS) return marks
  const older = Map.groupBy(marks.slice(0, -OWN), ({ source }) => source)
  const joined = [...older.values()].map(joinMarks)
  const room = MOST_MARKS - OWN
  const kept =
    joined.length <= room ? joined : [...joined.slice(1 - room), joinAll(joined.slice(0, 1 - room))]
  return [...kept, ...marks.slice(-OWN)]
}

const joinMarks = (marks: readonly StrangersMark[]): StrangersMark =>
  marks.length === 1 ? marks[0]! : { ...marks[0]!, id: joinedId(marks) }

/** Merge marks of several sources, keeping one source name. Any result makes it the mark of a result. */
const joinAll = (marks: readonly StrangersMark[]): StrangersMark => ({
  ...(marks.find(({ described }) => !described) ?? marks[0]!),
  id: joinedId(marks),
})

const joinedId = (marks: readonly StrangersMark[]): string =>
  `texts_${createHash('sha256')
    .update(
      marks
        .map(({ id }) => id)
        .toSorted()
        .join(' '),
    )
    .digest('hex')
    .slice(0, 24)}`
