import type { ReactNode } from 'react'
import { formatCount } from '../../ui/format.ts'

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
