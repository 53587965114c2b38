import { Fragment, type ReactNode } from 'react'
import { findWords } from './find-words.ts'

/** A text with search matches highlighted. */
export function Highlight({ text, query }: { text: string; query: string }): ReactNode {
  return findWords(text, query).map((part, index) =>
    // The index is the only stable key of a part.
    // oxlint-disable-next-line react/no-array-index-key
    part.hit ? <mark key={index}>{part.text}</mark> : <Fragment key={index}>{part.text}</Fragment>,
  )
}
