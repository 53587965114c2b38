/**
 * A position in the text of an element that can be found again after a re-render: the number of characters
 * before it, and the text on both sides.
 */
export type TextPlace = { offset: number; before: string; after: string }

/** How many characters on each side identify a position. */
const SIDE = 64
/**
 * Numbers of characters to try in turn, in case the text around the position has changed too. The smallest is
 * tried only in the original text.
 */
const SIDES = [SIDE, 24, 8]
/** Minimum number of characters, if they match on both sides. */
const LEAST = 4

/** The position of a selection boundary in the text of an element that contains it. */
export function readTextPlace(root: Node, node: Node, at: number): TextPlace {
  const range = document.createRange()
  range.setStart(root, 0)
  range.setEnd(node, at)
  const before = range.toString()
  range.setStart(node, at)
  range.setEnd(root, root.childNodes.length)
  return { offset: before.length, before: before.slice(-SIDE), after: range.toString().slice(0, SIDE) }
}

/**
 * Find the new offset of a selection boundary; undefined if none of the text around it is left. A few
 * characters are enough in its original text (`isOwn`); in another text they could match anywhere.
 */
export function findTextPlace(
  text: string,
  place: TextPlace,
  { isStart = true, isOwn = true } = {},
): number | undefined {
  return findAsWritten(text, place, isOwn) ?? (isOwn ? findByWords(text, place, isStart) : undefined)
}

function findAsWritten(
  text: string,
  { offset, before, after }: TextPlace,
  isOwn: boolean,
): number | undefined {
  if (text.startsWith(before, offset - before.length) && text.startsWith(after, offset)) return offset
  // The text on both sides identifies a position best.
  type Way = (side: number) => readonly [piece: string, shift: number]
  const both: Way = side => [before.slice(-side) + after.slice(0, side), Math.min(side, before.length)]
  const ways: readonly Way[] = [
    both,
    side => [before.slice(-side), Math.min(side, before.length)],
    side => [after.slice(0, side), 0],
  ]
  for (const way of ways)
    for (const side of isOwn ? SIDES : SIDES.slice(0, -1)) {
      const [piece, shift] = way(side)
      const found = nearest(text, piece, offset - shift)
      if (found !== undefined) return found + shift
    }
  if (!isOwn) return undefined
  const [piece, shift] = both(LEAST)
  const found = nearest(text, piece, offset - shift)
  return found === undefined ? undefined : found + shift
}

/** Text that was plain and is now formatted has the same words, but other punctuation and spacing. */
function findByWords(
  text: string,
  { offset, before, after }: TextPlace,
  isStart: boolean,
): number | undefined {
  const { words, at } = wordsOf(text)
  const given = { before: wordsOf(before).words, after: wordsOf(after).words }
  if (given.before + given.after === '') return undefined
  const wanted = at.findLastIndex(place => place < offset) + 1
  const found = findAsWritten(words, { offset: wanted, ...given }, true)
  if (found === undefined) return undefined
  return isStart ? (at[found] ?? text.length) : (at[found - 1] ?? -1) + 1
}

/** The letters and digits of a text, and the position of each. */
function wordsOf(text: string): { words: string; at: number[] } {
  const found = [...text.matchAll(/[\p{L}\p{N}]+/gu)]
  return {
    words: found.map(([run]) => run).join(''),
    at: found.flatMap(({ 0: run, index }) =>
      Array.from({ length: run.length }, (_, letter) => index + letter),
    ),
  }
}

/** The occurrence of a text that is nearest to a position. A very short text would match anywhere. */
function nearest(text: string, piece: string, wanted: number): number | undefined {
  if (piece.trim().length < 4) return undefined
  const from = Math.max(0, wanted)
  const [back, on] = [text.lastIndexOf(piece, from), text.indexOf(piece, from)]
  if (back < 0 && on < 0) return undefined
  return on < 0 || (back >= 0 && from - back < on - from) ? back : on
}

/**
 * The node and offset at a number of characters in an element. Between two nodes, a start is in the second
 * and an end in the first, as in a selection made by hand.
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
