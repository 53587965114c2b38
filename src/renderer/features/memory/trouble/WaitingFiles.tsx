import { Files } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { WaitingFile } from '../../../../shared/contract/learned/memory.ts'
import { newEntries, waitingWords } from '../../../../shared/words/waiting-words.ts'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { ChosenEntries } from './ChosenEntries.tsx'
import { useMemoryActions, usePlaceName, useView } from '../use-memory.ts'

/** How long to wait before checking an empty or missing file again, in ms. */
const LOOK_AGAIN_MS = 31_000

/**
 * Memory files that other programs left in two versions, emptied or copied. Each is listed until the user
 * chooses.
 */
export function WaitingFiles(): ReactNode {
  const waiting = useView()?.waiting
  const { renew } = useAnswers()
  const hasFresh = waiting?.some(file => file.fresh) === true
  useEffect(() => {
    if (!hasFresh) return undefined
    const again = setTimeout(() => void renew(['memory']), LOOK_AGAIN_MS)
    return () => clearTimeout(again)
  }, [hasFresh, renew])
  return waiting?.filter(file => !file.fresh).map(file => <WaitingCard key={file.id} file={file} />)
}

type Keep = 'mine' | 'theirs' | 'both' | 'these'

/** The choices for a file, most likely first. */
function answersOf(file: WaitingFile): { keep: Keep; label: string }[] {
  const { kind, reason } = file
  if (kind === 'empty' || kind === 'missing')
    return [
      { keep: 'mine', label: 'Keep the entries' },
      { keep: 'theirs', label: 'Move them to the archive' },
    ]
  if (kind !== 'copy')
    return [
      { keep: 'mine', label: 'Keep mine' },
      { keep: 'theirs', label: 'Use theirs' },
      { keep: 'both', label: 'Keep both' },
    ]
  if (reason !== null || newEntries(file).length === 0)
    return [{ keep: 'mine', label: 'Do not show this again' }]
  return [
    { keep: 'both', label: 'Add the new entries' },
    { keep: 'mine', label: 'Ignore the copy' },
  ]
}

function headingOf(file: WaitingFile, name: string): string {
  switch (file.kind) {
    case 'conflict':
      return `Which version of ${name} is right?`
    case 'empty':
      return `${name} is empty`
    case 'missing':
      return `${name} is gone`
    case 'restless':
      return `Another program keeps changing ${name}`
    case 'copy':
      return newEntries(file).length === 0
        ? `${name} looks like a copy of your memory`
        : `${name} has new entries`
  }
}

function WaitingCard({ file }: { file: WaitingFile }) {
  const heading = useId()
  const placeName = usePlaceName()
  const { settle } = useMemoryActions()
  const [busy, setBusy] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const name = file.path.split(/[/\\]/u).at(-1) ?? file.path
  const fresh = newEntries(file)
  const choose = async (keep: Keep, entries: string[] = []) => {
    setBusy(true)
    await settle(file, keep, entries)
    setBusy(false)
  }
  const canChoose = file.kind !== 'empty' && file.kind !== 'missing' && fresh.length > 0
  return (
    <section aria-labelledby={heading} className="outside-card">
      <h2 id={heading} className="flex items-center gap-2 text-sm font-semibold">
        <Files size={16} className="shrink-0 text-warn" />
        <span className="min-w-0 break-words">{headingOf(file, name)}</span>
      </h2>
      <p className="text-sm break-words text-ink-2">{waitingWords(file, name)}</p>
      <p className="text-xs break-words text-ink-3">
        {placeName(file)} · <span dir="ltr">{file.path}</span>
      </p>
      {isChoosing ? (
        <ChosenEntries
          key={file.seen}
          file={file}
          busy={busy}
          onSave={entries => void choose('these', entries)}
          onCancel={() => setChoosing(false)}
        />
      ) : (
        <>
          {file.kind === 'copy' ? (
            fresh.length > 0 && <Version title="New in the copy" entries={fresh} others={[]} />
          ) : (
            <div className="versions">
              <Version
                title="Mine"
                label={file.mine.label}
                entries={file.mine.entries}
                others={file.theirs.entries}
              />
              {file.theirs.entries.length > 0 && (
                <Version
                  title="Theirs"
                  label={file.theirs.label}
                  entries={file.theirs.entries}
                  others={file.mine.entries}
                />
              )}
            </div>
          )}
          <div className="flex flex-wrap gap-2">
            {answersOf(file).map(({ keep, label }, at) => (
              <button
                key={keep}
                type="button"
                className={at === 0 ? 'btn btn-primary' : 'btn btn-secondary'}
                disabled={busy}
                onClick={() => void choose(keep)}
              >
                {label}
              </button>
            ))}
            {canChoose && (
              <button type="button" className="btn btn-secondary" onClick={() => setChoosing(true)}>
                Choose and edit…
              </button>
            )}
          </div>
        </>
      )}
    </section>
  )
}

type VersionProps = { title: string; label?: string; entries: readonly string[]; others: readonly string[] }

/** The entries of one version. Entries missing from the other version are highlighted. */
function Version({ title, label = '', entries, others }: VersionProps) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-xs font-medium break-words text-ink-3">
        {label === '' ? title : `${title} (${label})`}
      </h3>
      <Scrollable label={title} className="diff-block max-h-60 overflow-auto">
        {entries.length === 0 && <p className="text-ink-3">No entries.</p>}
        <ul className="grid gap-1.5">
          {entries.map(text => (
            <li key={text} dir="auto" className={others.includes(text) ? 'text-ink-3' : undefined}>
              {text}
            </li>
          ))}
        </ul>
      </Scrollable>
    </div>
  )
}
