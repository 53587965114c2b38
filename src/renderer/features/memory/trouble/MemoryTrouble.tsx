import { FilePen } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { MemoryView, OutsideEdit } from '../../../../shared/contract/learned/memory.ts'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { WordDiff } from '../../../ui/text/TextDiff.tsx'
import { formatCount } from '../../../ui/text/format-values.ts'
import { When } from '../../../ui/text/InlineText.tsx'
import { WaitingFiles } from './WaitingFiles.tsx'
import { useMemoryPage, usePlaceName, useMemoryActions, useView } from '../use-memory.ts'

/**
 * Problems: no response, and files that are unreadable, too long, changed by another program, or waiting for
 * a choice.
 */
export function MemoryTrouble(): ReactNode {
  const { view, problem } = useMemoryPage()
  const { renew } = useAnswers()
  const again = (label: string) => (
    <button type="button" className="btn btn-secondary" onClick={() => void renew(['memory'])}>
      {label}
    </button>
  )
  return (
    <>
      <div role="alert" className="notice-stack">
        {problem !== null && (
          <Banner level="error" actions={again('Try again')}>
            {`The memory could not be read: ${problem}`}
          </Banner>
        )}
        {view?.unreadable.map(({ path, reason }) => (
          <Banner key={path} level="warning" actions={again('Check again')}>
            <span className="break-words">{`${path} cannot be read (${reason}). Talaria leaves it alone until you repair or move it.`}</span>
          </Banner>
        ))}
        {view?.oversized.map(file => (
          <Banner key={file.path} level="warning" actions={again('Check again')}>
            <span className="break-words">{oversizeText(file)}</span>
          </Banner>
        ))}
      </div>
      <WaitingFiles />
      <OutsideEdits />
    </>
  )
}

function oversizeText({ path, used, limit, longest }: MemoryView['oversized'][number]): string {
  const most = formatCount(limit)
  if (longest <= limit)
    return `${path} is over its limit: ${formatCount(used)} of ${most} characters. Everything is kept and used. Remove or shorten entries, or raise the limit in Settings.`
  return [
    `${path} has an entry of ${formatCount(longest)} characters, but the limit for the whole file is ${most}.`,
    'Another program may have removed the “§” lines between entries. Everything is kept and used, but the agent may not replace or remove',
    'entries in this file until you shorten the entry here, or put “§” lines between its parts in the file.',
  ].join(' ')
}

/** Files that another program changed. Each is listed until the user has reviewed it. */
function OutsideEdits(): ReactNode {
  const outside = useView()?.outside
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
