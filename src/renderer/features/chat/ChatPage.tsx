import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useActions } from '../../use-actions.ts'
import { isOpenAbove } from '../../ui/keyboard/keys.ts'
import { goTo, SETTINGS_TAB, useRoute } from '../../route.ts'
import { Inspector, InspectorButton, useInspector } from '../../ui/Inspector.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { KeepingRow } from '../../ui/row-state.tsx'
import { InPlaceField } from '../../ui/fields/TextField.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { ParentLine, ReportCard } from './agents/AgentLines.tsx'
import { AgentQuestion, AgentsAtWork } from './agents/AgentsAtWork.tsx'
import { Announcer } from './announce/Announcer.tsx'
import { Approvals } from './asking/ApprovalCard.tsx'
import { isBusy } from './store/chat-state.ts'
import { ChatContext, useChat, useOpenChat, useSession, type OpenChat } from './store/open-chats.ts'
import { Composer, type Commands } from './composer/Composer.tsx'
import { BranchesButton } from './branches/BranchTree.tsx'
import { focusComposer, tellTrouble } from './branches/MessageActions.tsx'
import { StyleButton, useStyleCommand, WorkspaceButton } from './composer/ComposerTools.tsx'
import { MoreControls } from './composer/MoreControls.tsx'
import { ChatSettings } from './context/ChatSettings.tsx'
import { ChatMenu } from './ChatMenu.tsx'
import { CompareButton } from './compare/CompareButton.tsx'
import { ContextFigure } from './context/ContextFigure.tsx'
import { ContextPanel } from './context/ContextPanel.tsx'
import { StartIdeas, StartTitle } from './EmptyState.tsx'
import { NamedTextLine } from './learning/ProposalRow.tsx'
import { PlanLine } from './calls/Plan.tsx'
import { FindInChat } from './find/FindBar.tsx'
import { WhereWasI } from './recap/WhereWasI.tsx'
import { ForgetDialog } from './remember/ForgetDialog.tsx'
import { SavedLines, useMemoryCommands } from './remember/SavedLines.tsx'
import { newestFiles } from './take-back/files-by-turn.ts'
import { TemporaryButton, TemporaryLine } from './temporary/TemporaryLine.tsx'
import { TimelineButton } from './timeline/Timeline.tsx'
import { Queue } from './composer/Queue.tsx'
import { TourNext } from './tour/TourCards.tsx'
import { Transcript } from './transcript/Transcript.tsx'
import { useWebCommand } from './web/WebResults.tsx'

type Props = {
  chat: OpenChat
  /** Shown before the title: in a narrow window, the button that opens the list of chats. */
  start: ReactNode
  /** Shown first below the message field: the model, the permissions and the web. */
  controls: ReactNode
  /** Shown there too: signs for what is unusual, such as commands that run unconfined. */
  signs: ReactNode
  /** The toolsets of the chat. */
  toolsets: ReactNode
  /** Shown above the composer: the background processes of the chat. */
  processes: ReactNode
  /** Whether the list of chats is beside the page. */
  isListShown: boolean
  onOpenChat: (id: string) => void
  onNewChat: () => void
  onAddModel: () => void
  /** Make a schedule from the text after /schedule. */
  onSchedule: (text: string) => void
}

/** One chat: header, transcript, pending approvals, composer and context panel. */
export function ChatPage({ chat, start, onSchedule, ...ways }: Props): ReactNode {
  const { open } = chat.store.getState()
  const inspector = useInspector('chat')
  const settings = useChatSettings(chat, inspector.show)
  const commands = {
    '/context': inspector.show,
    '/compact': () => void chat.store.getState().send('/compact'),
    '/learn': () => void chat.store.getState().send('/learn'),
    '/remember': () => void chat.store.getState().send('/remember'),
    '/note': () => void chat.store.getState().send('/note'),
    '/forget': () => void chat.store.getState().send('/forget'),
    '/schedule': onSchedule,
    '/undo': () => void chat.store.getState().undo().then(tellTrouble).then(focusComposer),
    '/retry': () => void retryNewest(chat).then(tellTrouble),
  }
  const hasBegun = useStore(chat.store, ({ messages }) => messages.length > 0)
  const isIdle = useStore(chat.store, state => !isBusy(state))
  const files = useStore(chat.store, ({ messages }) => newestFiles(messages))
  const begun = (run: () => void) => (hasBegun && isIdle ? run : undefined)
  useActions({
    'chat.context': inspector.show,
    'chat.settings': settings.show,
    'chat.compact': begun(commands['/compact']),
    'chat.learn': begun(commands['/learn']),
    'chat.undo': begun(commands['/undo']),
    'chat.retry': begun(commands['/retry']),
    'chat.takeBack': files && begun(() => void chat.store.getState().askTakeBack(files).then(tellTrouble)),
  })
  useEffect(() => void open(), [open])
  useMessageOfRoute(chat)
  return (
    <ChatContext value={chat}>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <header className="chat-header">
            {start}
            <div className="flex min-w-0 flex-1">
              <ChatTitle />
            </div>
            <TemporaryButton />
            <TimelineButton />
            <BranchesButton />
            <InspectorButton
              inspector={inspector}
              openLabel="Show what the model sees"
              closeLabel="Close the panel"
            />
            <ChatMenu />
          </header>
          <ParentLine />
          <Body {...ways} commands={commands} onPanel={inspector.show} />
        </div>
        <Inspector inspector={inspector} title="Context" closeLabel="Close the panel">
          <ChatSettings isOpen={settings.isOpen} onOpen={settings.setOpen} />
          <ContextPanel />
        </Inspector>
      </div>
    </ChatContext>
  )
}

/**
 * Whether the settings of this chat are expanded in the panel, and how to show them from the menu, the
 * palette or the address. The address is cleared, so that the same link works again.
 */
function useChatSettings({ store }: OpenChat, showPanel: () => void) {
  const [isOpen, setOpen] = useState(false)
  const show = () => {
    showPanel()
    setOpen(true)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-chat-settings]')?.focus())
  }
  const isNamed = useRoute(route => route.tab) === SETTINGS_TAB
  const showNamed = useEffectEvent(show)
  useEffect(() => {
    if (!isNamed) return undefined
    const frame = requestAnimationFrame(() => {
      showNamed()
      goTo({ chatId: store.getState().sessionId }, 'replace')
    })
    return () => cancelAnimationFrame(frame)
  }, [isNamed, store])
  return { isOpen, setOpen, show }
}

/** Answer the newest question again. */
function retryNewest({ store }: OpenChat) {
  const { messages, retry } = store.getState()
  return retry(messages.at(-1)?.id ?? 0)
}

/** Scrolls to the message named in the address, then clears it there so that the same link works again. */
function useMessageOfRoute({ store }: OpenChat) {
  const messageId = useRoute(route => route.messageId)
  useEffect(() => {
    if (messageId === null) return
    let left = false
    void store
      .getState()
      .show(messageId)
      .then(shown => {
        if (left) return
        if (!shown.ok) showToast(`The message could not be shown: ${shown.fault.message}`, { level: 'error' })
        goTo({ chatId: store.getState().sessionId }, 'replace')
      })
    return () => {
      left = true
    }
  }, [store, messageId])
}

type BodyProps = Pick<
  Props,
  'controls' | 'signs' | 'toolsets' | 'processes' | 'isListShown' | 'onOpenChat' | 'onNewChat' | 'onAddModel'
> & {
  commands: Commands
  /** Opens the Context panel. */
  onPanel: () => void
}

function Body({ commands, onPanel, onOpenChat, onNewChat, onAddModel, ...parts }: BodyProps) {
  const { view } = useOpenChat()
  const phase = useChat(chat => chat.phase)
  const empty = useChat(
    chat =>
      chat.messages.length === 0 &&
      chat.pending === null &&
      !isBusy(chat) &&
      (chat.phase === 'new' || chat.phase === 'ready'),
  )
  const field = useRef<HTMLTextAreaElement>(null)
  const focusField = () => field.current?.focus()
  const chooseStyle = useStyleCommand()
  const web = useWebCommand(focusField)
  const isWaiting = useSession()?.waiting === true
  useStopKey()
  useMemoryCommands(field)
  useActions({
    'chat.question': isWaiting
      ? () => document.querySelector<HTMLElement>('[data-approval]')?.focus()
      : undefined,
  })

  if (phase === 'loading') return <Waiting />
  if (phase === 'missing') {
    return (
      <Trouble
        title="This chat was deleted."
        hint="You can restore it while it is under Recently deleted, below the list of chats."
        action="Start a new chat"
        onAction={onNewChat}
      />
    )
  }
  if (phase === 'failed') return <OpenFailed />
  return (
    <>
      {empty ? (
        <StartTitle />
      ) : (
        <>
          <FindInChat />
          <WhereWasI />
          <Transcript />
        </>
      )}
      <div className="column w-full pb-3" data-conversation>
        <Approvals onAnswered={focusField} />
        <AgentQuestion onAnswered={focusField} />
        <ReportCard />
        <AgentsAtWork />
        <KeepingRow kept={view.kept} row="plan">
          <PlanLine />
        </KeepingRow>
        <TourNext onAddModel={onAddModel} />
        {parts.processes}
        <NamedTextLine />
        <SavedLines />
        <TemporaryLine onEnded={onNewChat} />
        <Queue />
        <Composer
          field={field}
          tools={
            <>
              {parts.controls}
              {parts.signs}
              <MoreControls>
                <WorkspaceButton />
                {parts.toolsets}
                <StyleButton />
                <CompareButton />
              </MoreControls>
            </>
          }
          figure={<ContextFigure onPanel={onPanel} />}
          commands={{ ...commands, '/personality': chooseStyle, '/web': web.search }}
        />
      </div>
      {/* Below the field, which stays the same element when the first message moves it down. */}
      {empty && (
        <StartIdeas
          isListShown={parts.isListShown}
          onOpenChat={onOpenChat}
          onAddModel={onAddModel}
          onStarted={focusField}
        />
      )}
      {web.dialog}
      <ForgetDialog onClosed={focusField} />
      <Announcer />
    </>
  )
}

/** Esc stops the answer, unless it closes something first or belongs to another part of the window. */
function useStopKey() {
  const stop = useChat(chat => chat.stop)
  const busy = useChat(isBusy)
  useActions({
    'chat.stop': busy ? stopNow : undefined,
  })
  function stopNow() {
    const { activeElement, body } = document
    const isHere = activeElement === body || activeElement?.closest('[data-conversation]') !== null
    return !isOpenAbove() && isHere && stop()
  }
}

function Waiting() {
  return (
    <output className="late flex flex-1 items-center justify-center gap-2 text-sm text-ink-3">
      <Spinner />
      Opening the chat…
    </output>
  )
}

function OpenFailed() {
  const problem = useChat(chat => chat.problem)
  const open = useChat(chat => chat.open)
  return (
    <Trouble
      title="The chat could not be opened."
      hint={problem}
      action="Try again"
      onAction={() => void open()}
    />
  )
}

function Trouble(props: { title: string; hint: string; action: string; onAction: () => void }) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-2 p-6 text-center">
      <h2 className="text-lg font-semibold">{props.title}</h2>
      <p className="max-w-md text-sm text-ink-2">{props.hint}</p>
      <button type="button" className="btn btn-primary mt-2" onClick={props.onAction}>
        {props.action}
      </button>
    </div>
  )
}

/** The title of the chat. A click edits it, Enter saves, Esc cancels. */
function ChatTitle(): ReactNode {
  const session = useSession()
  const [editing, setEditing] = useState(false)
  useActions({ 'chat.rename': session && (() => setEditing(true)) })
  const title = showTitle(session?.title ?? '')
  if (session && editing) return <TitleField title={session.title} onDone={() => setEditing(false)} />
  return (
    <h1 className="min-w-0">
      {session ? (
        <button type="button" title="Rename this chat" className="title-btn" onClick={() => setEditing(true)}>
          <span dir="auto" className="truncate">
            {title}
          </span>
        </button>
      ) : (
        <span className="block truncate px-2 text-sm font-semibold">{title}</span>
      )}
    </h1>
  )
}

function TitleField({ title, onDone }: { title: string; onDone: () => void }) {
  const change = useChat(chat => chat.change)
  const save = async (changed: string | null) => {
    onDone()
    if (changed === null) return
    const saved = await change({ title: changed })
    if (!saved.ok) showToast(saved.fault.message, { level: 'error' })
  }
  return (
    <InPlaceField
      text={title}
      label="Chat title"
      className="field max-w-md font-semibold"
      onDone={changed => void save(changed)}
    />
  )
}
