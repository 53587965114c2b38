import { lazy, Suspense, useEffect, useMemo, useRef, type ReactNode } from 'react'
import type { Answer } from '../../rpc/answers.ts'
import { nameAnchors } from '../../../shared/markdown/name-anchors.ts'
import { helpAddresses } from './help-addresses.ts'

const AsItIs = ({ text }: { text: string }) => <p className="break-words whitespace-pre-wrap">{text}</p>
const Markdown = lazy(() => import('../../markdown/Markdown.tsx').catch(() => ({ default: AsItIs })))

type Props = {
  page: Answer<'help.page'>
  /** The ids of the pages that links may lead to. */
  ids: ReadonlySet<string>
  /** The heading to show; null for the beginning. */
  anchor: string | null
}

/** The text of a Help page, scrolled to one of its headings. */
export function HelpText({ page, ids, anchor }: Props): ReactNode {
  const { id, text, pictures } = page
  const content = useRef<HTMLDivElement>(null)
  const addresses = useMemo(() => helpAddresses(id, { ids, pictures }), [id, ids, pictures])
  useEffect(() => {
    const within = content.current
    return anchor === null || within === null ? undefined : showHeading(within, anchor)
  }, [anchor])
  return (
    <div ref={content} className="help-text">
      <Suspense fallback={<AsItIs text={text} />}>
        <Markdown text={text} live={false} below={1} isFile addresses={addresses} />
      </Suspense>
    </div>
  )
}

/** Scroll to a heading once it is rendered; a long page is rendered in slices. Returns a cancel function. */
function showHeading(within: HTMLElement, anchor: string): () => void {
  const show = () => {
    const headings = [...within.querySelectorAll<HTMLElement>('h1, h2, h3, h4, h5, h6')]
    const at = nameAnchors(headings.map(each => each.textContent)).indexOf(anchor)
    const heading = headings[at]
    if (!heading) return false
    heading.tabIndex = -1
    heading.scrollIntoView({ block: 'start' })
    heading.focus({ preventScroll: true })
    return true
  }
  if (show()) return () => undefined
  const drawn = new MutationObserver(() => show() && drawn.disconnect())
  drawn.observe(within, { childList: true, subtree: true })
  return () => drawn.disconnect()
}
