import type { TranscriptRow } from '../transcript/transcript-rows.ts'

/** The keys of the first and last row of a selection. */
export type RowEnds = { first: string; last: string }

/**
 * Maximum number of rows between the ends of a selection that stay mounted out of view. In a longer
 * selection, only the ends do.
 */
const MOST_DRAWN = 60

/** All mounted rows of a list, first to last. */
export const drawnRows = (list: HTMLElement): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>('[data-item]'),
]

/** The rows in which the page's selection begins and ends; null if it is empty or outside the list. */
export function readRowEnds(list: HTMLElement): RowEnds | null {
  const range = selectedRange()
  if (!range?.intersectsNode(list)) return null
  const keys = drawnRows(list).flatMap(row => (range.intersectsNode(row) ? [row.dataset['item'] ?? ''] : []))
  const [first, last] = [keys[0], keys.at(-1)]
  return first === undefined || last === undefined ? null : { first, last }
}

/** The selected range of the page; undefined if nothing is selected. */
export function selectedRange(): Range | undefined {
  const selection = getSelection()
  return selection && selection.rangeCount > 0 && !selection.isCollapsed ? selection.getRangeAt(0) : undefined
}

/** The part of a range that lies in a node. */
export function rangeWithin(range: Range, node: Node): Range {
  const within = document.createRange()
  within.selectNodeContents(node)
  if (within.compareBoundaryPoints(Range.START_TO_START, range) < 0)
    within.setStart(range.startContainer, range.startOffset)
  if (within.compareBoundaryPoints(Range.END_TO_END, range) > 0)
    within.setEnd(range.endContainer, range.endOffset)
  return within
}

/**
 * The indexes of the rows that must stay mounted, because a selection loses an end whose row is unmounted.
 * The browser selects rows between the ends as soon as they are mounted.
 */
export function rowsToKeep(items: readonly TranscriptRow[], ends: RowEnds | null): number[] {
  if (!ends) return []
  const [from, to] = [ends.first, ends.last].map(end => items.findIndex(({ key }) => key === end))
  if (from === undefined || to === undefined || from < 0 || to < from)
    return [from, to].filter(index => index !== undefined && index >= 0) as number[]
  if (to - from > MOST_DRAWN) return [from, to]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
