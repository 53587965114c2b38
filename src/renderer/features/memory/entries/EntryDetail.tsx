import { useId, type ReactNode } from 'react'
import type { MemoryEntry, MemoryRevision } from '../../../../shared/contract/learned/memory.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Icon, IconButton } from '../../../ui/IconButton.tsx'
import { useAnswer, type Paged } from '../../../rpc/use-answer.ts'
import { When } from '../../../ui/text/InlineText.tsx'
import { goTo } from '../../../route.ts'
import { WordDiff } from '../../../ui/text/TextDiff.tsx'
import { useEntry, usePlaceName, useMemoryActions, useRevisions, useView } from '../use-memory.ts'
import { SimilarEntries } from './SimilarEntries.tsx'
import { usesText, actorNames, changeLabels } from './entry-labels.tsx'
import { Problem } from '../../../ui/Banner.tsx'
import { More } from '../../../ui/Progress.tsx'

type Props = { id: string; onClose: () => void }

/** The details of an entry, beside the list. */
export function EntryAside({ id, onClose }: Props): ReactNode {
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
export function EntryDialog({ id, onClose }: Props): ReactNode {
  return (
    <Dialog title="Entry" closeLabel="Close" onClose={onClose} width="medium">
      <Detail id={id} />
    </Dialog>
  )
}

function Detail({ id }: { id: string }) {
  const entry = useEntry(id)
  const isLoaded = useView() !== null
  const versions = useRevisions(id)
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
      {entry && <SimilarEntries entry={entry} />}
      <Versions versions={versions} present={entry} />
    </div>
  )
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

const whoWroteIt = {
  you: 'You wrote it here.',
  agent: 'The agent saved it.',
  review: 'A review of a chat saved it.',
  file: 'Another program added it to the file.',
  import: 'It came with an import.',
}

/** The author of an entry, and the message it was learned from. */
function Source({ entry }: { entry: MemoryEntry }): ReactNode {
  const { sessionId, messageId, origin } = entry
  return (
    <section className="grid gap-2">
      <h3 className="text-xs font-medium text-ink-3">Where it came from</h3>
      <p className="text-sm">{whoWroteIt[origin]}</p>
      {sessionId !== null && messageId !== null && <Quote sessionId={sessionId} messageId={messageId} />}
      {sessionId !== null && (
        <button
          type="button"
          className="btn btn-secondary justify-self-start"
          onClick={() => goTo({ chatId: sessionId, messageId })}
        >
          Open the chat at this message
        </button>
      )}
    </section>
  )
}

function Quote({ sessionId, messageId }: { sessionId: string; messageId: number }) {
  const answer = useAnswer('session.messages', { id: sessionId, before: messageId + 1, limit: 1 })
  if (!answer) return null
  if (!answer.ok) {
    const why =
      answer.fault.code === 'not_found' ? 'The chat it came from was deleted.' : answer.fault.message
    return <p className="text-sm text-ink-3">{why}</p>
  }
  const [message] = answer.value.messages
  if (message?.id !== messageId) return <p className="text-sm text-ink-3">The message no longer exists.</p>
  return (
    <blockquote
      aria-label="What was said"
      dir="auto"
      className="line-clamp-6 border-s-3 border-line-strong ps-3 text-sm break-words whitespace-pre-wrap text-ink-2"
    >
      {message.text}
    </blockquote>
  )
}

type VersionsProps = { versions: Paged<MemoryRevision>; present: MemoryEntry | undefined }

/** The versions of an entry, newest first, each with a diff and Restore. */
function Versions({ versions, present }: VersionsProps): ReactNode {
  const { restore } = useMemoryActions()
  const texts = versions.items?.filter(each => ['add', 'edit', 'restore', 'remove'].includes(each.op)) ?? []
  return (
    <section className="grid gap-2">
      <h3 className="text-xs font-medium text-ink-3">Versions</h3>
      {versions.problem !== null && <Problem text={`The versions could not be read: ${versions.problem}`} />}
      <ol className="grid gap-3">
        {texts.map((each, index) => {
          const isPresent = index === 0 && each.after !== null && each.after === present?.text
          return (
            <li key={each.id} className="grid gap-1.5 border-s-2 border-line ps-3">
              <p className="text-xs text-ink-3">
                {changeLabels[each.op](actorNames[each.actor])} · <When at={each.at} />
                {isPresent && ' · current version'}
              </p>
              <p className="text-sm">
                <WordDiff before={each.before} after={each.after} />
              </p>
              {!isPresent && each.after !== null && each.after !== present?.text && (
                <button
                  type="button"
                  className="btn btn-secondary justify-self-start"
                  onClick={() => void restore(each, 'after')}
                >
                  Restore this version
                </button>
              )}
            </li>
          )
        })}
      </ol>
      <More list={versions} />
    </section>
  )
}
