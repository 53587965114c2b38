import { useId, type ReactNode } from 'react'
import type { ImportPreview } from '../../../shared/contract/import.ts'
import { Counts, LeftOut } from './ImportSummary.tsx'
import { StepHeading } from '../../ui/Dialog.tsx'
import { sourceNames } from './import-store.ts'
import { plural } from '../../ui/format.ts'

/** Number of chat titles shown: enough to recognize one's own export. */
const TITLES = 6

type Props = {
  preview: ImportPreview
  memories: boolean
  onMemories: (memories: boolean) => void
  onStart: () => void
  onBack: () => void
}

/** Previews the export before anything is written. */
export function PreviewStep({ preview, memories, onMemories, onStart, onBack }: Props): ReactNode {
  const fresh = preview.sessions - preview.known
  const isEmpty = fresh === 0 && preview.memories === 0
  const nothing =
    preview.sessions > 0
      ? 'Nothing new: all its chats are already here.'
      : 'There is nothing in it to import.'
  return (
    <div className="grid min-w-0 gap-4">
      <div>
        <StepHeading>{`From ${sourceNames[preview.kind]}`}</StepHeading>
        <p dir="ltr" className="font-mono text-xs break-all text-ink-3">
          {preview.path}
        </p>
      </div>
      <Counts
        chats={preview.sessions}
        messages={preview.messages}
        memories={preview.memories}
        known={preview.known}
      />
      <Titles titles={preview.titles} total={preview.sessions} />
      <LeftOut skipped={preview.skipped} />
      {preview.memories > 0 && <WithMemories checked={memories} onChange={onMemories} />}
      {isEmpty && <p className="text-sm">{nothing}</p>}
      <div className="flex flex-wrap justify-end gap-2">
        <button type="button" className="btn btn-secondary" onClick={onBack}>
          Choose another
        </button>
        {!isEmpty && (
          <button
            type="button"
            className="btn btn-primary px-5"
            disabled={fresh === 0 && !memories}
            onClick={onStart}
          >
            Import
          </button>
        )}
      </div>
    </div>
  )
}

function Titles({ titles, total }: { titles: readonly string[]; total: number }) {
  const id = useId()
  const shown = titles.slice(0, TITLES)
  if (shown.length === 0) return null
  return (
    <section className="min-w-0">
      <h4 id={id} className="mb-1 text-xs font-medium text-ink-2">
        Among the chats
      </h4>
      <ul aria-labelledby={id} className="text-sm">
        {shown.map((title, at) => (
          <li key={at} dir="auto" className="truncate">
            {title}
          </li>
        ))}
        {total > shown.length && (
          <li className="text-ink-3">{`and ${plural(total - shown.length, '1 other', 'others')}`}</li>
        )}
      </ul>
    </section>
  )
}

function WithMemories({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={event => onChange(event.target.checked)}
      />
      <div>
        <label htmlFor={id} className="block text-sm">
          Also import the memories
        </label>
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          They go to the Memory page, as far as there is room, and every chat can use them.
        </p>
      </div>
    </div>
  )
}
