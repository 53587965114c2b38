import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { MAX_MESSAGE_CHARS, tooLongText } from '../../../shared/contract/messages.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { useGivenFiles } from '../../ui/GivenNote.tsx'
import { isKey } from '../../ui/keys.ts'
import { cx } from '../../ui/style.ts'

/** The small window for one question. The answer appears in the main window. */
export function QuickWindow(): ReactNode {
  const model = useHost(host => host.models.find(each => each.id === host.defaultModelId)?.name)
  const connected = useHost(host => host.hello !== null)
  const [text, setText] = useState('')
  const { busy, problem: refused, send } = useSend(() => setText(''))
  const field = useRef<HTMLTextAreaElement>(null)
  const given = useGivenFiles({ field, text, setText, most: MAX_MESSAGE_CHARS })
  const { length } = text.trim()
  const isTooLong = length > MAX_MESSAGE_CHARS
  const problem = isTooLong ? tooLongText(length) : refused
  const isReady = connected && !busy && length > 0 && !isTooLong

  const onKeyDown = (event: KeyboardEvent) => {
    // Ignore the Enter that confirms an input-method choice.
    if (event.nativeEvent.isComposing) return
    if (isKey(event, 'escape')) window.close()
    if (!isKey(event, 'enter')) return
    event.preventDefault()
    if (isReady) void send(text.trim())
  }
  return (
    <main className="flex h-dvh flex-col gap-2 bg-canvas p-3">
      <h1 className="sr-only">Ask Talaria</h1>
      <label className="sr-only" htmlFor="quick-text">
        Your question
      </label>
      <textarea
        ref={field}
        id="quick-text"
        dir="auto"
        // The window exists for this field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        placeholder="Ask Talaria"
        className="field min-h-0 flex-1 resize-none"
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={given.onPaste}
      />
      {given.note}
      <div className="flex items-center gap-2">
        <p
          role={problem === '' ? undefined : 'alert'}
          className={cx('min-w-0 flex-1 text-xs', problem === '' ? 'truncate text-ink-3' : 'text-danger')}
        >
          {problem === '' ? `${model ?? 'The model'} answers in the main window. Esc closes.` : problem}
        </p>
        {busy && <Spinner />}
        <button
          type="button"
          className="btn btn-primary"
          disabled={!isReady}
          onClick={() => void send(text.trim())}
        >
          Send
        </button>
      </div>
    </main>
  )
}

/** Sends a message in a new chat, and shows that chat in the main window. */
function useSend(onSent: () => void) {
  const { client } = useLink()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async (text: string) => {
    setBusy(true)
    setProblem('')
    const sent = await attemptCall(ask(text))
    setBusy(false)
    if (sent.ok) onSent()
    else setProblem(sent.fault.message)
  }
  const ask = async (text: string) => {
    const { id } = await client['session.create']({})
    await client['chat.send']({ sessionId: id, text })
    await client['desktop.showChat']({ id })
  }
  return { busy, problem, send }
}
