import { type ReactNode, useId } from 'react'
import type { SkillImport } from '../../../../shared/contract/skill-imports.ts'
import { formatCount } from '../../../ui/format.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'

/** The source address and commit. */
export function Source({ source: { address, commit } }: { source: SkillImport['source'] }): ReactNode {
  return (
    <p className="text-xs break-words text-ink-3">
      From{' '}
      <span dir="ltr" className="font-mono break-all">
        {address}
      </span>
      {commit !== null && (
        <>
          {' '}
          at commit{' '}
          <span dir="ltr" className="font-mono" title={commit}>
            {commit.slice(0, 12)}
          </span>
        </>
      )}
    </p>
  )
}

/** Lists the parts of the source that were skipped. */
export function LeftOut({ leftOut }: { leftOut: readonly string[] }): ReactNode {
  const id = useId()
  if (leftOut.length === 0) return null
  const title = `Left out: ${formatCount(leftOut.length)}`
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
