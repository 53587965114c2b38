import { ArrowUp, Square } from 'lucide-react'
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { MAX_MESSAGE_CHARS, tooLongText } from '../../../../shared/contract/chats/messages.ts'
import { readMemoryCommand } from '../../../../shared/words/memory-words.ts'
import type { Template } from '../../../../shared/contract/chats/templates.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { cx } from '../../../ui/style.ts'
import { isKey, keyText } from '../../../ui/keyboard/keys.ts'
import { writeInto } from '../../../ui/fields/write-into.ts'
import { AttachmentChips, useFreeAttachments } from '../attach/AttachmentChips.tsx'
import { freeAttachments } from '../attach/chat-attachments.ts'
import { textFor } from '../attach/attachment-words.ts'
import { FileMenu, useFileMenu } from '../attach/FileMenu.tsx'
import { useGiving } from '../attach/use-giving.tsx'
import { currentTurn, isBusy, isSummarising } from '../store/chat-state.ts'
import { useChat, useOpenChat, useSession } from '../store/open-chats.ts'
import { DraftCounts, UnseenNote } from './DraftNotes.tsx'
import type { SlashOffer } from './known-skills.ts'
import { useRecalledMessages } from './recall-message.ts'
import { SlashMenu, useSlashMenu } from './SlashMenu.tsx'
import { TemplateForm } from './TemplateForm.tsx'
import { useFillTemplate, useLastSelection, useReadTemplates, useTemplates } from './use-templates.ts'

const commandHints = {
  '/context': 'Enter shows what the model sees; nothing is sent.',
  '/compact': 'Enter summarises older messages for the model; add what must not be lost.',
  '/undo':
    'Enter undoes your newest message and offers to undo its file changes; the message is kept as a branch.',
  '/retry': 'Enter answers your newest message again; the current answer is kept as a branch.',
  '/learn': 'Add the path of a folder or a text file, such as /learn docs/release.md.',
  '/remember':
    'Add what to remember about you, in your own words; Talaria saves it at once, without the model.',
  '/note':
    'Add a note; Talaria saves it at once, without the model. In a project, it is saved for that project.',
  '/forget': 'Add words from what you want forgotten, then choose from the matches.',
  '/schedule': 'Add when and what, such as /schedule every weekday at 8 summarise my notes.',
  '/web':
    'Add what to search for, such as /web high tide in Hamburg; you see the results without the model. /web on lets the model use the web in this chat.',
  '/personality': 'Add the name of a style, such as /personality brief; /personality off turns it off.',
} as Readonly<Record<string, string>>
const commandTexts = {
  '/context': 'Shows what the model sees',
  '/compact': 'Summarises older messages, for the model',
  '/undo': 'Undoes your newest message and offers to undo its file changes',
  '/retry': 'Answers your newest message again',
  '/learn': 'Proposes skills and notes from a text file or a folder',
  '/remember': 'Saves something about you at once',
  '/note': 'Saves a note at once',
  '/forget': 'Finds memories by words and asks which to forget',
  '/schedule': 'Runs a task automatically at the times you name',
  '/web': 'Searches the web and shows the results, without the model',
  '/personality': 'Choose an answering style for this chat',
} as Readonly<Record<string, string>>

const BUSY = 'Keep writing; the model reads it before its next step'
/** While a card is waiting, the model gets no messages. */
const WAITING = 'The card above is waiting; a message is sent after this answer'
const SUMMARISING = 'Keep writing; it is sent when the summary is done'

/** A message with files needs its own turn, because their texts are prepared at the start of a turn. */
const FILES_WAIT = 'A message with files is sent when this answer is done.'

/** Commands that the window runs itself. `/personality`, `/schedule` and `/web` take an argument. */
export type Commands = Readonly<Record<string, (argument: string) => void>>

type Props = {
  commands: Commands
  field: RefObject<HTMLTextAreaElement | null>
  /** Content at the start of the row below the text, where it wraps. */
  tools: ReactNode
  /** Content at the end of that row, before the buttons that send and stop. */
  figure?: ReactNode
}

/** The message field. Its text lives in the chat store, so it survives leaving and returning. */
export function Composer({ commands, field, tools, figure }: Props): ReactNode {
  const draft = useChat(chat => chat.draft)
  const setDraft = useChat(chat => chat.setDraft)
  const problem = useChat(chat => (chat.phase === 'failed' ? '' : chat.problem))
  const sendWith = useHost(host => host.settings.sendWith)
  const busy = useChat(chat => isBusy(chat) || chat.pending !== null)
  const summarising = useChat(isSummarising)
  const waiting = useChat(chat => (currentTurn(chat)?.waiting.length ?? 0) > 0)
  const isAgent = useSession()?.origin === 'sub_agent'
  const selectionOf = useLastSelection()
  const templates = useTemplates(draft.startsWith('/'))
  const filler = useFillTemplate(text => {
    setDraft(text)
    // The dialog must close first.
    requestAnimationFrame(() => field.current?.focus())
  }, selectionOf)
  const hint = useId()
  const giving = useGiving(field)
  const attachments = useFreeAttachments()
  const isArriving = useChat(chat => chat.arriving.some(({ problem }) => problem === null))
  const isOwnChange = useDraftInField(field, draft)
  useFirstFocus(field)
  const slash = useSlashMenu({
    draft,
    setDraft,
    commands: Object.keys(commands).map(asOffer),
    templates: templates ?? [],
    onTemplate: name => {
      const chosen = templates?.find(each => each.name === name && each.problem === null)
      if (chosen) filler.begin(chosen, '')
    },
  })
  const files = useFileMenu(field)
  const menu = files.menu ?? slash.menu
  const send = useSend(commands, templates, slash.isSkill, filler.begin)

  const onRecall = useRecalledMessages()
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (files.onKey(event) || slash.onKey(event) || onRecall(event)) return event.preventDefault()
    const sends = isKey(event, 'mod+enter') || (sendWith === 'enter' && isKey(event, 'enter'))
    if (!sends) return
    event.preventDefault()
    send()
  }

  const { length } = draft.trim()
  const isEmpty = length === 0 && attachments.length === 0 && !isArriving
  const isTooLong = length > MAX_MESSAGE_CHARS
  const note = isTooLong ? tooLongText(length) : problem
  return (
    <div className="composer" data-takes-files>
      {files.menu ? <FileMenu menu={files.menu} /> : slash.menu && <SlashMenu menu={slash.menu} />}
      {filler.filling && <TemplateForm {...filler.filling} onFilled={filler.fill} onClose={filler.close} />}
      {note !== '' && (
        <p
          role="alert"
          className="max-h-40 overflow-y-auto px-1 pb-1 text-sm whitespace-pre-wrap text-danger"
        >
          {note}
        </p>
      )}
      <AttachmentChips onTakeText={giving.takeText} onWritePath={giving.insert} />
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label="Message"
        aria-describedby={hint}
        placeholder={
          waiting
            ? WAITING
            : summarising
              ? SUMMARISING
              : busy
                ? BUSY
                : isAgent
                  ? 'Message this sub-agent'
                  : 'Message Talaria'
        }
        // A multi-line field may not be a combobox, so it describes the list with other attributes.
        aria-autocomplete="list"
        aria-controls={menu?.id}
        aria-activedescendant={menu?.optionId(menu.at)}
        onChange={event => {
          const { value, selectionEnd } = event.target
          if (isOwnChange()) return
          setDraft(value)
          slash.onText(value)
          files.onText(value, selectionEnd)
        }}
        // When the window loses focus, the field stays the active element, and typing continues in it.
        onBlur={event => {
          if (event.currentTarget === document.activeElement) return
          slash.onBlur()
          files.onBlur()
        }}
        onKeyDown={onKeyDown}
        onPaste={giving.onPaste}
        className="composer-field"
      />
      {giving.note}
      <UnseenNote text={draft} />
      {busy && !summarising && attachments.length > 0 && (
        <output className="block px-2.5 pb-1 text-xs text-ink-3">{FILES_WAIT}</output>
      )}
      {Object.hasOwn(commands, draft.trim()) && (
        <output className="block px-2.5 pb-1 text-xs text-ink-3">{commandHints[draft.trim()]}</output>
      )}
      <p id={hint} className="sr-only">
        {sendWith === 'enter'
          ? 'Enter sends, Shift+Enter starts a new line'
          : `${keyText('mod+enter')} sends, Enter starts a new line`}
      </p>
      <div className="flex items-end gap-2">
        <div className="composer-controls">
          {giving.button}
          {tools}
        </div>
        {figure}
        <DraftCounts text={draft} />
        <StopButton />
        <SendButton
          busy={busy}
          hasFiles={attachments.length > 0}
          empty={isEmpty || isTooLong}
          onSend={send}
        />
      </div>
    </div>
  )
}

/** The description of a command in the slash menu. */
const asOffer = (word: string): SlashOffer => ({
  word,
  says: commandTexts[word] ?? '',
  kind: word === '/personality' || readMemoryCommand(word) !== undefined ? 'group' : 'command',
  loads: 0,
})

/** Send the current draft, if any. A draft that is a command runs instead, and a template is filled in. */
function useSend(
  commands: Commands,
  templates: readonly Template[] | undefined,
  isSkill: (name: string) => boolean,
  fillIn: (template: Template, input: string) => void,
): () => void {
  const draft = useChat(chat => chat.draft)
  const setDraft = useChat(chat => chat.setDraft)
  const send = useChat(chat => chat.send)
  const { store } = useOpenChat()
  const readTemplates = useReadTemplates()
  const sendText = (text: string, known: readonly Template[] | undefined) => {
    // Like all commands, these take precedence over skills and templates of the same name.
    if (readMemoryCommand(text) !== undefined) return void send(text)
    const [, word = '', input = ''] = /^\/([\w-]{1,32})(?:\s+([^]*))?$/.exec(text) ?? []
    const wanted = word.toLowerCase()
    const template = known?.find(each => each.name === wanted && each.problem === null && !isSkill(wanted))
    const [, name = text, argument = ''] =
      /^(\/personality)\s+(\S+)$/.exec(text) ?? /^(\/schedule|\/web)\s+([^]+)$/.exec(text) ?? []
    if (Object.hasOwn(commands, name)) {
      setDraft('')
      commands[name]!(argument)
    } else if (word !== '' && known === undefined) {
      // Enter may come before the templates are read. A draft that changed meanwhile needs another.
      void readTemplates().then(found => store.getState().draft === draft && sendText(text, found))
    } else if (template) fillIn(template, input.trim())
    else if (text !== '' && text.length <= MAX_MESSAGE_CHARS) void send(text)
  }
  return () => {
    const { arriving, whenAttached } = store.getState()
    const sendNow = () => {
      const [first] = freeAttachments(store.getState())
      const text = store.getState().draft.trim()
      sendText(text === '' && first ? textFor(freeAttachments(store.getState())) : text, templates)
    }
    if (arriving.length === 0) return sendNow()
    // A message is not sent without its files. A draft that changed in the meantime needs another Enter.
    void whenAttached().then(() => {
      const state = store.getState()
      if (state.arriving.length === 0 && state.draft === draft) sendNow()
    })
  }
}

type SendProps = { busy: boolean; hasFiles: boolean; empty: boolean; onSend: () => void }

function SendButton({ busy, hasFiles, empty, onSend }: SendProps) {
  const summarising = useChat(isSummarising)
  if (busy && empty) return null
  const running = hasFiles ? 'Send after this answer' : 'Send to the running answer'
  const label = summarising ? 'Send after the summary' : busy ? running : 'Send'
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
  const label = stopping ? 'Stopping…' : 'Stop'
  return (
    <button
      type="button"
      aria-label={label}
      title={`${label} (${keyText('escape')})`}
      disabled={stopping}
      className={cx('round-btn', 'round-btn-stop')}
      onClick={() => void stop()}
    >
      <Square size={14} fill="currentColor" />
    </button>
  )
}

/** Focuses the field when a chat opens, unless the keyboard focus is elsewhere, as in the chat list. */
function useFirstFocus(field: RefObject<HTMLTextAreaElement | null>) {
  useEffect(() => {
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
  }, [field])
}

/** Set the text of a field without a history: undo does not go back before it. */
function startWith(field: HTMLTextAreaElement, text: string): void {
  field.value = text
}

/**
 * Keeps the field in sync with the draft. The field is uncontrolled: changes by buttons, menus, templates and
 * other windows are typed into it, so that undo still works after every insertion. The returned function says
 * whether a change of the field comes from here.
 */
function useDraftInField(field: RefObject<HTMLTextAreaElement | null>, draft: string): () => boolean {
  const isWriting = useRef(false)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    const put = (text: string) => {
      isWriting.current = true
      const isWritten = writeInto(element, text)
      isWriting.current = false
      return isWritten
    }
    // The undo history of the field contains neither sent text nor text from before the chat was opened.
    if (isFirst.current || draft === '') {
      isFirst.current = false
      if (element.value !== draft) startWith(element, draft)
      return
    }
    if (put(draft)) return
    // The field is behind a dialog, which may be about to close.
    const waiting = requestAnimationFrame(() => {
      if (!put(draft)) startWith(element, draft)
    })
    return () => cancelAnimationFrame(waiting)
  }, [field, draft])
  return () => isWriting.current
}
