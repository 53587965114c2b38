import { ChevronDown, ChevronUp, Wrench } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useActions } from '../../../use-actions.ts'
import { formatCount } from '../../../ui/text/format-values.ts'
import { Icon, IconButton } from '../../../ui/IconButton.tsx'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { useSettled } from '../../../rpc/use-answer.ts'
import { useChat, useOpenChat } from '../store/open-chats.ts'
import type { Finding } from './chat-find.ts'

/** How long to wait for the next key before the chat is searched, in ms. */
const TYPING_MS = 120

/** Offers the action to find text in the chat, and shows the bar while it is open. */
export function FindInChat(): ReactNode {
  const { view } = useOpenChat()
  const startFind = useChat(chat => chat.startFind)
  const hasBegun = useChat(chat => chat.messages.length > 0)
  const isOpen = useChat(chat => chat.finding !== null)
  const field = useRef<HTMLInputElement>(null)
  const back = useRef<{ return: () => void; focus: Element | null } | null>(null)
  const open = () => {
    if (isOpen) return field.current?.select()
    back.current = { return: view.place?.keep() ?? (() => {}), focus: document.activeElement }
    startFind(view.place?.topId() ?? 0)
  }
  useActions({ 'chat.find': hasBegun ? open : undefined })
  if (!isOpen) return null
  return <FindBar field={field} onReturn={() => leaveTo(back.current)} />
}

function leaveTo(back: { return: () => void; focus: Element | null } | null) {
  back?.return()
  if (back?.focus instanceof HTMLElement && back.focus !== document.body)
    back.focus.focus({ preventScroll: true })
  else document.querySelector<HTMLElement>('.transcript')?.focus({ preventScroll: true })
}

type Props = { field: React.RefObject<HTMLInputElement | null>; onReturn: () => void }

/**
 * Enter and Shift+Enter go to the next and previous match. Esc returns to the earlier position; the close
 * button stays at the match.
 */
function FindBar({ field, onReturn }: Props) {
  const finding = useChat(chat => chat.finding)!
  const { find, goToFind, endFind } = useChat(chat => chat)
  const [typed, setTyped] = useState(finding.query)
  const settled = useSettled(typed, TYPING_MS)
  useEffect(() => {
    field.current?.focus()
  }, [field])
  useEffect(() => {
    void find({ query: settled })
  }, [find, settled])

  const onKeyDown = (event: KeyboardEvent) => {
    if (isKey(event, 'enter') || isKey(event, 'f3')) void goToFind(1)
    else if (isKey(event, 'shift+enter') || isKey(event, 'shift+f3')) void goToFind(-1)
    else if (isKey(event, 'escape')) {
      endFind()
      onReturn()
    } else return
    event.preventDefault()
  }
  const hasFinds = finding.answer?.ok === true && finding.answer.value.total > 0
  return (
    // These keys work in the whole bar, whichever part has the focus.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <search aria-label="Find in this chat" className="find-bar" onKeyDown={onKeyDown}>
      <input
        ref={field}
        type="text"
        role="searchbox"
        dir="auto"
        aria-label="Find in this chat"
        placeholder="Find in this chat"
        maxLength={200}
        value={typed}
        className="find-field"
        onChange={event => setTyped(event.target.value)}
      />
      <output className="shrink-0 px-1 text-xs whitespace-nowrap text-ink-2">{countText(finding)}</output>
      <IconButton
        small
        label="Include tool results"
        aria-pressed={finding.tools}
        className={finding.tools ? 'bg-active text-ink' : ''}
        onClick={() => void find({ tools: !finding.tools })}
      >
        <Wrench size={16} />
      </IconButton>
      <IconButton small label="Previous match" disabled={!hasFinds} onClick={() => void goToFind(-1)}>
        <ChevronUp size={16} />
      </IconButton>
      <IconButton small label="Next match" disabled={!hasFinds} onClick={() => void goToFind(1)}>
        <ChevronDown size={16} />
      </IconButton>
      <IconButton
        small
        label="Close and stay here"
        onClick={() => {
          endFind()
          document.querySelector<HTMLElement>('.transcript')?.focus({ preventScroll: true })
        }}
      >
        <Icon name="close" size={14} />
      </IconButton>
    </search>
  )
}

function countText({ query, answer, at }: Finding): string {
  if (query.trim() === '') return ''
  if (!answer) return '…'
  if (!answer.ok) return answer.fault.message
  const { total, more } = answer.value
  if (total === 0) return 'Not found'
  return `${formatCount(at + 1)} of ${formatCount(total)}${more ? '+' : ''}`
}
