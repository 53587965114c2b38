import { useId, type ReactNode } from 'react'
import type { MemoryEntry, MemoryRevision } from '../../../shared/contract/memory.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useEntry, useMemory, usePlaceName } from './memory-context.ts'
import { Similar } from './Similar.tsx'
import { Source } from './Source.tsx'
import { memoryText } from './strings.ts'
import { usePaged } from '../../rpc/use-asked.ts'
import { Versions } from './Versions.tsx'
import { When } from '../../ui/When.tsx'

type Props = { id: string; onClose: () => void }

const text = memoryText.detail

/** An entry in full, beside the list. */
export function DetailAside({ id, onClose }: Props): ReactNode {
  const heading = useId()
  return (
    <aside aria-labelledby={heading} className="detail-aside">
      <header className="mb-3 flex items-center justify-between">
        <h2 id={heading} className="text-sm font-semibold">
          {text.title}
        </h2>
        <IconButton label={memoryText.close} onClick={onClose} className="-me-2">
          <Icon name="close" />
        </IconButton>
      </header>
      <Detail id={id} />
    </aside>
  )
}

/** An entry in full, above a list that has no room beside it. */
export function DetailDialog({ id, onClose }: Props): ReactNode {
  return (
    <Dialog title={text.title} closeLabel={memoryText.close} onClose={onClose} width="medium">
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
  if (isGone) return <p className="text-sm text-ink-3">{text.gone}</p>
  return (
    <div className="grid gap-5">
      {isLoaded && !entry && <p className="text-sm text-warn">{text.archived}</p>}
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

/** The end of what is known of a history, to go on from. */
export const olderThan = (known: readonly { id: number }[]): { before?: number } => {
  const last = known.at(-1)
  return last ? { before: last.id } : {}
}

function Facts({ entry }: { entry: MemoryEntry }) {
  const placeName = usePlaceName()
  const facts: readonly (readonly [string, ReactNode])[] = [
    [text.place, placeName(entry)],
    [text.created, <When key="created" at={entry.createdAt} />],
    [text.updated, <When key="updated" at={entry.updatedAt} />],
    [text.used, memoryText.row.uses(entry.uses)],
    ...(entry.lastUsedAt === null
      ? []
      : [[text.lastUsed, <When key="used" at={entry.lastUsedAt} />] as const]),
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
