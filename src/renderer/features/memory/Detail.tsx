import { useId, type ReactNode } from 'react'
import type { MemoryEntry, MemoryRevision } from '../../../shared/contract/memory.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { useEntry, useMemory, usePlaceName } from './memory-context.ts'
import { Similar } from './Similar.tsx'
import { Source } from './Source.tsx'
import { usePaged } from '../../rpc/use-asked.ts'
import { Versions } from './Versions.tsx'
import { When } from '../../ui/InlineText.tsx'
import { usesText } from './entry-texts.ts'

type Props = { id: string; onClose: () => void }

/** The details of an entry, beside the list. */
export function DetailAside({ id, onClose }: Props): ReactNode {
  const heading = useId()
  return (
    <aside aria-labelledby={heading} className="detail-aside">
      <header className="mb-3 flex items-center justify-between">
        <h2 id={heading} className="text-sm font-semibold">
          Entry
        </h2>
        <IconButton label="Close" onClick={onClose} className="-me-2">
          <Icon name="close" />
        </IconButton>
      </header>
      <Detail id={id} />
    </aside>
  )
}

/** The details of an entry as a dialog, for narrow windows. */
export function DetailDialog({ id, onClose }: Props): ReactNode {
  return (
    <Dialog title="Entry" closeLabel="Close" onClose={onClose} width="medium">
      <Detail id={id} />
    </Dialog>
  )
}

function Detail({ id }: { id: string }) {
  const entry = useEntry(id)
  const isLoaded = useMemory(memory => memory.view !== null)
  const history = useMemory(memory => memory.history)
  const loadedAt = useMemory(memory => memory.loadedAt)
  const versions = usePaged<MemoryRevision>(
    (known, limit, signal) => history({ entryId: id, limit, ...olderThan(known) }, signal),
    `${id} ${loadedAt}`,
  )
  const last = versions.items?.find(revision => revision.before !== null && revision.op === 'remove')
  const isGone = isLoaded && !entry && versions.items?.length === 0
  if (isGone) return <p className="text-sm text-ink-3">This entry does not exist.</p>
  return (
    <div className="grid gap-5">
      {isLoaded && !entry && <p className="text-sm text-warn">This entry is in the archive.</p>}
      <p dir="auto" className="text-base break-words whitespace-pre-wrap">
        {entry?.text ?? last?.before}
      </p>
      {entry && <Source entry={entry} />}
      {entry && <Facts entry={entry} />}
      {entry && <Similar entry={entry} />}
      <Versions versions={versions} present={entry} />
    </div>
  )
}

/** The cursor for the next page of a history. */
export const olderThan = (known: readonly { id: number }[]): { before?: number } => {
  const last = known.at(-1)
  return last ? { before: last.id } : {}
}

function Facts({ entry }: { entry: MemoryEntry }) {
  const placeName = usePlaceName()
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Place', placeName(entry)],
    ['Written', <When key="created" at={entry.createdAt} />],
    ['Changed', <When key="updated" at={entry.updatedAt} />],
    ['Used', usesText(entry.uses)],
    ...(entry.lastUsedAt === null ? [] : [['Last used', <When key="used" at={entry.lastUsedAt} />] as const]),
  ]
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
