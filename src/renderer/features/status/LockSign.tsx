import type { ReactNode } from 'react'
import { LockKeyhole } from 'lucide-react'
import type { Model } from '../../../shared/contract/models/model.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { cx } from '../../ui/style.ts'
import { Popover } from '../../ui/Popover.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { Switch } from '../../ui/fields/Choice.tsx'

const goesTo = {
  here: () => 'What you write is answered on this computer and sent nowhere.',
  near: (model: string) =>
    `What you write goes to ${model}, a server on this computer. Talaria does not control what that server does with it.`,
  away: (model: string) => `What you write in this chat is sent to ${model}, on another computer.`,
  locked: () => 'What you write is answered on this computer, and nothing else is sent anywhere.',
  blocked: (model: string) =>
    `${model} is another computer, so messages to it are blocked. Choose a model on this computer, or turn the lock off.`,
}

type Reach = keyof typeof goesTo

/** Where the messages of a chat with this model go. Without a model they stay here. */
export function reachOf(model: Model | undefined, locked: boolean): Reach {
  const isAway = (model?.kind === 'server' && model.server?.nearby !== true) || model?.mixture?.away === true
  if (locked) return isAway ? 'blocked' : 'locked'
  if (isAway) return 'away'
  return model?.kind === 'server' ? 'near' : 'here'
}

type Props = {
  model: Model | undefined
  /** Opens the record of all requests and their reasons. */
  onPrivacy?: (() => void) | undefined
}

/** Where the messages of the chat go, the offline lock, and a link to the record of requests. */
export function WhereWordsGo({ model, onPrivacy }: Props): ReactNode {
  const locked = useHost(host => host.locked)
  const setLocked = useHost(host => host.setLocked)
  const change = async (on: boolean) => {
    const answer = await setLocked(on)
    if (!answer.ok) showToast(`The lock was not changed: ${answer.fault.message}`, { level: 'error' })
  }
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-2">{goesTo[reachOf(model, locked)](model?.name ?? '')}</p>
      <Switch
        label="Offline lock"
        hint={
          locked
            ? 'Nothing leaves this computer.'
            : 'Talaria contacts other computers only for what you start.'
        }
        on={locked}
        onChange={on => void change(on)}
      />
      {onPrivacy && (
        <button type="button" className="btn btn-secondary justify-self-start" onClick={onPrivacy}>
          What was sent
        </button>
      )}
    </div>
  )
}

/** A sign at the message field that the offline lock is on, and whether it blocks the model of the chat. */
export function LockSign({ model, onPrivacy }: Props): ReactNode {
  const locked = useHost(host => host.locked)
  if (!locked) return null
  const isBlocked = reachOf(model, locked) === 'blocked'
  const name = isBlocked
    ? `Offline lock: blocked. ${model?.name ?? ''} is another computer`
    : 'Offline lock: nothing can leave this computer'
  return (
    <Popover
      label="Where your messages go"
      side="above"
      className="w-80 max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button type="button" aria-label={name} title={name} className="btn btn-quiet px-2" {...props}>
          <LockKeyhole size={16} className={cx('shrink-0', isBlocked ? 'text-danger' : 'text-good')} />
          <span className={cx('text-xs', isBlocked ? 'text-danger' : 'font-normal')}>
            {isBlocked ? 'Offline lock: blocked' : 'Offline lock'}
          </span>
        </button>
      )}
    >
      {close => (
        <WhereWordsGo
          model={model}
          onPrivacy={
            onPrivacy &&
            (() => {
              close()
              onPrivacy()
            })
          }
        />
      )}
    </Popover>
  )
}
