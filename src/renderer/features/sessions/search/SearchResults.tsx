import { Search } from 'lucide-react'
import { Fragment, useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { showUnseen } from '../../../../shared/visible-text/show-unseen.ts'
import type { RecallHit, RecallPassage } from '../../../../shared/contract/chats/session.ts'
import { ORIGIN_RULES } from '../../../../shared/origin-rules.ts'
import { formatDay, countOf } from '../../../ui/text/format-values.ts'
import { Kbd } from '../../../ui/text/InlineText.tsx'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { cx } from '../../../ui/style.ts'
import { SearchBox } from '../../../ui/fields/TextField.tsx'
import { focusRow, moveRowByKey } from '../chat-row-focus.ts'
import { cutAtMarks, excerptOf, type Piece } from './excerpts.ts'
import { everywhere, isFiltered, roleNames, SearchFilters, useSearch, type Found } from './use-search.tsx'

type FieldProps = { query: string; onQuery: (query: string) => void; focused: boolean }

/** Searches titles and messages of all chats. Down moves to the results, Enter opens the first. */
export function SearchField({ query, onQuery, focused }: FieldProps): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) field.current?.focus()
  }, [focused])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'arrowdown') && (!isKey(event, 'enter') || query === '')) return
    event.preventDefault()
    const row = focusRow('first')
    if (event.key === 'Enter') row?.click()
  }
  return (
    <SearchBox
      label="Search in chats"
      query={query}
      onQuery={onQuery}
      onKeyDown={onKeyDown}
      fieldRef={field}
      icon={<Search size={16} />}
      whenEmpty={<Kbd keys="mod+shift+f" />}
      fieldClassName="search-field"
      isMain
    />
  )
}

/** Maximum passages shown per chat. */
const PASSAGES = 3

type Props = {
  activeId: string | null
  query: string
  /** Open a chat, at a message if given. */
  onOpen: (id: string, messageId?: number) => void
}

/** Results by chat: its title and best passages. Arrows move, Enter opens the passage. */
export function SearchResults({ activeId, query, onOpen }: Props): ReactNode {
  const [filters, setFilters] = useState(everywhere)
  const found = useSearch(query, filters)
  const hits = found?.hits.ok ? found.hits.value : []
  return (
    <>
      <SearchFilters filters={filters} onChange={setFilters} />
      <Summary
        found={found}
        onEverywhere={() => setFilters(everywhere)}
        onAgain={() => setFilters({ ...filters })}
      />
      <div role="presentation" onKeyDown={moveRowByKey}>
        <ul>
          {hits.map((hit, index) => (
            <Hit
              key={hit.sessionId}
              hit={hit}
              first={index === 0}
              active={hit.sessionId === activeId}
              onOpen={onOpen}
            />
          ))}
        </ul>
      </div>
    </>
  )
}

type SummaryProps = { found: Found | undefined; onEverywhere: () => void; onAgain: () => void }

function Summary({ found, onEverywhere, onAgain }: SummaryProps) {
  return (
    <div className="grid justify-items-start gap-1.5 px-2.5 pt-2.5 pb-1 text-xs text-ink-3">
      <output className={cx('block break-words', found?.hits.ok === false && 'text-danger')}>
        {summaryOf(found)}
      </output>
      {found?.hits.ok === false && (
        <button type="button" className="btn btn-secondary" onClick={onAgain}>
          Try again
        </button>
      )}
      {found?.hits.ok && found.hits.value.length === 0 && (
        <>
          <p>
            {isFiltered(found.filters)
              ? 'Filters are on, so only part of your chats was searched.'
              : 'Try fewer words, or words from the chat itself: names, numbers, the exact term.'}
          </p>
          {isFiltered(found.filters) && (
            <button type="button" className="btn btn-secondary" onClick={onEverywhere}>
              Search everywhere
            </button>
          )}
        </>
      )}
    </div>
  )
}

function summaryOf(found: Found | undefined): string {
  if (found === undefined) return 'Searching…'
  if (!found.hits.ok) return `The search failed: ${found.hits.fault.message}`
  const { length } = found.hits.value
  return length === 0 ? `Nothing found for “${found.query}”.` : countOf(length, 'chat found', 'chats found')
}

type HitProps = { hit: RecallHit; first: boolean; active: boolean; onOpen: Props['onOpen'] }

function Hit({ hit, first, active, onOpen }: HitProps) {
  const { sessionId, origin, title, titleMarks, updatedAt, archived } = hit
  const badges = [ORIGIN_RULES[origin].badge, archived && 'Archived'].filter(Boolean)
  const passages = hit.passages.slice(0, PASSAGES)
  return (
    <li className="pt-1">
      <button
        type="button"
        data-row=""
        tabIndex={first ? 0 : -1}
        aria-current={active ? 'page' : undefined}
        className={cx('side-item items-baseline', active && 'bg-active text-ink')}
        onClick={() => onOpen(sessionId, passages[0]?.messageId)}
      >
        <span dir="auto" className="min-w-0 flex-1 truncate font-medium text-ink">
          <Marked
            pieces={title === '' ? [{ text: 'New chat', hit: false }] : cutAtMarks(title, titleMarks)}
          />
        </span>
        {badges.map(badge => (
          <span key={badge} className="shrink-0 rounded-sm bg-active px-1 text-2xs text-ink-2">
            {badge}
          </span>
        ))}
        {passages.length === 0 && (
          <span className="shrink-0 text-2xs text-ink-3">{formatDay(updatedAt)}</span>
        )}
      </button>
      {passages.length > 0 && (
        <ul>
          {passages.map(passage => (
            <Passage
              key={passage.messageId}
              passage={passage}
              onOpen={() => onOpen(sessionId, passage.messageId)}
            />
          ))}
        </ul>
      )}
    </li>
  )
}

function Passage({ passage, onOpen }: { passage: RecallPassage; onOpen: () => void }) {
  const { role, at, text, marks, elsewhere } = passage
  return (
    <li>
      <button type="button" data-row="" tabIndex={-1} className="side-item passage" onClick={onOpen}>
        <span className="flex gap-2 text-2xs text-ink-3">
          <span className="flex-1">
            {roleNames[role]}
            {elsewhere && ' · on another branch'}
          </span>
          <span>{formatDay(at)}</span>
        </span>
        <span dir="auto" className="line-clamp-3 text-xs break-words text-ink-2">
          <Marked pieces={excerptOf(text, marks)} />
        </span>
      </button>
    </li>
  )
}

/** A text with the search matches highlighted. */
function Marked({ pieces }: { pieces: readonly Piece[] }): ReactNode {
  return pieces.map((piece, index) =>
    // The index is the only identity of a piece.
    // oxlint-disable-next-line react/no-array-index-key
    piece.hit ? (
      <mark key={index}>{showUnseen(piece.text)}</mark>
    ) : (
      <Fragment key={index}>{showUnseen(piece.text)}</Fragment>
    ),
  )
}
