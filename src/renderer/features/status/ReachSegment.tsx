import type { ReactNode } from 'react'
import { Cloud, Lock, LockKeyhole } from 'lucide-react'
import type { Model } from '../../../shared/contract/model.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { cx } from '../../ui/style.ts'
import { Popover } from '../../ui/Popover.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { Switch } from '../../ui/Choice.tsx'

const reachTexts = {
  here: () => 'Local: nothing leaves this computer',
  near: (model: string) => `Local: ${model} runs on this computer`,
  away: (model: string) => `Server: messages go to ${model}`,
  locked: () => 'Offline lock: nothing can leave this computer',
  blocked: (model: string) => `Offline lock: ${model} is blocked`,
}
const reachShort = { here: 'Local', near: 'Local', away: 'Server', locked: 'Locked', blocked: 'Locked' }
const reachAbout = {
  here: () => 'What you write is answered on this computer and sent nowhere.',
  near: (model: string) =>
    `What you write goes to ${model}, a server on this computer. Talaria does not control what that server does with it.`,
  away: (model: string) => `What you write in this chat is sent to ${model}, on another computer.`,
  locked: () => 'What you write is answered on this computer, and nothing else is sent either.',
  blocked: (model: string) =>
    `${model} is another computer, so messages to it are blocked. Choose a model on this computer, or switch the lock off.`,
}

type Props = {
  model: Model | undefined
  /** Opens the record of what was sent, and why. */
  onPrivacy?: (() => void) | undefined
}

/** Whether messages leave this computer, or could. A click opens the details and the offline lock. */
export function ReachSegment({ model, onPrivacy }: Props): ReactNode {
  const locked = useHost(host => host.locked)
  const setLocked = useHost(host => host.setLocked)
  const stand = standOf(model, locked)
  const name = model?.name ?? ''
  const change = async (on: boolean) => {
    const answer = await setLocked(on)
    if (!answer.ok) showToast(`The lock was not changed: ${answer.fault.message}`, { level: 'error' })
  }
  const { Sign, look } = looks[stand]
  return (
    <Popover
      label="Where your words go"
      side="above"
      align="end"
      className="w-80 max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button
          type="button"
          title={reachTexts[stand](name)}
          className="status-item max-wide:shrink-0"
          {...props}
        >
          <Sign size={13} className={cx('shrink-0', look)} />
          <span className="hidden truncate wide:inline">{reachTexts[stand](name)}</span>
          <span className="whitespace-nowrap wide:hidden">{reachShort[stand]}</span>
        </button>
      )}
    >
      {close => (
        <div className="grid gap-3">
          <p className="text-sm text-ink-2">{reachAbout[stand](name)}</p>
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
            <button
              type="button"
              className="btn btn-secondary justify-self-start"
              onClick={() => {
                close()
                onPrivacy()
              }}
            >
              What was sent
            </button>
          )}
        </div>
      )}
    </Popover>
  )
}

type Stand = 'here' | 'near' | 'away' | 'locked' | 'blocked'

/** Where the messages of a chat go. Without a model they stay here. */
function standOf(model: Model | undefined, locked: boolean): Stand {
  const isAway = (model?.kind === 'server' && model.server?.nearby !== true) || model?.mixture?.away === true
  if (locked) return isAway ? 'blocked' : 'locked'
  if (isAway) return 'away'
  return model?.kind === 'server' ? 'near' : 'here'
}

const looks = {
  here: { Sign: Lock, look: 'text-good' },
  near: { Sign: Lock, look: 'text-good' },
  away: { Sign: Cloud, look: 'text-warn' },
  locked: { Sign: LockKeyhole, look: 'text-good' },
  blocked: { Sign: LockKeyhole, look: 'text-danger' },
} as const
