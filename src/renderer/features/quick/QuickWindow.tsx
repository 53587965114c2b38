import { Paperclip, X } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { byCount } from '../../../shared/text/amounts.ts'
import { MAX_INLINE_BYTES, MOST_ATTACHMENTS } from '../../../shared/contract/chats/attachments.ts'
import { MAX_MESSAGE_CHARS, tooLongText } from '../../../shared/contract/chats/messages.ts'
import { Fault } from '../../../shared/rpc.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { useGivenFiles } from './GivenNote.tsx'
import { readBase64, type Given } from '../../ui/given-files.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { isKey } from '../../ui/keyboard/keys.ts'
import { cx } from '../../ui/style.ts'

/** The small window for one question. The answer appears in the main window. */
export function QuickWindow(): ReactNode {
  const model = useHost(host => host.models.find(each => each.id === host.defaultModelId)?.name)
  const connected = useHost(host => host.hello !== null)
  const [text, setText] = useState('')
  const [files, setFiles] = useState<readonly Given[]>([])
  const {
    busy,
    problem: refused,
    send,
  } = useSend(() => {
    setText('')
    setFiles([])
  })
  const field = useRef<HTMLTextAreaElement>(null)
  const given = useGivenFiles({ field, text, setText, take: more => setFiles(before => addTo(before, more)) })
  const { length } = text.trim()
  const isTooLong = length > MAX_MESSAGE_CHARS
  const problem = isTooLong ? tooLongText(length) : refused
  const isReady = connected && !busy && (length > 0 || files.length > 0) && !isTooLong
  const sendNow = () => void send(text.trim(), files)

  const onKeyDown = (event: KeyboardEvent) => {
    // Ignore the Enter that confirms an input-method choice.
    if (isKey(event, 'escape')) window.close()
    if (!isKey(event, 'enter')) return
    event.preventDefault()
    if (isReady) sendNow()
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
      <GivenFiles files={files} onRemove={gone => setFiles(before => before.filter(each => each !== gone))} />
      <div className="flex items-center gap-2">
        <p
          role={problem === '' ? undefined : 'alert'}
          className={cx('min-w-0 flex-1 text-xs', problem === '' ? 'truncate text-ink-3' : 'text-danger')}
        >
          {problem === '' ? `${model ?? 'The model'} answers in the main window. Esc closes.` : problem}
        </p>
        {busy && <Spinner />}
        <button type="button" className="btn btn-primary" disabled={!isReady} onClick={sendNow}>
          Send
        </button>
      </div>
    </main>
  )
}

/** The files sent with the question. */
function GivenFiles({ files, onRemove }: { files: readonly Given[]; onRemove: (file: Given) => void }) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Files sent with the question" className="flex max-h-20 flex-wrap gap-1.5 overflow-y-auto">
      {files.map((each, index) => (
        // Two files may have the same name.
        <li
          key={`${index}:${each.name}`}
          className="flex max-w-full min-w-0 items-center gap-1 rounded-lg border border-line bg-sunken ps-2 text-xs"
        >
          <Paperclip size={12} className="shrink-0" aria-hidden="true" />
          <span dir="auto" className="truncate">
            {showHidden(each.name)}
          </span>
          <IconButton small label={`Remove ${showHidden(each.name)}`} onClick={() => onRemove(each)}>
            <X size={14} />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

/** Add files, with a name for pasted pictures, up to the maximum for a message. */
const addTo = (files: readonly Given[], more: readonly Given[]): readonly Given[] =>
  [
    ...files,
    ...more.map(each =>
      each.path === '' && /^image\.\w+$/.test(each.name)
        ? { ...each, name: each.name.replace('image', 'Pasted picture') }
        : each,
    ),
  ].slice(0, MOST_ATTACHMENTS)

/** Sends a message in a new chat, and shows that chat in the main window. */
function useSend(onSent: () => void) {
  const { client } = useLink()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async (text: string, files: readonly Given[]) => {
    setBusy(true)
    setProblem('')
    const sent = await attemptCall(ask(text, files))
    setBusy(false)
    if (sent.ok) onSent()
    else setProblem(sent.fault.message)
  }
  const ask = async (text: string, files: readonly Given[]) => {
    const { id } = await client['session.create']({})
    try {
      const attachments: string[] = []
      for (const each of files) attachments.push(await attach(id, each))
      const said = text === '' ? byCount(files.length, 'Here is a file.', 'Here are files.') : text
      await client['chat.send']({ sessionId: id, text: said, ...(files.length > 0 && { attachments }) })
    } catch (error) {
      // An unsent question stays in this window, and its empty chat is removed.
      if (files.length > 0) await attemptCall(client['session.remove']({ id }))
      throw error
    }
    await client['desktop.showChat']({ id })
  }
  const attach = async (sessionId: string, { name, path, file, isFolder }: Given): Promise<string> => {
    const cannot = (why: string) => new Fault('bad_input', `${name}: ${why}`)
    if (isFolder) throw cannot('A folder cannot be attached. Write its path so that tools can read it.')
    if (path !== '') return (await client['attachment.add']({ sessionId, from: { kind: 'path', path } })).hash
    if (file.size > MAX_INLINE_BYTES)
      throw cannot('It is too large to paste. Save it as a file and drop the file here.')
    const base64 = await readBase64(file)
    if (base64 === undefined) throw cannot('It cannot be read. Does it still exist?')
    return (await client['attachment.add']({ sessionId, from: { kind: 'bytes', name, base64 } })).hash
  }
  return { busy, problem, send }
}
