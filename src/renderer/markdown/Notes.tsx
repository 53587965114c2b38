import { createContext, use, type ComponentProps, type MouseEvent, type ReactNode } from 'react'
import type { Note } from './blocks/references.ts'

/** The number of each footnote of the answer. */
export const NoteNumbers = createContext<ReadonlyMap<string, number>>(new Map())

/** The number of each footnote, by its label. */
export const numberNotes = (notes: readonly Note[]): ReadonlyMap<string, number> =>
  new Map(notes.map(({ id }, at) => [id, at + 1]))

/** Show another part of the same answer, and move the keyboard's focus there. */
function goTo(event: MouseEvent<HTMLElement>, place: string): void {
  const found = event.currentTarget.closest('.prose')?.querySelector<HTMLElement>(place)
  found?.scrollIntoView({ block: 'nearest' })
  found?.focus()
}

type RefProps = ComponentProps<'span'> & { label?: string; raw?: string }

/** A footnote mark, which links to the footnote. Without a footnote, it is shown as written. */
export function NoteRef({ label = '', raw = '' }: RefProps): ReactNode {
  const number = use(NoteNumbers).get(`^${label}`)
  if (number === undefined) return raw
  return (
    <sup>
      <button
        type="button"
        className="note-ref"
        data-to-note={number}
        aria-label={`Footnote ${number}`}
        onClick={event => goTo(event, `[data-note="${number}"]`)}
      >
        {number}
      </button>
    </sup>
  )
}

const FULL_WIDTH_END = /[\u3000-\u303F\uFF01-\uFF60]\s*$/

/** The footnotes of an answer, below it. */
export function Notes({
  notes,
  draw,
}: {
  notes: readonly Note[]
  draw: (note: Note) => ReactNode
}): ReactNode {
  if (notes.length === 0) return null
  return (
    // Not a landmark: a chat may have many answers with footnotes.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for forms
    <div role="group" className="notes" aria-label="Footnotes">
      <ol>
        {notes.map((note, at) => (
          <li key={note.id} data-note={at + 1} tabIndex={-1}>
            {draw(note)}
            <button
              type="button"
              className="note-back"
              data-close={FULL_WIDTH_END.test(note.text.slice(-100)) || undefined}
              aria-label={`Back to footnote mark ${at + 1}`}
              onClick={event => goTo(event, `[data-to-note="${at + 1}"]`)}
            >
              ↩
            </button>
          </li>
        ))}
      </ol>
    </div>
  )
}
