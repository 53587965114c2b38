/**
 * A place in the text of an element, which can be found again when the element was drawn anew: how many letters stand before it, and
 * what is on both sides of it.
 */
export type TextPlace = { offset: number; before: string; after: string }

/** Letters on each side that tell a place from others. */
const SIDE = 64
/** Fewer are tried where what stands around the place has changed too. */
const SIDES = [SIDE, 24, 8]

/** Where a boundary of a selection is in the text of an element that holds it. */
export function readTextPlace(root: Node, node: Node, at: number): TextPlace {
  const range = document.createRange()
  range.setStart(root, 0)
  range.setEnd(node, at)
  const before = range.toString()
  range.setStart(node, at)
  range.setEnd(root, root.childNodes.length)
  return { offset: before.length, before: before.slice(-SIDE), after: range.toString().slice(0, SIDE) }
}

/** How many letters stand before a place now; undefined if nothing around it is left. */
export function findTextPlace(text: string, { offset, before, after }: TextPlace): number | undefined {
  if (text.startsWith(before, offset - before.length) && text.startsWith(after, offset)) return offset
  // What stands on both sides tells a place best. Blanks and ends of lines are not always drawn as they were written.
  const ways: readonly ((side: number) => readonly [piece: string, shift: number])[] = [
    side => [before.slice(-side) + after.slice(0, side), Math.min(side, before.length)],
    side => [before.slice(-side), Math.min(side, before.length)],
    side => [after.slice(0, side), 0],
    side => [before.trimEnd().slice(-side), Math.min(side, before.trimEnd().length)],
    side => [after.trimStart().slice(0, side), 0],
  ]
  for (const way of ways)
    for (const side of SIDES) {
      const [piece, shift] = way(side)
      const found = nearest(text, piece, offset - shift)
      if (found !== undefined) return found + shift
    }
  return undefined
}

/** Where a piece of text stands that is nearest to a place. One of a few letters would be found anywhere. */
function nearest(text: string, piece: string, wanted: number): number | undefined {
  if (piece.trim().length < 4) return undefined
  const from = Math.max(0, wanted)
  const [back, on] = [text.lastIndexOf(piece, from), text.indexOf(piece, from)]
  if (back < 0 && on < 0) return undefined
  return on < 0 || (back >= 0 && from - back < on - from) ? back : on
}

/**
 * The node and the offset at so many letters of an element. Between two nodes, a start is in the second one and an end in the first,
 * as a selection is made by hand.
 */
export function nodeAtPlace(root: Node, offset: number, isStart: boolean): [node: Node, at: number] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  let left = offset
  let last: Node | undefined
  while (walker.nextNode()) {
    last = walker.currentNode
    const { length } = last as Text
    if (left < length || (left === length && !isStart)) return [last, left]
    left -= length
  }
  return last ? [last, (last as Text).length] : [root, 0]
}
