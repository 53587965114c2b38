import {
  useEffect,
  useEffectEvent,
  useState,
  type ClipboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { givenOf, wordsOf, type Given } from '../../ui/given-files.ts'
import { cx } from '../../ui/style.ts'

type Field = {
  field: RefObject<HTMLTextAreaElement | null>
  /** The current text of the field. */
  text: string
  setText: (text: string) => void
  /** Called with the files that were pasted or dropped. */
  take: (given: readonly Given[]) => void
}

type Note = { says: string; text: string }

const NOTHING = 'Nothing was pasted: the clipboard contains no text or files.'
const NO_WORDS =
  'Nothing was pasted: the clipboard contains no text. Save the picture as a file, or copy only the picture.'

/**
 * Handles paste and drop in a message field: files are taken, formatted text is inserted as plain text, and a
 * note below the field says what was not pasted, until the user types.
 */
export function useGivenFiles({ field, text, setText, take }: Field): {
  note: ReactNode
  onPaste: (event: ClipboardEvent) => void
} {
  const [note, setNote] = useState<Note | null>(null)
  function insert(added: string) {
    const at = field.current?.selectionEnd ?? text.length
    const [before, after] = [text.slice(0, at), text.slice(at)]
    const gap = before === '' || before.endsWith('\n') ? '' : '\n'
    const whole = `${before}${gap}${added}${after}`
    setText(whole)
    field.current?.focus()
    const end = whole.length - after.length
    requestAnimationFrame(() => field.current?.setSelectionRange(end, end))
  }
  const say = (says: string) => setNote({ says, text })
  const onDrop = useEffectEvent((event: DragEvent) => {
    // The window has already handled model files.
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    const given = givenOf(event.dataTransfer, window.desktop?.pathOf)
    const isOnField = event.target instanceof Element && event.target.closest('[data-takes-files]') !== null
    // In the desktop app a folder may hold models, which the window looks for.
    if (given.length === 0 || (!isOnField && window.desktop && given.some(each => each.isFolder))) return
    event.preventDefault()
    take(given)
  })
  useEffect(() => {
    const area = field.current?.closest('main')
    const listener = (event: DragEvent) => onDrop(event)
    area?.addEventListener('drop', listener)
    return () => area?.removeEventListener('drop', listener)
  }, [field])

  const isShown = note !== null && note.text === text
  return {
    note: (
      <div className={cx(isShown ? 'flex flex-wrap items-baseline gap-x-2 px-2.5 pb-1.5' : 'sr-only')}>
        <output className="min-w-0 text-sm break-words text-ink-2">{isShown ? note.says : ''}</output>
      </div>
    ),
    onPaste(event) {
      const data = event.clipboardData
      if (data.getData('text/plain') !== '') return
      const given = givenOf(data, window.desktop?.pathOf)
      const html = data.getData('text/html')
      event.preventDefault()
      if (given.length > 0) return take(given)
      const words = html === '' ? '' : wordsOf(html)
      if (words !== '') insert(words)
      else say(html === '' ? NOTHING : NO_WORDS)
    },
  }
}
