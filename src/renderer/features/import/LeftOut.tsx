import { useId, type ReactNode } from 'react'
import type { ImportPreview } from '../../../shared/contract/transfer.ts'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { importText } from './strings.ts'

/** What is not brought, and why. */
export function LeftOut({ skipped }: { skipped: ImportPreview['skipped'] }): ReactNode {
  const id = useId()
  if (skipped.length === 0) return null
  return (
    <section>
      <h4 id={id} className="mb-1 text-xs font-medium text-ink-2">
        {importText.leftOut}
      </h4>
      <Scrollable label={importText.leftOut} className="max-h-36 overflow-y-auto">
        <ul aria-labelledby={id} className="grid gap-1 text-sm">
          {skipped.map(({ what, why, count }) => (
            <li key={`${what}\n${why}`} className="break-words">
              {importText.things(what, count)}
              <span className="text-ink-3">: {why}</span>
            </li>
          ))}
        </ul>
      </Scrollable>
    </section>
  )
}
