import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { useLastValue, useReading, useSettled } from '../../../rpc/use-answer.ts'
import { countOf, formatBytes } from '../../../ui/text/format-values.ts'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { cx } from '../../../ui/style.ts'
import { useChat, useOpenChat } from '../store/open-chats.ts'
import { fileWord, withoutWord } from './file-word.ts'

type Offer = { path: string; bytes: number }
/** The open menu: its entries, and the one that Enter accepts. */
export type FileMenuState = {
  id: string
  offers: readonly Offer[]
  more: boolean
  at: number
  optionId: (index: number) => string
  point: (index: number) => void
  choose: (offer: Offer) => void
}

/** The list of files above the message field. The field keeps the focus. */
export function FileMenu({ menu }: { menu: FileMenuState }): ReactNode {
  const { id, offers, more, at, optionId, point, choose } = menu
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    // A press in the menu must not take the focus from the field.
    <div role="presentation" className="slash-menu" onMouseDown={event => event.preventDefault()}>
      {/* HTML has no element for a list controlled by another field. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div ref={list} id={id} role="listbox" tabIndex={0} aria-label="Files in this folder">
        {offers.map((offer, index) => (
          // The field handles the keys and names the active option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={offer.path}
            id={optionId(index)}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
            role="option"
            aria-selected={index === at}
            className={cx('slash-option', index === at && 'bg-hover')}
            onPointerMove={() => index !== at && point(index)}
            onClick={() => choose(offer)}
          >
            <span dir="auto" className="max-w-3/5 shrink-0 truncate font-medium text-ink">
              {showHidden(nameOf(offer.path))}
            </span>
            <span dir="auto" className="min-w-0 flex-1 truncate text-ink-2">
              {showHidden(folderOf(offer.path))}
            </span>
            <span className="shrink-0 text-xs text-ink-3">{formatBytes(offer.bytes)}</span>
          </div>
        ))}
      </div>
      <p className="px-2.5 py-1 text-xs text-ink-3">
        {more ? 'Enter attaches. Keep typing to find others.' : 'Enter attaches, Esc closes.'}
      </p>
      <output className="sr-only">{`${countOf(offers.length, 'file', 'files')}. The arrow keys choose, Enter attaches, Esc closes the list.`}</output>
    </div>
  )
}

/** The last typed state: text, caret, and whether the list was closed for it. */
type Typed = { text: string; caret: number; closed: boolean; at: number }
const NOTHING_TYPED: Typed = { text: '', caret: 0, closed: false, at: 0 }

/** The menu opened by an @ in a message: files in the chat’s folder. Choosing one attaches it. */
export function useFileMenu(field: RefObject<HTMLTextAreaElement | null>): {
  menu: FileMenuState | null
  onText: (text: string, caret: number) => void
  onBlur: () => void
  /** Returns true if the menu handled the key. */
  onKey: (event: KeyboardEvent) => boolean
} {
  const { store } = useOpenChat()
  const draft = useChat(chat => chat.draft)
  const id = useId()
  const [typed, setTyped] = useState(NOTHING_TYPED)
  const word = typed.text === draft && !typed.closed ? fileWord(draft, typed.caret) : undefined
  const query = useSettled(word?.query, 80)
  const { value } = useReading(
    {
      queryKey: ['attachment.files', { id, query }],
      queryFn: ({ signal }) => (query === undefined ? null : store.getState().findFiles(query, signal)),
    },
    { isBrief: true },
  )
  const found = useLastValue(value)
  // The matches of a shorter word stay until the next ones arrive, and Enter may be pressed before that.
  const words = (word?.query ?? '').toLowerCase().split(/\s+/)
  const isMeant = ({ path }: Offer) => words.every(each => path.toLowerCase().includes(each))
  const offers = word && query !== undefined && found?.ok ? found.value.files.filter(isMeant) : []
  const at = Math.min(typed.at, offers.length - 1)

  function choose({ path }: Offer) {
    if (!word) return
    const { text, caret } = withoutWord(draft, word, nameOf(path))
    store.getState().setDraft(text)
    setTyped(NOTHING_TYPED)
    field.current?.focus()
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret))
    const name = nameOf(path)
    void store.getState().attach([{ name, path, file: new File([], name), isFolder: false }])
  }
  const point = (index: number) => setTyped({ ...typed, at: index })

  return {
    menu:
      offers.length === 0
        ? null
        : {
            id,
            offers,
            more: found?.ok === true && found.value.more,
            at,
            optionId: index => `${id}-${index}`,
            point,
            choose,
          },
    onText(text, caret) {
      const now = fileWord(text, caret)
      const isSame = now !== undefined && now.start === fileWord(typed.text, typed.caret)?.start
      setTyped({ text, caret, at: 0, closed: typed.closed && isSame })
    },
    onBlur: () => setTyped(NOTHING_TYPED),
    onKey(event) {
      if (offers.length === 0) return false
      if (isKey(event, 'arrowdown')) point((at + 1) % offers.length)
      else if (isKey(event, 'arrowup')) point((at - 1 + offers.length) % offers.length)
      else if (isKey(event, 'enter') || isKey(event, 'tab')) choose(offers[at]!)
      else if (isKey(event, 'escape')) setTyped({ ...typed, closed: true })
      else {
        // The caret leaves the word, and with Shift+Tab the field.
        if (['arrowleft', 'arrowright', 'home', 'end', 'shift+tab'].some(key => isKey(event, key)))
          setTyped(NOTHING_TYPED)
        return false
      }
      return true
    },
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
