import { useState, type ReactNode } from 'react'
import type { Cite, UsedPage } from '../../../../shared/contract/connections/web.ts'
import { nameSite } from '../../../../shared/markdown/web-citations.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { PageDialog } from './PageDialog.tsx'

type Props = {
  label: string
  pages: readonly UsedPage[]
  /** The name of the search source that found the pages. */
  answeredBy?: string | undefined
}

/** Pages with title, site and date. A page that the model read opens its text; others open in the browser. */
export function WebPages({ label, pages, answeredBy }: Props): ReactNode {
  return (
    <div className="grid gap-1.5">
      {answeredBy !== undefined && (
        <p className="text-xs text-ink-3">{`Found by ${showHidden(answeredBy)}`}</p>
      )}
      {pages.length === 0 ? (
        <p className="text-sm text-ink-2">Nothing was found.</p>
      ) : (
        <ol aria-label={label} className="grid gap-0.5">
          {pages.map(page => (
            <li key={`${page.n} ${page.address}`} className="min-w-0">
              <PageRow page={page} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

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

function PageRow({ page }: { page: UsedPage }) {
  const [isOpen, setOpen] = useState(false)
  const { pageId } = page
  if (pageId === undefined)
    return (
      <a
        href={page.address}
        target="_blank"
        rel="noreferrer"
        title={showHidden(page.address)}
        className="web-page"
      >
        <PageName page={page} />
      </a>
    )
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        title={`Show the text that was read from ${showHidden(page.address)}`}
        className="web-page"
        onClick={() => setOpen(true)}
      >
        <PageName page={page} />
      </button>
      {isOpen && <PageDialog page={{ ...page, pageId }} onClose={() => setOpen(false)} />}
    </>
  )
}

function PageName({ page: { n, title, address, date, pageId } }: { page: UsedPage }) {
  const site = nameSite(address)
  return (
    <>
      {n !== undefined && <span className="web-number">{n}</span>}
      <span dir="auto" className="min-w-0 flex-1 truncate text-ink">
        {showHidden(title || site)}
      </span>
      <span className="shrink-0 text-xs text-ink-3">
        {[showHidden(site), date, pageId === undefined ? undefined : 'read'].filter(Boolean).join(' · ')}
      </span>
    </>
  )
}
