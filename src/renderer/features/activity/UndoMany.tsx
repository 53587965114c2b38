import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { isKey } from '../../ui/keys.ts'
import { dayOf, type UndoMany as What } from './activity-state.ts'
import { useActivity } from './activity-context.ts'
import { activityText } from './strings.ts'
import { useActions } from './use-actions.ts'
import { useAsked } from '../../rpc/use-asked.ts'

const text = activityText.undoMany

type Props = { what: What; onClose: () => void; children?: ReactNode }

/** Asks where it was asked for, with a count of what would be taken back. */
export function UndoMany({ what, onClose, children }: Props): ReactNode {
  const count = useActivity(activity => activity.count)
  const loads = useActivity(activity => activity.loads)
  const { undoMany } = useActions()
  const box = useRef<HTMLFieldSetElement>(null)
  const key = JSON.stringify(what)
  const answer = useAsked(
    async signal => ({ ok: true, value: { key, counted: await count(what, signal) } }),
    `${loads} ${key}`,
  )
  useEffect(() => box.current?.focus(), [])
  // What was counted for another time is not what would be taken back.
  const counted = answer?.ok && answer.value.key === key ? answer.value.counted : undefined
  const about = text.what[what.by]
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'escape')) return
    event.preventDefault()
    onClose()
  }
  return (
    <div role="presentation" onKeyDown={onKeyDown}>
      <fieldset ref={box} tabIndex={-1} className="ask-box">
        <legend className="sr-only">{what.by === 'since' ? text.since : text[what.by]}</legend>
        {children}
        <output className="text-sm">
          {counted === undefined
            ? text.counting
            : !counted.ok
              ? counted.fault.message
              : counted.value.count === 0
                ? text.nothing(about)
                : text.question(text.count(counted.value.count, counted.value.isAll), about)}
        </output>
        <div className="flex flex-wrap gap-2">
          {counted?.ok && counted.value.count > 0 && (
            <button
              type="button"
              className="btn btn-danger"
              onClick={() => void undoMany(what).then(isOver => isOver && onClose())}
            >
              {text.yes}
            </button>
          )}
          <button type="button" className="btn btn-secondary" onClick={onClose}>
            {activityText.cancel}
          </button>
        </div>
      </fieldset>
    </div>
  )
}

/** The date of a day as a date field has it, by the person's own clock. */
function fieldDate(at: number): string {
  const day = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** Takes back what was learned since the beginning of a day. */
export function UndoSince({ onClose }: Pick<Props, 'onClose'>): ReactNode {
  const [today] = useState(() => dayOf(Date.now()))
  const [at, setAt] = useState(today)
  return (
    <UndoMany what={{ by: 'since', at }} onClose={onClose}>
      <label className="flex flex-wrap items-center gap-2 text-sm">
        {text.date}
        <input
          type="date"
          className="field w-auto"
          max={fieldDate(today)}
          defaultValue={fieldDate(today)}
          onChange={event => {
            // Without a zone it is midnight here; a date that is half written is none.
            const chosen = new Date(`${event.target.value}T00:00`).getTime()
            if (Number.isFinite(chosen)) setAt(chosen)
          }}
        />
      </label>
    </UndoMany>
  )
}
