import { Lock, LockOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink, useHost } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { Switch } from '../../ui/fields/Choice.tsx'
import { cx } from '../../ui/style.ts'
import { Scrollable } from '../../ui/Scrollable.tsx'

type Props = {
  /** Target id of a search result. The heading receives focus. */
  id?: string
  title: string
  hint?: string
  children: ReactNode
}

/** A titled part of a section, for content other than settings. */
export function Part({ id, title, hint, children }: Props): ReactNode {
  return (
    <section>
      <h3 data-thing={id} tabIndex={-1} className="setting-heading outline-none">
        {title}
      </h3>
      {hint !== undefined && <p className="mb-3 text-xs text-ink-3">{hint}</p>}
      {children}
    </section>
  )
}

/** The button that reopens the first steps. */
export function FirstSteps(): ReactNode {
  const { client } = useLink()
  const again = async () => {
    const answer = await attemptCall(client['setup.again']({}))
    if (!answer.ok) showToast(`The setting was not saved: ${answer.fault.message}`, { level: 'error' })
  }
  return (
    <Part
      id="first"
      title="First steps"
      hint="Welcome, this computer, a model and learning. You can skip any step."
    >
      <button type="button" className="btn btn-secondary" onClick={() => void again()}>
        Show them again
      </button>
    </Part>
  )
}

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
      <Sign size={18} className={locked ? 'shrink-0 text-good' : 'shrink-0 text-ink-3'} />
    </div>
  )
}

type TableProps = {
  caption: string
  /** Headings; those of numbers are aligned to the right. */
  columns: readonly (string | { number: string })[]
  folds?: boolean
  /** The rows, as `tr` elements. */
  children: ReactNode
}

/**
 * A table of figures. If it does not fit, it scrolls sideways. With `folds`, each row becomes lines that
 * start with the `data-label` of their cell.
 */
export function DataTable({ caption, columns, folds = false, children }: TableProps): ReactNode {
  return (
    <Scrollable label={caption} className="data-frame">
      <table className={cx('data-table', folds && 'data-fold')}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(column =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.number} scope="col" className="data-number">
                  {column.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scrollable>
  )
}
