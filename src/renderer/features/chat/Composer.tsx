import { ArrowUp, Square } from 'lucide-react'
import { useEffect, useId, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { useHost } from '../../rpc/host-context.tsx'
import { cx } from '../../ui/cx.ts'
import { isKey, keyText } from '../../ui/keys.ts'
import { isBusy } from './chat-state.ts'
import { useChat } from './chats.ts'
import type { Offer } from './offered-skills.ts'
import { SlashMenu } from './SlashMenu.tsx'
import { chatText } from './strings.ts'
import { useSlashMenu } from './use-slash-menu.ts'

/** The most that the host takes at once, in characters. */
const MAX_LENGTH = 200_000

/** Texts that do something in the window instead of being sent. */
export type Commands = Readonly<Record<string, () => void>>

type Props = {
  commands: Commands
  field: RefObject<HTMLTextAreaElement | null>
  /** What stands at the start of the row below the text. */
  tools: ReactNode
}

/** Where messages are written. Its text lives in the chat, so it survives leaving and coming back. */
export function Composer({ commands, field, tools }: Props): ReactNode {
  const draft = useChat(chat => chat.draft)
  const setDraft = useChat(chat => chat.setDraft)
  const problem = useChat(chat => (chat.phase === 'failed' ? '' : chat.problem))
  const sendWith = useHost(host => host.settings.sendWith)
  const busy = useChat(chat => isBusy(chat) || chat.pending !== null)
  const send = useSend(commands)
  const hint = useId()
  const { composer: text } = chatText
  useFirstFocus(field)
  const slash = useSlashMenu({ draft, setDraft, commands: Object.keys(commands).map(asOffer) })

  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends the choice of a word in an input method is not meant for us; 229 is what old engines say.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (slash.onKey(event)) return event.preventDefault()
    const sends = isKey(event, 'mod+enter') || (sendWith === 'enter' && isKey(event, 'enter'))
    if (!sends) return
    event.preventDefault()
    send()
  }

  const tooLong = draft.length - MAX_LENGTH
  const note = tooLong > 0 ? text.tooLong(tooLong) : problem === '' ? '' : text.problem(problem)
  return (
    <section aria-label={text.label} className="composer">
      {slash.menu && <SlashMenu menu={slash.menu} />}
      {note !== '' && (
        <p role="alert" className="px-1 pb-1 text-sm text-danger">
          {note}
        </p>
      )}
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        value={draft}
        aria-label={text.label}
        aria-describedby={hint}
        placeholder={busy ? text.placeholderBusy : text.placeholder}
        // A field of several lines may not be a combobox, so it says the same of the list in its own way.
        aria-autocomplete="list"
        aria-controls={slash.menu?.id}
        aria-activedescendant={slash.menu ? slash.menu.optionId(slash.menu.at) : undefined}
        onChange={event => {
          setDraft(event.target.value)
          slash.onText(event.target.value)
        }}
        onBlur={slash.onBlur}
        onKeyDown={onKeyDown}
        className="composer-field"
      />
      {Object.hasOwn(commands, draft.trim()) && (
        <output className="block px-2.5 pb-1 text-xs text-ink-3">{text.hints[draft.trim()]}</output>
      )}
      <p id={hint} className="sr-only">
        {sendWith === 'enter' ? text.enterSends : text.modEnterSends(keyText('mod+enter'))}
      </p>
      <div className="flex items-end gap-2">
        <div className="flex min-w-0 flex-1 items-center gap-1">{tools}</div>
        <StopButton />
        <SendButton busy={busy} empty={draft.trim() === '' || tooLong > 0} onSend={send} />
      </div>
    </section>
  )
}

/** What a command does, for the list that a slash opens. */
const asOffer = (word: string): Offer => ({
  word,
  says: chatText.composer.commands[word] ?? '',
  kind: 'command',
  loads: 0,
})

/** Send the draft of the moment, if there is one; a draft that is a command is carried out instead. */
function useSend(commands: Commands): () => void {
  const draft = useChat(chat => chat.draft)
  const setDraft = useChat(chat => chat.setDraft)
  const send = useChat(chat => chat.send)
  return () => {
    const text = draft.trim()
    if (Object.hasOwn(commands, text)) {
      setDraft('')
      commands[text]!()
    } else if (text !== '' && draft.length <= MAX_LENGTH) void send(text)
  }
}

function SendButton({ busy, empty, onSend }: { busy: boolean; empty: boolean; onSend: () => void }) {
  if (busy && empty) return null
  const label = busy ? chatText.composer.queue : chatText.composer.send
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={empty}
      className="round-btn"
      onClick={onSend}
    >
      <ArrowUp size={18} strokeWidth={2.4} />
    </button>
  )
}

function StopButton() {
  const busy = useChat(chat => isBusy(chat) || chat.pending !== null)
  const stopping = useChat(chat => chat.stopping)
  const stop = useChat(chat => chat.stop)
  if (!busy) return null
  const label = stopping ? chatText.composer.stopping : chatText.composer.stop
  return (
    <button
      type="button"
      aria-label={label}
      title={`${label} (${keyText('escape')})`}
      disabled={stopping}
      className={cx('round-btn', 'round-btn-stop')}
      onClick={() => void stop()}
    >
      <Square size={13} fill="currentColor" />
    </button>
  )
}

/** Whoever opens a chat wants to write, unless they are somewhere else, such as in the list of chats by keyboard. */
function useFirstFocus(field: RefObject<HTMLTextAreaElement | null>) {
  useEffect(() => {
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
  }, [field])
}
