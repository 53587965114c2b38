import type { ReactNode } from 'react'
import { useChat } from './chats.ts'
import { Block } from './Block.tsx'
import type { Card } from './outcome.ts'

/** The arguments of a call, its result, and why it was allowed. */
export function ToolDetail({ card }: { card: Card }): ReactNode {
  const ran = card.phase !== 'denied' && !['not run', 'stopped'].includes(card.result?.allowed ?? '')
  return (
    <>
      <Arguments values={card.call.arguments} />
      {card.result ? (
        <Block label="Result" text={card.result.text} tone={card.phase === 'failed' ? 'danger' : 'plain'} />
      ) : (
        <LiveOutput callId={card.call.id} />
      )}
      {card.result && card.result.allowed !== '' && (
        <p className="text-xs text-ink-3">
          {ran ? 'Why it ran' : 'Why it did not run'}: {card.result.allowed}
        </p>
      )}
    </>
  )
}

/** Short values are shown inline, long ones in a block. */
function Arguments({ values }: { values: Readonly<Record<string, unknown>> }) {
  const entries = Object.entries(values).map(([name, value]) => [name, inWords(value)] as const)
  const short = entries.filter(([, text]) => !isLong(text))
  return (
    <>
      {short.length > 0 && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-xs">
          {short.map(([name, text]) => (
            <div key={name} className="contents">
              <dt className="text-ink-3">{name}</dt>
              <dd dir="ltr" className="min-w-0 font-mono break-words text-ink">
                {text}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {entries
        .filter(([, text]) => isLong(text))
        .map(([name, text]) => (
          <Block key={name} label={name} text={text} />
        ))}
    </>
  )
}

const isLong = (text: string) => text.length > 160 || text.includes('\n')
const inWords = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))

function LiveOutput({ callId }: { callId: string }) {
  const output = useChat(chat => chat.live.outputs[callId] ?? '')
  return output === '' ? null : <Block label="Output so far" text={output} live />
}
