import { useId, useState, type ReactNode } from 'react'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { Segmented } from '../../../ui/Segmented.tsx'
import { useDraft } from './draft-context.ts'
import { editText } from './strings.ts'
import { TextDiff } from '../../../ui/TextDiff.tsx'

const text = editText.conflict
type Side = 'diff' | 'theirs' | 'mine'

/** Somebody else has changed the file that is being written: both versions, and a choice. Nothing is lost before it is made. */
export function Conflict(): ReactNode {
  const conflict = useDraft(draft => draft.conflict)
  const buffers = useDraft(draft => draft.buffers)
  const saving = useDraft(draft => draft.saving)
  const settle = useDraft(draft => draft.settle)
  const [side, setSide] = useState<Side>('diff')
  const heading = useId()
  if (!conflict) return null
  const { path, theirs } = conflict
  const mine = buffers[path]?.text ?? ''
  return (
    <section
      aria-labelledby={heading}
      className="mb-3 grid min-w-0 gap-2.5 rounded-xl border border-warn-line bg-warn-soft p-3.5"
    >
      <div role="alert">
        <h3 id={heading} className="text-sm font-semibold">
          {theirs === null ? text.gone(path) : text.title(path)}
        </h3>
        <p className="text-sm">{theirs === null ? text.goneSays : text.says}</p>
      </div>
      {theirs !== null && (
        <>
          <Segmented
            label={text.side}
            value={side}
            options={[
              { value: 'diff', label: text.diff },
              { value: 'theirs', label: text.theirs },
              { value: 'mine', label: text.mine },
            ]}
            onChange={setSide}
          />
          {side === 'diff' ? (
            <TextDiff label={text.diff} before={theirs} after={mine} sameLines={editText.sameLines} />
          ) : (
            <Scrollable
              as="pre"
              label={side === 'mine' ? text.mine : text.theirs}
              className="max-h-80 overflow-auto rounded-lg border border-line bg-side px-3 py-2 font-mono text-xs break-words whitespace-pre-wrap"
            >
              {side === 'mine' ? mine : theirs}
            </Scrollable>
          )}
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-primary"
          disabled={saving}
          onClick={() => void settle('mine')}
        >
          {text.keepMine}
        </button>
        <button
          type="button"
          className="btn btn-secondary"
          disabled={saving}
          onClick={() => void settle('theirs')}
        >
          {theirs === null ? text.letGo : text.takeTheirs}
        </button>
      </div>
    </section>
  )
}
