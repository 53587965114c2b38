import { useState, type ReactNode } from 'react'
import type { ApprovalMode, SessionChange } from '../shared/contract/session.ts'
import { lastUsage } from './features/chat/chat-state.ts'
import { useChat, useModel, useSession } from './features/chat/chats.ts'
import { ModelChoice, ModelPill } from './features/models/ModelChoice.tsx'
import { PermissionMenu } from './features/permission/PermissionMenu.tsx'
import { OutputDialog } from './features/processes/OutputDialog.tsx'
import { ProcessSegment } from './features/processes/ProcessList.tsx'
import { StatusBar } from './features/status/StatusBar.tsx'
import { useHost } from './rpc/host-context.tsx'
import { useActions } from './use-actions.ts'
import { showToast } from './ui/Toasts.tsx'

type Props = {
  onAddModel: (how: 'file' | 'server') => void
  /** Show the Models page. */
  onManage?: () => void
}

/** Controls of the visible chat, shared by the header and the status bar. */
function useControls({ onAddModel, onManage }: Props) {
  const session = useSession()
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
      mode: session?.approval ?? 'ask',
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

/** The model and the permissions, in the page header. */
export function ChatControls(props: Props): ReactNode {
  const { model, permission } = useControls(props)
  useModeActions(permission)
  return (
    <>
      <ModelPill {...model} />
      <PermissionMenu {...permission} />
    </>
  )
}

/** The model choice in the settings. It applies to the visible chat. */
export function ChatModels(props: Props): ReactNode {
  const { model } = useControls(props)
  return <ModelChoice chosen={model.modelId} onChoose={model.onChoose} onAdd={model.onAdd} />
}

/** The status bar of the visible chat. */
export function ChatStatus({
  onPrivacy,
  onOpenChat,
  ...props
}: Props & { onPrivacy: () => void; onOpenChat: (id: string) => void }): ReactNode {
  const { model, permission } = useControls(props)
  const shownModel = useModel()
  const usage = useChat(lastUsage)
  const [shownOutput, setShownOutput] = useState<string | null>(null)
  return (
    <>
      <StatusBar
        model={shownModel}
        usage={usage}
        onPrivacy={onPrivacy}
        processes={<ProcessSegment onOpenChat={onOpenChat} onOutput={setShownOutput} />}
        renderModel={draw => <ModelPill {...model} side="above" align="start" renderButton={draw} />}
        renderPermission={draw => <PermissionMenu {...permission} side="above" renderButton={draw} />}
      />
      {shownOutput !== null && (
        <OutputDialog key={shownOutput} id={shownOutput} onClose={() => setShownOutput(null)} />
      )}
    </>
  )
}

/** A frame around a chat that runs everything without approval, as a reminder. */
export function FullFrame(): ReactNode {
  const full = useSession()?.approval === 'full'
  return full ? (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 border-2 border-danger" />
  ) : null
}
