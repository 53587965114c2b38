import { use, useEffect, useRef, useState } from 'react'
import { Unfolded } from '../ui/text/fold-text.tsx'

/** How many characters to render before yielding, and the fixed cost of each block in characters. */
const SLICE = 5_000
const EACH = 40
/** About how many characters a piece of not yet rendered blocks has. */
const PIECE = 4_000

/** The end of the next slice of blocks. A single block may be longer than a slice. */
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
 * How many blocks of an answer to render as Markdown. A long answer is rendered in slices, with time between
 * for the rest of the window; on paper, all at once.
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

/** The blocks that are not rendered yet, joined into pieces to show as plain text. */
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

/** Maximum length in characters of a growing block that is parsed again with each new word. */
const QUICK = 4_000
/** Maximum length of a growing block that is parsed before it ends; later text is shown plain. */
const MOST_GROWING = 16_000
/** Pause between parses, in ms per character. Parsing takes a fraction of it. */
const PAUSE = 0.05

/**
 * The part of a growing block to render as Markdown, and the rest to show as plain text. A long block is
 * parsed again only from time to time, because each parse re-renders all of it.
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
