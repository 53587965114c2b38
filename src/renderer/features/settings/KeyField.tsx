import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { actionText, actionWith, keysOf, type ActionId } from '../../action-table.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { keyText } from '../../ui/keyboard/keys.ts'
import { nameStroke } from '../../ui/keyboard/name-stroke.ts'
import { showToast } from '../../ui/Toasts.tsx'

/** The changed keys, and a function that changes one. */
export function useBoundKeys() {
  const bound = useHost(host => host.settings.keys)
  const setSettings = useHost(host => host.setSettings)
  const save = async (keys: Record<string, string>) => {
    const answer = await setSettings({ keys })
    if (!answer.ok) showToast(`The key was not changed: ${answer.fault.message}`, { level: 'error' })
  }
  return { bound, save }
}

/** The question in a row: a key to press, or whether to take a key that already does something else. */
type Asking = { problem: string } | { taken: string; by: ActionId } | null

/** The key of an action. A click asks for a new key, and names the action that already uses it. */
export function KeyField({ id }: { id: ActionId }): ReactNode {
  const { bound, save } = useBoundKeys()
  const [isAsking, setIsAsking] = useState(false)
  const [asking, setAsking] = useState<Asking>(null)
  const { label } = actionText(id)
  const keys = keysOf(id, bound)
  const standard = keysOf(id, {})
  const end = () => {
    setIsAsking(false)
    setAsking(null)
  }
  const bind = (name: string, others: Record<string, string> = {}) => {
    end()
    const { [id]: _, ...rest } = { ...bound, ...others }
    void save(name === (standard ?? '') ? rest : { ...rest, [id]: name })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isAsking || event.key === 'Tab') return
    // While a key is chosen, no shortcut acts, and Esc closes only the question.
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') return end()
    if (event.key === 'Backspace' || event.key === 'Delete') return bind('')
    const pressed = nameStroke(event)
    if (pressed === undefined) return
    if ('problem' in pressed) return setAsking(pressed)
    const by = actionWith(pressed.keys, id, bound)
    if (by === undefined) bind(pressed.keys)
    else setAsking({ taken: pressed.keys, by })
  }
  const shown = keys === undefined ? 'None' : keyText(keys)
  return (
    <span className="grid justify-items-end gap-1">
      <span className="flex items-center gap-1">
        {bound[id] !== undefined && (
          <IconButton small label={`Reset the key of “${label}”`} onClick={() => bind(standard ?? '')}>
            <Icon name="close" size={12} />
          </IconButton>
        )}
        <button
          type="button"
          aria-label={
            isAsking ? `Press the new key for “${label}”` : `Change the key of “${label}”: ${shown}`
          }
          className="kbd enabled:hover:bg-hover"
          onClick={() => setIsAsking(true)}
          onKeyDown={onKeyDown}
          onBlur={() => asking === null && end()}
        >
          {isAsking ? 'Press a key' : shown}
        </button>
      </span>
      {isAsking && asking === null && (
        <span className="text-xs text-ink-3">Backspace removes the key, Esc keeps it.</span>
      )}
      {asking !== null && (
        <span role="alert" className="grid justify-items-end gap-1 text-end text-xs text-ink-2">
          <span>
            {'problem' in asking
              ? asking.problem
              : `${keyText(asking.taken)} already does “${actionText(asking.by).label}”.`}
          </span>
          <span className="flex gap-1">
            {'taken' in asking && actionText(asking.by).isOnlyKey !== true && (
              <button
                type="button"
                className="btn btn-secondary"
                onClick={() => bind(asking.taken, { [asking.by]: '' })}
              >
                Use it here
              </button>
            )}
            <button type="button" className="btn btn-quiet" onClick={end}>
              Cancel
            </button>
          </span>
        </span>
      )}
    </span>
  )
}
