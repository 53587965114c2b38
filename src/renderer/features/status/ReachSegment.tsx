import { Cloud, Lock, LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Model } from '../../../shared/contract/model.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { cx } from '../../ui/cx.ts'
import { Popover } from '../../ui/Popover.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { showToast } from '../../ui/toasts.ts'
import { statusText } from './strings.ts'

const text = statusText.reach

type Props = {
  model: Model | undefined
  /** Shows what was sent, and why. */
  onPrivacy?: (() => void) | undefined
}

/** Whether what is written leaves this computer, and whether it could; a click says more and holds the lock. */
export function ReachSegment({ model, onPrivacy }: Props): ReactNode {
  const locked = useHost(host => host.locked)
  const setLocked = useHost(host => host.setLocked)
  const stand = standOf(model, locked)
  const name = model?.name ?? ''
  const change = async (on: boolean) => {
    const answer = await setLocked(on)
    if (!answer.ok) showToast(text.failed(answer.fault.message), { level: 'error' })
  }
  const { Sign, look } = looks[stand]
  return (
    <Popover
      label={text.title}
      side="above"
      align="end"
      className="w-80 max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button type="button" title={text.whole[stand](name)} className="status-item" {...props}>
          <Sign size={13} className={cx('shrink-0', look)} />
          <span className="hidden truncate wide:inline">{text.whole[stand](name)}</span>
          <span className="truncate wide:hidden">{text.short[stand]}</span>
        </button>
      )}
    >
      {close => (
        <div className="grid gap-3">
          <p className="text-sm text-ink-2">{text.about[stand](name)}</p>
          <Switch
            label={text.lock}
            hint={locked ? text.lockOn : text.lockOff}
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
              {text.ledger}
            </button>
          )}
        </div>
      )}
    </Popover>
  )
}

type Stand = 'here' | 'near' | 'away' | 'locked' | 'blocked'

/** Where the words of a chat go; without a model they go nowhere. */
function standOf(model: Model | undefined, locked: boolean): Stand {
  const isAway = model?.kind === 'server' && model.server?.nearby !== true
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
