import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useAsked } from '../../rpc/use-asked.ts'
import { plural } from '../../ui/format.ts'
import { isKey } from '../../ui/keys.ts'
import { dayOf, type UndoMany as What } from './activity-state.ts'
import { useActivity, useActivityActions } from './use-activity.ts'

const undoScopes = { review: 'from this review', chat: 'from this chat', since: 'since then' }
export const undoTitles = {
  review: 'Undo everything from this review',
  chat: 'Undo everything from this chat',
  since: 'Undo everything since…',
}

type UndoProps = { what: What; onClose: () => void; children?: ReactNode }

/** An inline confirmation with a count of the changes to undo. */
export function UndoMany({ what, onClose, children }: UndoProps): ReactNode {
  const count = useActivity(activity => activity.count)
  const loads = useActivity(activity => activity.loads)
  const { undoMany } = useActivityActions()
  const box = useRef<HTMLFieldSetElement>(null)
  const key = JSON.stringify(what)
  const answer = useAsked(
    async signal => ({ ok: true, value: { key, counted: await count(what, signal) } }),
    `${loads} ${key}`,
  )
  useEffect(() => box.current?.focus(), [])
  // Ignore a count that belongs to another selection.
  const counted = answer?.ok && answer.value.key === key ? answer.value.counted : undefined
  const about = undoScopes[what.by]
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
          {counted === undefined
            ? 'Counting…'
            : !counted.ok
              ? counted.fault.message
              : counted.value.count === 0
                ? `There is nothing to undo ${about}.`
                : `Undo ${counted.value.isAll ? '' : 'at least '}${plural(counted.value.count, '1 change', 'changes')} ${about}?`}
        </output>
        <div className="flex flex-wrap gap-2">
          {counted?.ok && counted.value.count > 0 && (
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
        Since the beginning of
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
