import { lazy, Suspense, type ReactNode } from 'react'
import type { UsedPage } from '../../../../shared/contract/connections/web.ts'
import { nameSite } from '../../../../shared/markdown/web-citations.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { byCount, many } from '../../../../shared/text/amounts.ts'
import { useAnswer } from '../../../rpc/use-answer.ts'
import { Problem } from '../../../ui/Banner.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { useSession } from '../store/open-chats.ts'

const Markdown = lazy(() => import('../../../markdown/Markdown.tsx').catch(() => ({ default: AsItIs })))
const AsItIs = ({ text }: { text: string }) => <div className="prose whitespace-pre-wrap">{text}</div>

/** A page as the model read it. Hidden text was removed, and is listed below. */
export function PageDialog({
  page,
  onClose,
}: {
  page: UsedPage & { pageId: string }
  onClose: () => void
}): ReactNode {
  return (
    <Dialog
      title={page.title || nameSite(page.address)}
      closeLabel="Close"
      width="large"
      onClose={onClose}
      givesWay
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <PageLine page={page} />
        <PageText pageId={page.pageId} title={page.title} />
      </div>
    </Dialog>
  )
}

/** The address and date of a page, with a link that opens it in the browser. */
function PageLine({ page: { address, date } }: { page: UsedPage }) {
  return (
    <p className="-mt-3 flex flex-wrap gap-x-3 gap-y-1 text-xs text-ink-2">
      <a href={address} target="_blank" rel="noreferrer" dir="ltr" className="min-w-0 break-all underline">
        {showHidden(address)}
      </a>
      {date !== undefined && <span>{showHidden(date)}</span>}
    </p>
  )
}

function PageText({ pageId, title }: { pageId: string; title: string }) {
  const sessionId = useSession()?.id
  const given = { pageId, ...(sessionId !== undefined && { sessionId }) }
  const answer = useAnswer('web.page', given, { isOnce: true })
  if (!answer)
    return (
      <output className="late flex items-center gap-2 py-2 text-ink-2">
        <Spinner /> Opening…
      </output>
    )
  if (!answer.ok) return <Problem text={answer.fault.message} />
  const { markdown, hidden, fromChat } = answer.value
  return (
    <>
      <h3 className="sr-only">What was read</h3>
      <p className="text-xs text-ink-3">
        {fromChat
          ? 'The page is no longer stored. These are the parts that the model read, as saved in this chat.'
          : 'This is the text that the model read. Pictures are not loaded.'}
      </p>
      <Scrollable label={`Text of ${title}`} className="page-text">
        <Suspense fallback={<AsItIs text={markdown} />}>
          <Markdown text={markdown} live={false} below={3} isFile />
        </Suspense>
      </Scrollable>
      {hidden.length > 0 && (
        <details className="text-sm text-ink-2">
          <summary>
            {byCount(
              hidden.length,
              '1 hidden text was removed from the page',
              `${many(hidden.length, 'hidden text')} were removed from the page`,
            )}
          </summary>
          <ul className="mt-1 grid max-h-40 gap-1 overflow-y-auto ps-4">
            {hidden.map((text, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- the same text may stand in several places
              <li key={at} dir="auto" className="break-words">
                {showHidden(text)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
