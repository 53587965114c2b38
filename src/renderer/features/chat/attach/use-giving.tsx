import { Paperclip } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ClipboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { formatCount } from '../../../ui/text/format-values.ts'
import { givenOf, quoteTexts, wordsOf, type Given } from '../../../ui/given-files.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { cx } from '../../../ui/style.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { attemptCall } from '../../../rpc/attempt.ts'
import { useLink } from '../../../rpc/host-context.tsx'
import { useOpenChat } from '../store/open-chats.ts'

/** Maximum length of pasted text, in characters; longer text becomes an attachment. */
const LONG_PASTE = 8_000

const NOTHING = 'Nothing was pasted: the clipboard contains no text or files.'
const NO_WORDS =
  'Nothing was pasted: the clipboard contains no text. Save the picture as a file, or copy only the picture.'

type Note = { says: string; undo?: (() => void) | undefined }

type Giving = {
  /** A note on what was not pasted, or was attached instead, with a button that reverses it. */
  note: ReactNode
  /** The button that chooses files. */
  button: ReactNode
  onPaste: (event: ClipboardEvent) => void
  takeText: (hash: string) => Promise<void>
  insert: (text: string) => void
}

/** Ways to attach files in a chat: drop them on it, paste them, or choose them. Long pasted texts are attached, too. */
export function useGiving(field: RefObject<HTMLTextAreaElement | null>): Giving {
  const { store } = useOpenChat()
  const { client } = useLink()
  const [note, setNote] = useState<Note | null>(null)

  function insert(added: string) {
    const { draft, setDraft } = store.getState()
    const at = field.current?.selectionEnd ?? draft.length
    const [before, after] = [draft.slice(0, at), draft.slice(at)]
    const gap = before === '' || before.endsWith('\n') ? '' : '\n'
    setDraft(`${before}${gap}${added}${after}`)
    field.current?.focus()
    const end = before.length + gap.length + added.length
    requestAnimationFrame(() => field.current?.setSelectionRange(end, end))
  }

  async function attach(given: readonly Given[]) {
    setNote(null)
    field.current?.focus()
    await store.getState().attach(given)
  }

  async function attachText(text: string) {
    const before = new Set(store.getState().unsent.map(({ hash }) => hash))
    const name = freeName('Pasted text', '.txt', [...store.getState().unsent])
    const file = new File([text], name, { type: 'text/plain' })
    const isIn = await store.getState().attach([{ name, file, isFolder: false, path: '' }])
    if (!isIn) return
    const added = store.getState().unsent.find(({ hash }) => !before.has(hash))
    setNote({
      says: `The pasted text has ${formatCount(text.length)} characters, so it was attached.`,
      undo: added && (() => void putBack(added.hash, text)),
    })
  }

  async function putBack(hash: string, text: string) {
    setNote(null)
    insert(text)
    await store.getState().takeBack(hash)
  }

  /** Puts the text of an attachment into the message instead. */
  async function takeText(hash: string) {
    const { sessionId, unsent, takeBack } = store.getState()
    const attachment = unsent.find(each => each.hash === hash)
    if (sessionId === null || !attachment) return
    const read = await attemptCall(readWhole(sessionId, hash))
    if (!read.ok) return showToast(read.fault.message, { level: 'error' })
    const { name } = attachment
    insert(name.startsWith('Pasted text') ? read.value : quoteTexts([{ name, text: read.value }]))
    await takeBack(hash)
  }

  async function readWhole(sessionId: string, hash: string): Promise<string> {
    let text = ''
    let next: { from: number; offset: number } | null = { from: 1, offset: 0 }
    while (next) {
      const part: Awaited<ReturnType<(typeof client)['attachment.text']>> = await client['attachment.text']({
        sessionId,
        hash,
        ...next,
      })
      text += part.pages.map(page => page.text).join('\n')
      next = part.next
    }
    return text
  }

  const onDrop = useEffectEvent((event: DragEvent) => {
    // The window has already handled model files.
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    const given = givenOf(event.dataTransfer, window.desktop?.pathOf)
    const isOnField = event.target instanceof Element && event.target.closest('[data-takes-files]') !== null
    // In the desktop app a folder may hold models, which the window looks for.
    if (given.length === 0 || (!isOnField && window.desktop && given.some(each => each.isFolder))) return
    event.preventDefault()
    void attach(given)
  })
  useEffect(() => {
    const area = field.current?.closest('main')
    const listener = (event: DragEvent) => onDrop(event)
    area?.addEventListener('drop', listener)
    return () => area?.removeEventListener('drop', listener)
  }, [field])

  function onPaste(event: ClipboardEvent) {
    const data = event.clipboardData
    const text = data.getData('text/plain')
    if (text.length > LONG_PASTE) {
      event.preventDefault()
      return void attachText(text)
    }
    if (text !== '') return setNote(null)
    const given = givenOf(data, window.desktop?.pathOf).map(each => named(each, store.getState().unsent))
    const html = data.getData('text/html')
    event.preventDefault()
    if (given.length > 0) return void attach(given)
    const words = html === '' ? '' : wordsOf(html)
    if (words.length > LONG_PASTE) void attachText(words)
    else if (words !== '') insert(words)
    else setNote({ says: html === '' ? NOTHING : NO_WORDS })
  }

  return {
    note: <NoteLine note={note} />,
    button: <AttachButton onChosen={given => void attach(given)} />,
    onPaste,
    takeText,
    insert,
  }
}

function NoteLine({ note }: { note: Note | null }) {
  return (
    <div className={cx(note ? 'flex flex-wrap items-baseline gap-x-2 px-2.5 pb-1.5' : 'sr-only')}>
      <output className="min-w-0 text-sm break-words text-ink-2">{note?.says ?? ''}</output>
      {note?.undo && (
        <button type="button" className="btn btn-quiet min-h-6 px-2 text-sm text-accent" onClick={note.undo}>
          Put it into the message
        </button>
      )}
    </div>
  )
}

/** A button that chooses files of this computer. */
function AttachButton({ onChosen }: { onChosen: (given: readonly Given[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton label="Attach files" className="shrink-0" onClick={() => input.current?.click()}>
        <Paperclip size={16} />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={event => {
          const { files } = event.target
          onChosen(
            Array.from(files ?? [], file => ({
              name: file.name,
              file,
              isFolder: false,
              path: window.desktop?.pathOf(file) ?? '',
            })),
          )
          // Lets the user choose the same file again.
          event.target.value = ''
        }}
      />
    </>
  )
}

/** Rename a pasted picture: browsers name all of them “image”. */
function named(given: Given, unsent: readonly { name: string }[]): Given {
  const [, end] = /^image(\.\w+)$/.exec(given.name) ?? []
  return end === undefined || given.path !== ''
    ? given
    : { ...given, name: freeName('Pasted picture', end, unsent) }
}

function freeName(start: string, end: string, taken: readonly { name: string }[]): string {
  const names = new Set(taken.map(({ name }) => name))
  if (!names.has(`${start}${end}`)) return `${start}${end}`
  for (let next = 2; ; next++) {
    const name = `${start} ${next}${end}`
    if (!names.has(name)) return name
  }
}
