import type { ReactNode } from 'react'
import type { Cite } from '../../../../shared/contract/web.ts'
import { WebPages } from './WebPages.tsx'

/** The pages that an answer cites, or that were read for it, below it. */
export function Sources({ cites = [] }: { cites: readonly Cite[] | undefined }): ReactNode {
  if (cites.length === 0) return null
  return (
    <section aria-label="Sources" className="mt-2 border-t border-line pt-2">
      <p className="pb-1 text-xs font-semibold text-ink-2">Sources</p>
      <WebPages label="Sources" pages={cites} />
    </section>
  )
}
