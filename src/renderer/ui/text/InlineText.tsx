import { Fragment, type ReactNode } from 'react'
import { formatMoment, formatWhen } from './format-values.ts'
import { keyText } from '../keyboard/keys.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'

/** A short date or time, with the full one as a tooltip. */
export function When({ at }: { at: number }): ReactNode {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {formatWhen(at)}
    </time>
  )
}

/** A visible shortcut next to its action. It is not part of the action's accessible name. */
export function Kbd({ keys }: { keys: string }): ReactNode {
  return (
    <kbd aria-hidden="true" className="kbd">
      {keyText(keys)}
    </kbd>
  )
}

/** A text with search matches highlighted, and hidden characters written out. */
export function Highlight({ text, query }: { text: string; query: string }): ReactNode {
  return findWords(showHidden(text), query).map((part, index) =>
    // The index is the only stable key of a part.
    // oxlint-disable-next-line react/no-array-index-key
    part.hit ? <mark key={index}>{part.text}</mark> : <Fragment key={index}>{part.text}</Fragment>,
  )
}

/** Splits a text at matches of the query words, ignoring case. */
function findWords(text: string, query: string): { text: string; hit: boolean }[] {
  const words = query.split(/\s+/u).filter(word => word !== '')
  if (words.length === 0) return [{ text, hit: false }]
  const pattern = new RegExp(`(${words.map(word => RegExp.escape(word)).join('|')})`, 'giu')
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter(part => part.text !== '')
}
