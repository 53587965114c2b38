import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useAnswers } from '../../rpc/host-context.tsx'
import { useReading } from '../../rpc/use-answer.ts'
import { countOf } from '../../ui/text/format-values.ts'
import { isKey } from '../../ui/keyboard/keys.ts'
import { dayOf, type UndoSelection } from './activity-state.ts'
import { countReading } from './read-activity.ts'
import { useActivityActions } from './use-activity.ts'

const NOTHING = {
  review: 'There is nothing to undo from this review.',
  chat: 'There is nothing to undo from this chat.',
  since: 'There is nothing to undo since then.',
}
/** The question; `changes` is a count with its noun. */
const QUESTIONS: Record<keyof typeof NOTHING, (changes: string, isAll: boolean) => string> = {
  review: (changes, isAll) =>
    isAll ? `Undo ${changes} from this review?` : `Undo at least ${changes} from this review?`,
  chat: (changes, isAll) =>
    isAll ? `Undo ${changes} from this chat?` : `Undo at least ${changes} from this chat?`,
  since: (changes, isAll) => (isAll ? `Undo ${changes} since then?` : `Undo at least ${changes} since then?`),
}
export const undoTitles = {
  review: 'Undo everything from this review',
  chat: 'Undo everything from this chat',
  since: 'Undo everything since…',
}

type UndoProps = { what: UndoSelection; onClose: () => void; children?: ReactNode }

/** An inline confirmation with a count of the changes to undo. */
export function UndoMany({ what, onClose, children }: UndoProps): ReactNode {
  const { value: counted, problem } = useReading(countReading(useAnswers(), what), { isBrief: true })
  const { undoMany } = useActivityActions()
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => box.current?.focus(), [])

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'escape')) return
    event.preventDefault()
    onClose()
  }
  return (
    <div role="presentation" onKeyDown={onKeyDown}>
      <fieldset ref={box} tabIndex={-1} className="ask-box">
        <legend className="sr-only">{undoTitles[what.by]}</legend>
        {children}
        <output className="text-sm">
          {problem !== null
            ? problem
            : counted === undefined
              ? 'Counting…'
              : counted.count === 0
                ? NOTHING[what.by]
                : QUESTIONS[what.by](countOf(counted.count, 'change', 'changes'), counted.isAll)}
        </output>
        <div className="flex flex-wrap gap-2">
          {problem === null && counted !== undefined && counted.count > 0 && (
            <button
              type="button"
              className="btn btn-danger"
              onClick={() => void undoMany(what).then(isOver => isOver && onClose())}
            >
              Undo now
            </button>
          )}
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            Cancel
          </button>
        </div>
      </fieldset>
    </div>
  )
}

/** A local date in the format of a date field. */
function fieldDate(at: number): string {
  const day = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** Undoes everything learned since the start of a day. */
export function UndoSince({ onClose }: Pick<UndoProps, 'onClose'>): ReactNode {
  const [today] = useState(() => dayOf(Date.now()))
  const [at, setAt] = useState(today)
  return (
    <UndoMany what={{ by: 'since', at }} onClose={onClose}>
      <label className="flex flex-wrap items-center gap-2 text-sm">
        Since the start of
        <input
          type="date"
          className="field w-auto"
          max={fieldDate(today)}
          defaultValue={fieldDate(today)}
          onChange={event => {
            // Without a zone this is local midnight; an incomplete date gives NaN.
            const chosen = new Date(`${event.target.value}T00:00`).getTime()
            if (Number.isFinite(chosen)) setAt(chosen)
          }}
        />
      </label>
    </UndoMany>
  )
}
