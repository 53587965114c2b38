import { use, useEffect, useRef, useState } from 'react'
import { Unfolded } from '../ui/text/fold-text.tsx'

/** So much is drawn before the window may do something else: characters, and what each block costs whatever its length. */
const SLICE = 5_000
const EACH = 40
/** Blocks that are not drawn yet stand together in pieces of text of about so many characters. */
const PIECE = 4_000

/** Where the next slice of blocks ends. A block alone may be longer than a slice. */
function endOfSlice(blocks: readonly string[], from: number): number {
  let left = SLICE
  let at = from
  for (; at < blocks.length; at++) {
    left -= blocks[at]!.length + EACH
    if (left < 0 && at > from) break
  }
  return at
}

/**
 * How many blocks of an answer are drawn as Markdown: of a long one more and more, with time between for whatever else happens in the
 * window. On paper, all at once.
 */
export function useSlices(blocks: readonly string[]): number {
  const isWhole = use(Unfolded)
  const [done, setDone] = useState(0)
  const end = isWhole ? blocks.length : endOfSlice(blocks, Math.min(done, blocks.length))
  const hasMore = end < blocks.length || end > done
  useEffect(() => {
    if (!hasMore) return undefined
    const timer = setTimeout(() => setDone(end))
    return () => clearTimeout(timer)
  }, [end, hasMore])
  return end
}

/** What is not drawn yet, in pieces that can be shown as they are. */
export function piecesOf(blocks: readonly string[], from: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const block of blocks.slice(from)) {
    piece += block
    if (piece.length < PIECE) continue
    pieces.push(piece)
    piece = ''
  }
  if (piece !== '') pieces.push(piece)
  return pieces
}

/** A growing block up to here is read again with each word of it. */
const QUICK = 4_000
/** Beyond this, it is not read again before it ends: what is new stands behind it as plain text. */
const MOST_GROWING = 16_000
/** Reading it takes a fraction of this for each of its characters, in ms. */
const PAUSE = 0.05

/**
 * The part of a growing block that is drawn as Markdown, and what stands behind it as plain text. A long block is read again only
 * from time to time: with each word, its whole beginning would be drawn anew.
 */
export function useGrowing(text: string, isLive: boolean): { drawn: string; rest: string } {
  const [kept, setKept] = useState(text)
  const latest = useRef(text)
  const isSlow = isLive && text.length > QUICK && text.startsWith(kept)
  if (!isSlow && kept !== text) setKept(text)
  const isLate = isSlow && kept.length < text.length && kept.length < MOST_GROWING
  useEffect(() => {
    latest.current = text
  }, [text])
  useEffect(() => {
    if (!isLate) return undefined
    const timer = setTimeout(() => setKept(latest.current.slice(0, MOST_GROWING)), PAUSE * kept.length)
    return () => clearTimeout(timer)
  }, [isLate, kept])
  if (!isSlow) return { drawn: text, rest: '' }
  return { drawn: kept, rest: kept.length < MOST_GROWING ? '' : text.slice(kept.length) }
}
