import { Fragment, type ReactNode } from 'react'

/** The value of a slot in a sentence: an element, or a function that renders the words of a marked part. */
type Placed = ReactNode | ((words: string) => ReactNode)

/** A slot for an element, such as `{name}`, or a marked part with words, such as `<link>open it</link>`. */
const PLACE = /\{(\w{1,20})\}|<(\w{1,20})>([^<]{0,200})<\/\2>/gu

/**
 * A whole sentence with elements in it, so that a translation can order them: `placeElements('Stored in
 * {folder}', { folder: <code/> })`. A slot without a value is left as written. The text of a value is never
 * parsed for slots.
 */
export function placeElements(sentence: string, values: Readonly<Record<string, Placed>>): ReactNode {
  const drawn: ReactNode[] = []
  let end = 0
  for (const match of sentence.matchAll(PLACE)) {
    const [whole, place, part, words = ''] = match
    const name = place ?? part ?? ''
    if (!Object.hasOwn(values, name)) continue
    const value = values[name]
    drawn.push(
      sentence.slice(end, match.index),
      <Fragment key={match.index}>{typeof value === 'function' ? value(words) : value}</Fragment>,
    )
    end = match.index + whole.length
  }
  return [...drawn, sentence.slice(end)]
}
