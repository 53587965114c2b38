import type { ReactNode } from 'react'
import { importText } from './strings.ts'

type Props = { chats: number; messages: number; memories: number; known?: number }

/** How much there is of everything; `known` chats were there before. */
export function Counts({ chats, messages, memories, known = 0 }: Props): ReactNode {
  const { counts } = importText
  const rows = [
    [counts.chats, chats],
    [counts.messages, messages],
    [counts.memories, memories],
  ] as const
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm">
      {rows.map(([name, count]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="tabular-nums">
            {importText.count(count)}{' '}
            {name === counts.chats && known > 0 && (
              <span className="text-ink-3">{importText.known(known)}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
