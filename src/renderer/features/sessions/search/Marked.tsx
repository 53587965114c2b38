import { Fragment, type ReactNode } from 'react'
import type { Piece } from './excerpt.ts'

/** A text with the search matches highlighted. */
export function Marked({ pieces }: { pieces: readonly Piece[] }): ReactNode {
  return pieces.map((piece, index) =>
    // The index is the only identity of a piece.
    // oxlint-disable-next-line react/no-array-index-key
    piece.hit ? <mark key={index}>{piece.text}</mark> : <Fragment key={index}>{piece.text}</Fragment>,
  )
}
