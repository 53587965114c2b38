import type { ReactNode } from 'react'
import { keyText } from './keys.ts'

/** A shortcut beside the thing it does; the name of the thing does not repeat it. */
export function Kbd({ keys }: { keys: string }): ReactNode {
  return (
    <kbd aria-hidden="true" className="kbd">
      {keyText(keys)}
    </kbd>
  )
}
