import {
  useEffect,
  useEffectEvent,
  useState,
  type ClipboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { describeTaken, givenOf, quoteTexts, takeTexts, wordsOf, type Given } from './given-files.ts'
import { cx } from './style.ts'

type Field = {
  field: RefObject<HTMLTextAreaElement | null>
  /** What is in the field now. */
  text: string
  setText: (text: string) => void
  /** Characters that a message can have. */
  most: number
}

type Note = { says: string; paths: readonly string[]; text: string }

const NOTHING = 'Nothing was pasted: the clipboard holds no text.'
const NO_WORDS =
  'Nothing was pasted: what is in the clipboard has no words. A picture can be described, or saved and named by its path.'

/**
 * Pasting and dropping into a message field. The texts of files are put in, and what cannot be sent is said below the field, with what
 * can be done instead, until the person writes on. Nothing that was written is lost.
 */
export function useGivenFiles({ field, text, setText, most }: Field): {
  note: ReactNode
  onPaste: (event: ClipboardEvent) => void
} {
  const [note, setNote] = useState<Note | null>(null)
  // Reading takes a moment, in which the person may write on.
  const insert = useEffectEvent((added: string): string => {
    const at = field.current?.selectionEnd ?? text.length
    const [before, after] = [text.slice(0, at), text.slice(at)]
    const gap = before === '' || before.endsWith('\n') ? '' : '\n'
    const whole = `${before}${gap}${added}${after}`
    setText(whole)
    field.current?.focus()
    const end = whole.length - after.length
    requestAnimationFrame(() => field.current?.setSelectionRange(end, end))
    return whole
  })
  const say = useEffectEvent((says: string, paths: readonly string[], added: string) => {
    setNote({ says, paths, text: added === '' ? text : insert(added) })
  })
  const take = useEffectEvent(async (given: readonly Given[], how: 'pasted' | 'dropped') => {
    const taken = await takeTexts(given, Math.max(0, most - text.length))
    const left = new Set(taken.left.map(each => each.name))
    const paths = given.filter(each => left.has(each.name) && each.path !== '').map(each => each.path)
    say(describeTaken(taken, how), paths, taken.texts.length === 0 ? '' : quoteTexts(taken.texts))
  })
  const onDrop = useEffectEvent((event: DragEvent) => {
    // Model files were taken by the window already.
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    const given = givenOf(event.dataTransfer, window.desktop?.pathOf)
    const isOnField = event.target instanceof Element && event.target.closest('[data-takes-files]') !== null
    // In the desktop app a folder may hold models, which the window looks for.
    if (given.length === 0 || (!isOnField && window.desktop && given.some(each => each.isFolder))) return
    event.preventDefault()
    void take(given, 'dropped')
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
        {isShown && note.paths.length > 0 && (
          <button
            type="button"
            className="btn btn-secondary mt-1 px-2.5 py-0.5 text-sm"
            onClick={() => {
              insert(note.paths.join('\n'))
              setNote(null)
            }}
          >
            {note.paths.length === 1 ? 'Write its path' : 'Write their paths'}
          </button>
        )}
      </div>
    ),
    onPaste(event) {
      const data = event.clipboardData
      if (data.getData('text/plain') !== '') return
      const given = givenOf(data, window.desktop?.pathOf)
      const html = data.getData('text/html')
      event.preventDefault()
      if (given.length > 0) return void take(given, 'pasted')
      const words = html === '' ? '' : wordsOf(html)
      if (words !== '') insert(words)
      else say(html === '' ? NOTHING : NO_WORDS, [], '')
    },
  }
}
