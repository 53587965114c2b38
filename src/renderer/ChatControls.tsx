import { Cloud, TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { ApprovalMode, SessionChange } from '../shared/contract/chats/session.ts'
import { useChat, useModel, useSession } from './features/chat/store/open-chats.ts'
import { ModelChoice, ModelPill } from './features/models/ModelChoice.tsx'
import { PermissionMenu } from './features/permission/PermissionMenu.tsx'
import { OutputDialog } from './features/processes/OutputDialog.tsx'
import { ProcessDialog, ProcessSegment } from './features/processes/ProcessList.tsx'
import { isRunning, useProcesses } from './features/processes/use-processes.ts'
import { ConfinementSign, OpenNetworkSign, useModeOfNewChats } from './features/status/ConfinementSign.tsx'
import { EngineDetail, useEngineFailed } from './features/status/EngineDetail.tsx'
import { GoingOn } from './features/status/GoingOn.tsx'
import { LockSign, reachOf, WhereWordsGo } from './features/status/LockSign.tsx'
import { useChatId, useRoute } from './route.ts'
import { useHost } from './rpc/host-context.tsx'
import { useActions } from './use-actions.ts'
import { showToast } from './ui/Toasts.tsx'

type Props = {
  onAddModel: (how: 'file' | 'server') => void
  /** Show the Models page. */
  onManage?: () => void
}

/** The approval mode of the visible chat: what may run without asking. */
function useMode(): ApprovalMode {
  const ofNewChats = useModeOfNewChats()
  return useSession()?.approval ?? ofNewChats
}

/** The model and the mode of the visible chat, and how to change them. */
function useControls({ onAddModel, onManage }: Props) {
  const session = useSession()
  const mode = useMode()
  const defaultModelId = useHost(host => host.defaultModelId)
  const changeChat = useChat(chat => chat.change)
  const change = async (change: SessionChange) => {
    const changed = await changeChat(change)
    if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
  }
  return {
    model: {
      modelId: session?.modelId ?? defaultModelId,
      onChoose: (modelId: string) => void change({ modelId }),
      onAdd: onAddModel,
      ...(onManage && { onManage }),
    },
    permission: {
      mode,
      onChange: (approval: ApprovalMode) => void change({ approval }),
    },
  }
}

/** Offers the permissions of the chat in the palette. A change applies at once, as in their menu. */
function useModeActions({ mode, onChange }: { mode: ApprovalMode; onChange: (mode: ApprovalMode) => void }) {
  const to = (wanted: ApprovalMode) => (wanted === mode ? undefined : () => onChange(wanted))
  useActions({
    'mode.chat_only': to('chat_only'),
    'mode.ask': to('ask'),
    'mode.reads': to('reads'),
    'mode.full': to('full'),
  })
}

type WithPrivacy = { onPrivacy: () => void }

/** The model and the permissions of the visible chat, at its message field. */
export function ChatControls({ onPrivacy, ...props }: Props & WithPrivacy): ReactNode {
  const { model, permission } = useControls(props)
  const shown = useModel()
  const sign = useModelSign()
  useModeActions(permission)
  return (
    <>
      <ModelPill
        {...model}
        sign={sign}
        renderBelow={close => (
          <>
            <EngineDetail model={shown} onDone={close} />
            <WhereWordsGo
              model={shown}
              onPrivacy={() => {
                close()
                onPrivacy()
              }}
            />
          </>
        )}
      />
      <PermissionMenu {...permission} />
    </>
  )
}

/** A sign that messages go to another computer, or that the engine stopped with an error. */
function useModelSign() {
  const model = useModel()
  const locked = useHost(host => host.locked)
  const failed = useEngineFailed(model)
  if (failed)
    return {
      icon: <TriangleAlert size={16} className="shrink-0 text-danger" />,
      says: 'The engine stopped',
    }
  const reach = reachOf(model, locked)
  if (reach !== 'away') return undefined
  return {
    icon: <Cloud size={16} className="shrink-0 text-warn" />,
    says: 'Messages go to another computer',
  }
}

/** Signs at the message field for what is unusual in the visible chat. They are shown at every width. */
export function ChatSigns({ onPrivacy }: WithPrivacy): ReactNode {
  const model = useModel()
  const isFullAccess = useMode() === 'full'
  return (
    <>
      <ConfinementSign />
      <OpenNetworkSign isFullAccess={isFullAccess} />
      <LockSign model={model} onPrivacy={onPrivacy} />
    </>
  )
}

/** The model choice in the settings. It applies to the visible chat. */
export function ChatModels(props: Props): ReactNode {
  const { model } = useControls(props)
  return <ModelChoice chosen={model.modelId} onChoose={model.onChoose} onAdd={model.onAdd} />
}

type GoingOnProps = { onOpenChat: (id: string) => void; onDownloads: () => void }

/** The line of current activity at the bottom of every page, and the dialogs that it opens. */
export function WindowActivity({ onOpenChat, onDownloads }: GoingOnProps): ReactNode {
  const chatId = useChatId()
  const page = useRoute(route => route.page)
  const processes = useProcesses()
  const [shownOutput, setShownOutput] = useState<string | null>(null)
  const [isListOpen, setListOpen] = useState(false)
  useActions({ 'processes.open': processes.length === 0 ? undefined : () => setListOpen(true) })
  const showOutput = (id: string) => {
    setListOpen(false)
    setShownOutput(id)
  }
  return (
    <>
      <GoingOn
        shownChat={page === 'chat' ? chatId : null}
        onOpenChat={onOpenChat}
        onDownloads={onDownloads}
        processes={
          processes.some(isRunning) ? <ProcessSegment onOpenChat={onOpenChat} onOutput={showOutput} /> : null
        }
      />
      {isListOpen && (
        <ProcessDialog
          onOpenChat={id => {
            setListOpen(false)
            onOpenChat(id)
          }}
          onOutput={showOutput}
          onClose={() => setListOpen(false)}
        />
      )}
      {shownOutput !== null && (
        <OutputDialog key={shownOutput} id={shownOutput} onClose={() => setShownOutput(null)} />
      )}
    </>
  )
}

/** A frame around a chat that runs everything without approval, as a reminder. */
export function FullFrame(): ReactNode {
  const full = useMode() === 'full'
  return full ? (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 border-2 border-danger" />
  ) : null
}
