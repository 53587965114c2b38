import { MessageSquarePlus, Repeat2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { goTo } from '../../../route.ts'
import { Menu } from '../../../ui/Menu.tsx'
import { useAllActions } from '../../../use-actions.ts'
import { MOST_MODELS, tellTrouble } from '../branches/MessageActions.tsx'
import { useChat, useModel } from '../store/open-chats.ts'

/** Alternatives if this model gives no answer: a new chat, or the same question to another model. */
export function OtherWays(): ReactNode {
  const actions = useAllActions()
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-2">
      <button
        type="button"
        className="btn btn-secondary"
        onClick={() => void actions?.now().get('chat.new')?.()}
      >
        <MessageSquarePlus size={16} />
        New chat
      </button>
      <AnotherModel />
    </div>
  )
}

/** Asks another model the newest question again; without another model, opens the page that adds one. */
function AnotherModel(): ReactNode {
  const retry = useChat(chat => chat.retry)
  const newestId = useChat(chat => chat.messages.at(-1)?.id ?? 0)
  const own = useModel()?.id
  const models = useHost(host => host.models)
  const others = models.filter(({ id, problem }) => problem === null && id !== own).slice(0, MOST_MODELS)
  const label = (
    <>
      <Repeat2 size={16} />
      Another model
    </>
  )
  if (others.length === 0)
    return (
      <button type="button" className="btn btn-secondary" onClick={() => goTo({ page: 'models' })}>
        {label}
      </button>
    )
  return (
    <Menu
      label="Another model"
      entries={others.map(({ id, name }) => ({
        id,
        label: `Ask ${name}`,
        onSelect: () => void retry(newestId, id).then(tellTrouble),
      }))}
      renderButton={props => (
        <button type="button" className="btn btn-secondary" {...props}>
          {label}
        </button>
      )}
    />
  )
}
