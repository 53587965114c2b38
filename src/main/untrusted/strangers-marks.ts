import { createHash } from 'node:crypto'
import type { StrangersMark } from '../../shared/contract/chats/messages.ts'
import { newId } from '../lib/ids.ts'
import { isDescribed } from './strangers-text.ts'

/** The mark of a text that has just come from outside; see `serverSource` and `describedSource`. An equal text that comes later has another one. */
export const newMark = (source: string): StrangersMark => ({
  id: newId('text'),
  source,
  ...(isDescribed(source) && { described: true as const }),
})

/** All marks of several texts, each once, in the order in which they are met. */
export function mergeMarks(
  ...lists: readonly (readonly StrangersMark[] | undefined)[]
): readonly StrangersMark[] {
  const found = new Map<string, StrangersMark>()
  for (const mark of lists.flatMap(list => list ?? [])) if (!found.has(mark.id)) found.set(mark.id, mark)
  return [...found.values()]
}

/** Marks that are stored with one text; what a chat has beyond them is stored as one mark for each source. */
const MOST_MARKS = 40
/** Of these, the newest that keep their own ids. */
const OWN = 24

/**
 * Marks as they are stored: at most `MOST_MARKS`, so that a chat of a thousand results does not store a thousand marks with each
 * answer. Older ones of a source become one, whose id follows from theirs: a text never loses its mark by this, it only has to be
 * ended once more.
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

/** Whose texts these are is not said any more; what is not only described counts as read. */
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
