import { useId, type ReactNode } from 'react'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { importText } from './strings.ts'

/** What of the source was not looked at, in words. */
export function LeftOut({ leftOut }: { leftOut: readonly string[] }): ReactNode {
  const id = useId()
  if (leftOut.length === 0) return null
  const title = importText.leftOut(leftOut.length)
  return (
    <details>
      <summary id={id} className="rounded-sm text-sm text-ink-2">
        {title}
      </summary>
      <Scrollable label={title} className="mt-1 max-h-32 overflow-y-auto">
        <ul aria-labelledby={id} className="grid gap-0.5 text-xs text-ink-3">
          {leftOut.map(each => (
            <li key={each} dir="auto" className="break-words">
              {each}
            </li>
          ))}
        </ul>
      </Scrollable>
    </details>
  )
}
