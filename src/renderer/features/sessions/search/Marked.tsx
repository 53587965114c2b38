import { Fragment, type ReactNode } from 'react'
import type { Piece } from './excerpt.ts'

/** A text with what was looked for marked. */
export function Marked({ pieces }: { pieces: readonly Piece[] }): ReactNode {
  return pieces.map((piece, index) =>
    // Pieces have no identity beyond their place.
    // oxlint-disable-next-line react/no-array-index-key
    piece.hit ? <mark key={index}>{piece.text}</mark> : <Fragment key={index}>{piece.text}</Fragment>,
  )
}
