import { FilePen } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import type { OutsideEdit } from '../../../shared/contract/memory.ts'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { WordDiff } from '../../ui/TextDiff.tsx'
import { useMemory, usePlaceName } from './memory-context.ts'
import { useMemoryActions } from './use-memory-actions.ts'
import { When } from '../../ui/InlineText.tsx'

/** Files that another program changed. Each is listed until the user has reviewed it. */
export function OutsideEdits(): ReactNode {
  const outside = useMemory(memory => memory.view?.outside)
  return outside?.map(edit => <Card key={edit.id} edit={edit} />)
}

function Card({ edit }: { edit: OutsideEdit }) {
  const heading = useId()
  const placeName = usePlaceName()
  const { resolve } = useMemoryActions()
  const [busy, setBusy] = useState(false)
  const settle = async (keep: 'theirs' | 'ours') => {
    setBusy(true)
    await resolve(edit.id, keep)
    setBusy(false)
  }
  const file = edit.path.split(/[/\\]/u).at(-1) ?? edit.path
  return (
    <section aria-labelledby={heading} className="outside-card">
      <h2 id={heading} className="flex items-center gap-2 text-sm font-semibold">
        <FilePen size={16} className="shrink-0 text-warn" />
        {`${file} was changed by another program`}
      </h2>
      <p className="text-sm text-ink-2">
        Its version is already in use. Nothing is lost: both versions are below.
      </p>
      <p className="text-xs break-words text-ink-3">
        {placeName(edit)} · <When at={edit.at} /> · <span dir="ltr">{edit.path}</span>
      </p>
      <Scrollable label="What changed in the file" className="diff-block max-h-60 overflow-auto">
        <WordDiff before={edit.before} after={edit.after} />
      </Scrollable>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-primary"
          disabled={busy}
          onClick={() => void settle('theirs')}
        >
          Keep theirs
        </button>
        <button
          type="button"
          className="btn btn-secondary"
          disabled={busy}
          onClick={() => void settle('ours')}
        >
          Restore the earlier version
        </button>
      </div>
    </section>
  )
}
