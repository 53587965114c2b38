import type { ReactNode } from 'react'
import { keyText } from './keys.ts'

/** A visible shortcut next to its action. It is not part of the action's accessible name. */
export function Kbd({ keys }: { keys: string }): ReactNode {
  return (
    <kbd aria-hidden="true" className="kbd">
      {keyText(keys)}
    </kbd>
  )
}
