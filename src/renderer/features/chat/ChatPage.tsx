import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { useActions } from '../../use-actions.ts'
import { isOpenAbove } from '../../ui/keys.ts'
import { goTo, useRoute } from '../../route.ts'
import { Inspector, InspectorButton, useInspector } from '../../ui/Inspector.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { KeepingRow } from '../../ui/row-state.tsx'
import { InPlaceField } from '../../ui/TextField.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { ParentLine, ReportCard } from './agents/AgentLines.tsx'
import { AgentsAtWork } from './agents/AgentsAtWork.tsx'
import { Announcer } from './Announcer.tsx'
import { Approvals } from './ApprovalCard.tsx'
import { isBusy } from './chat-state.ts'
import { ChatContext, useChat, useOpenChat, useSession, type OpenChat } from './chats.ts'
import { Composer, type Commands } from './Composer.tsx'
import { BranchesButton } from './branches/BranchTree.tsx'
import { tellTrouble } from './branches/MessageActions.tsx'
import { StyleButton, useStyleCommand, WorkspaceButton } from './ComposerTools.tsx'
import { ChatSettings } from './context/ChatSettings.tsx'
import { CompareButton } from './compare/CompareButton.tsx'
import { ContextPanel } from './context/ContextPanel.tsx'
import { EmptyState } from './EmptyState.tsx'
import { NamedTextLine } from './learning/OfferedRow.tsx'
import { PlanLine } from './Plan.tsx'
import { FindInChat } from './find/FindBar.tsx'
import { WhereWasI } from './recap/WhereWasI.tsx'
import { ForgetDialog } from './remember/ForgetDialog.tsx'
import { SavedLines, useMemoryCommands } from './remember/SavedLines.tsx'
import { TimelineButton } from './timeline/Timeline.tsx'
import { Queue } from './Queue.tsx'
import { TourNext } from './tour/TourCards.tsx'
import { Transcript } from './Transcript.tsx'
import { useWebCommand } from './web/WebResults.tsx'

type Props = {
  chat: OpenChat
  /** Shown before the title: in a narrow window, the button that opens the list of chats. */
  start: ReactNode
  /** Controls shared with other pages: the model and the permissions. */
  controls: ReactNode
  /** Shown beside the folder below the message field: whether commands run confined. */
  confinement: ReactNode
  /** Which toolsets the chat has. */
  toolsets: ReactNode
  /** Shown above the composer: the background processes of the chat. */
  processes: ReactNode
  onOpenChat: (id: string) => void
  onNewChat: () => void
  onAddModel: () => void
  /** Make a schedule of what stands behind /schedule. */
  onSchedule: (text: string) => void
}

/** One chat: header, transcript, pending approvals, composer and context panel. */
export function ChatPage({ chat, start, controls, onSchedule, ...ways }: Props): ReactNode {
  const { open } = chat.store.getState()
  const inspector = useInspector('chat')
  const commands = {
    '/context': inspector.show,
    '/compact': () => void chat.store.getState().send('/compact'),
    '/learn': () => void chat.store.getState().send('/learn'),
    '/remember': () => void chat.store.getState().send('/remember'),
    '/note': () => void chat.store.getState().send('/note'),
    '/forget': () => void chat.store.getState().send('/forget'),
    '/schedule': onSchedule,
    '/undo': () => void chat.store.getState().undo().then(tellTrouble),
    '/retry': () => void retryNewest(chat).then(tellTrouble),
  }
  const hasBegun = useStore(chat.store, ({ messages }) => messages.length > 0)
  const isIdle = useStore(chat.store, state => !isBusy(state))
  const begun = (run: () => void) => (hasBegun && isIdle ? run : undefined)
  useActions({
    'chat.context': inspector.show,
    'chat.compact': begun(commands['/compact']),
    'chat.learn': begun(commands['/learn']),
    'chat.undo': begun(commands['/undo']),
    'chat.retry': begun(commands['/retry']),
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
            <TimelineButton />
            <BranchesButton />
            {controls}
            <InspectorButton
              inspector={inspector}
              openLabel="Show what the model sees"
              closeLabel="Close the panel"
            />
          </header>
          <ParentLine />
          <Body {...ways} commands={commands} />
        </div>
        <Inspector inspector={inspector} title="Context" closeLabel="Close the panel">
          <ChatSettings />
          <ContextPanel />
        </Inspector>
      </div>
    </ChatContext>
  )
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
  'confinement' | 'toolsets' | 'processes' | 'onOpenChat' | 'onNewChat' | 'onAddModel'
> & {
  commands: Commands
}

function Body({ confinement, toolsets, processes, onOpenChat, onNewChat, onAddModel, commands }: BodyProps) {
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
        title="This chat was removed."
        hint="As long as it is under Recently deleted, below the list of chats, it can be restored."
        action="Start a new chat"
        onAction={onNewChat}
      />
    )
  }
  if (phase === 'failed') return <OpenFailed />
  return (
    <>
      {empty ? (
        <EmptyState onOpenChat={onOpenChat} onAddModel={onAddModel} onStarted={focusField} />
      ) : (
        <>
          <FindInChat />
          <WhereWasI />
          <Transcript />
        </>
      )}
      <div className="column w-full pb-3" data-conversation>
        <Approvals onAnswered={focusField} />
        <ReportCard />
        <AgentsAtWork />
        <KeepingRow kept={view.kept} row="plan">
          <PlanLine />
        </KeepingRow>
        <TourNext onAddModel={onAddModel} />
        {processes}
        <NamedTextLine />
        <SavedLines />
        <Queue />
        <Composer
          field={field}
          tools={
            <>
              <WorkspaceButton />
              {toolsets}
              <StyleButton />
              <CompareButton />
              {confinement}
            </>
          }
          commands={{ ...commands, '/personality': chooseStyle, '/web': web.search }}
        />
      </div>
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
      label="Title of the chat"
      className="field max-w-md font-semibold"
      onDone={changed => void save(changed)}
    />
  )
}
