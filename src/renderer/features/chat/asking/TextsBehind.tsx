import { useState, type ReactNode } from 'react'
import type { StrangersText } from '../../../../shared/contract/runs/run.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { Block } from '../calls/CallDetail.tsx'

/** Maximum number of texts shown with their beginning; beyond that, only the sources are listed. */
const MOST_SHOWN = 5

/** The texts from outside that may have led to a question: source, call that read it, and beginning. */
export function TextsBehind({ texts }: { texts: readonly StrangersText[] }): ReactNode {
  const isMany = texts.length > MOST_SHOWN
  return (
    <section aria-label="Texts from outside" className="texts-behind">
      {isMany && <p>{`${texts.length} texts may have led to this question:`}</p>}
      <ul className={isMany ? 'max-h-48 overflow-y-auto' : undefined}>
        {texts.map(text => (
          <li key={text.id}>
            <OneText text={text} brief={isMany} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function OneText({ text, brief }: { text: StrangersText; brief: boolean }) {
  const { client } = useLink()
  const [whole, setWhole] = useState<string>()
  const [problem, setProblem] = useState('')
  const { source, call, beginning, sessionId, messageId } = text
  const open = async () => {
    if (sessionId === undefined || messageId === undefined) return
    const place = { id: sessionId, before: messageId + 1, limit: 1 }
    const read = await attemptCall(client['session.messages'](place))
    const message = read.ok ? read.value.messages[0] : undefined
    if (message?.id !== messageId)
      return setProblem(read.ok ? 'This chat no longer contains the text.' : read.fault.message)
    setWhole(message.role === 'user' ? (message.reports ?? message.text) : message.text)
  }
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="min-w-0 break-words text-ink">{`From ${showHidden(source)}`}</span>
        {call !== undefined && (
          <span dir="auto" className="min-w-0 text-xs break-words text-ink-3">
            {showHidden(call)}
          </span>
        )}
        {messageId !== undefined && whole === undefined && (
          <button type="button" className="link-btn text-xs" onClick={() => void open()}>
            Show the whole text
          </button>
        )}
      </p>
      {whole !== undefined ? (
        <Block label="The whole text" text={whole} diff={false} />
      ) : brief ? null : (
        <blockquote dir="auto">
          {showHidden(beginning) || 'This chat no longer contains the text.'}
        </blockquote>
      )}
      {problem !== '' && (
        <p role="alert" className="text-xs text-danger">
          {problem}
        </p>
      )}
    </>
  )
}
