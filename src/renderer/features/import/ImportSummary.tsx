import { useId, type ReactNode } from 'react'
import type { ImportPreview } from '../../../shared/contract/import.ts'
import { formatCount, plural } from '../../ui/format.ts'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { countChats, countMemories } from './import-store.ts'

type Props = { chats: number; messages: number; memories: number; known?: number }

/** Counts of chats, messages and memories. `known` chats already exist here. */
export function Counts({ chats, messages, memories, known = 0 }: Props): ReactNode {
  const rows = [
    ['Chats', chats],
    ['Messages', messages],
    ['Memories', memories],
  ] as const
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm">
      {rows.map(([name, count]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="tabular-nums">
            {formatCount(count)}{' '}
            {name === 'Chats' && known > 0 && (
              <span className="text-ink-3">{`(${formatCount(known)} already here)`}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Labels for the kinds of item the host skips. Any other name is a file. */
const things: Record<string, (count: number) => string> = {
  chat: countChats,
  message: count => plural(count, '1 message', 'messages'),
  memory: countMemories,
  attachment: count => plural(count, '1 attachment', 'attachments'),
  entry: count => plural(count, '1 entry', 'entries'),
}

/** Lists what is skipped, and why. */
export function LeftOut({ skipped }: { skipped: ImportPreview['skipped'] }): ReactNode {
  const id = useId()
  if (skipped.length === 0) return null
  return (
    <section>
      <h4 id={id} className="mb-1 text-xs font-medium text-ink-2">
        Left out
      </h4>
      <Scrollable label="Left out" className="max-h-36 overflow-y-auto">
        <ul aria-labelledby={id} className="grid gap-1 text-sm">
          {skipped.map(({ what, why, count }) => (
            <li key={`${what}\n${why}`} className="break-words">
              {things[what]?.(count) ?? (count === 1 ? what : `${what} (${formatCount(count)})`)}
              <span className="text-ink-3">: {why}</span>
            </li>
          ))}
        </ul>
      </Scrollable>
    </section>
  )
}
