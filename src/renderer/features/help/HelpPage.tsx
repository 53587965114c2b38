import { ArrowLeft, Keyboard } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import type { HelpGroup } from '../../../shared/contract/help.ts'
import { goTo } from '../../route.ts'
import { useAnswer, useSettled } from '../../rpc/use-answer.ts'
import { Banner } from '../../ui/Banner.tsx'
import { SearchBox } from '../../ui/fields/TextField.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { cx, useMedia } from '../../ui/style.ts'
import { HelpFound, HelpList } from './HelpList.tsx'
import { HelpText } from './HelpText.tsx'

type Props = {
  /** Shown at the start of the page header. */
  start?: ReactNode
  /** The page named in the address; null for the list, or for the first page beside the list. */
  id: string | null
  /** The heading named in the address. */
  anchor: string | null
  onShortcuts: () => void
}

/** How long to wait for the next key before a search, in ms. */
const TYPING_MS = 150

/** Help: the documents that ship with Talaria, read and searched without a network. */
export function HelpPage({ start, id, anchor, onShortcuts }: Props): ReactNode {
  const answer = useAnswer('help.list', {}, { isTold: true })
  const groups = answer?.ok ? answer.value.groups : undefined
  const [query, setQuery] = useState('')
  const roomy = useMedia('(min-width: 64rem)')
  // A page is always shown beside the list.
  const shown = id ?? (roomy ? (groups?.[0]?.pages[0]?.id ?? null) : null)
  const isAlone = !roomy && shown !== null

  return (
    <section aria-label="Help" className="flex min-h-0 flex-1 flex-col">
      <header className="chat-header border-b border-line">
        {start}
        {isAlone && (
          <IconButton label="All Help pages" onClick={() => goTo({ page: 'help' })}>
            <ArrowLeft size={18} className="rtl:-scale-x-100" />
          </IconButton>
        )}
        <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Help</h1>
        <button type="button" aria-haspopup="dialog" className="btn btn-quiet" onClick={onShortcuts}>
          <Keyboard size={16} />
          Keyboard shortcuts
        </button>
      </header>
      {answer?.ok === false && <Banner level="error">{answer.fault.message}</Banner>}
      {groups?.length === 0 && (
        <Banner level="error">The Help pages are missing from this installation.</Banner>
      )}
      <div className="flex min-h-0 flex-1">
        {!isAlone && (
          <div className={cx('help-pane', !roomy && 'help-pane-alone')}>
            <SearchBox label="Search Help" query={query} onQuery={setQuery} />
            {groups && <FoundOrList groups={groups} query={query.trim()} id={shown} isRoomy={!roomy} />}
          </div>
        )}
        {shown !== null && groups && <ShownPage key={shown} id={shown} anchor={anchor} groups={groups} />}
      </div>
    </section>
  )
}

type FoundOrListProps = { groups: readonly HelpGroup[]; query: string; id: string | null; isRoomy: boolean }

function FoundOrList({ groups, query, id, isRoomy }: FoundOrListProps) {
  const settled = useSettled(query, TYPING_MS)
  const found = useAnswer('help.find', { query: settled }, { isOff: settled === '', isBrief: true })
  if (query === '') return <HelpList groups={groups} id={id} isRoomy={isRoomy} />
  if (found?.ok === false) return <Banner level="error">{found.fault.message}</Banner>
  return found && settled !== '' ? <HelpFound passages={found.value.passages} query={settled} /> : null
}

type ShownProps = { id: string; anchor: string | null; groups: readonly HelpGroup[] }

function ShownPage({ id, anchor, groups }: ShownProps) {
  const answer = useAnswer('help.page', { id }, { isTold: true })
  const ids = useMemo(() => new Set(groups.flatMap(({ pages }) => pages.map(each => each.id))), [groups])
  return (
    <div
      aria-label={answer?.ok ? answer.value.title : 'Help page'}
      // A scroll container needs keyboard focus, because a page may be text only.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      className="help-content"
    >
      {answer?.ok === false && <Banner level="error">{answer.fault.message}</Banner>}
      {answer?.ok && <HelpText page={answer.value} ids={ids} anchor={anchor} />}
    </div>
  )
}
