import { Lock, LockOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { Switch } from '../../../ui/Choice.tsx'
import { cx } from '../../../ui/style.ts'
import { showToast } from '../../../ui/toasts.ts'

/** The switch of the offline lock. */
export function LockCard(): ReactNode {
  const locked = useHost(host => host.locked)
  const setLocked = useHost(host => host.setLocked)
  const change = async (on: boolean) => {
    const answer = await setLocked(on)
    if (!answer.ok) showToast(`The setting was not saved: ${answer.fault.message}`, { level: 'error' })
  }
  const Sign = locked ? Lock : LockOpen
  return (
    <div data-setting="network.offline" className={cx('lock-card', locked && 'lock-card-on')}>
      <div className="min-w-0 flex-1">
        <Switch
          label="Offline lock"
          hint={
            locked
              ? 'Nothing leaves this computer. Models and servers on this computer keep working.'
              : 'Talaria uses the network only for what you start: a model on a server, a download, an import.'
          }
          on={locked}
          onChange={on => void change(on)}
        />
      </div>
      <Sign size={20} className={locked ? 'shrink-0 text-good' : 'shrink-0 text-ink-3'} />
    </div>
  )
}
