import { Search } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { isKey } from './keyboard/keys.ts'
import { cx } from './style.ts'

/** A row that can be chosen. */
export type Pick = {
  id: string
  icon?: ReactNode
  text: ReactNode
  /** Shown quietly at the end, such as a shortcut or a time. */
  end?: ReactNode
  danger?: boolean
}
type PickGroup<P extends Pick> = { title: string; picks: readonly P[] }

type Props<P extends Pick> = {
  label: string
  hint: string
  query: string
  onQuery: (query: string) => void
  groups: readonly PickGroup<P>[]
  /** `other`: with Ctrl or Cmd, for the secondary action. */
  onPick: (pick: P, how: { other: boolean }) => void
  /** The initially active row, scrolled into view. Without it, or after typing, the first row is active. */
  startId?: string | undefined
  /** Shown if nothing matches. */
  empty: ReactNode
  /** Whether more rows may still load. Enter then waits for the first match. */
  isReading?: boolean
  /** Rendered below the list, about the row that Enter would choose. */
  renderFooter?: (pick: P | undefined) => ReactNode
}

/** How many rows Page Up and Page Down move. */
const LEAP = 10

type Row<P> = { heading: string; key: string } | { pick: P; index: number; key: string }

/** A field above a grouped list. Typing filters, arrows move, Enter chooses. Mounts only rows in view. */
export function PickList<P extends Pick>(props: Props<P>): ReactNode {
  const {
    label,
    hint,
    query,
    onQuery,
    groups,
    onPick,
    startId,
    empty,
    isReading = false,
    renderFooter,
  } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const field = useRef<HTMLInputElement>(null)
  // A list that replaces another also takes the keyboard focus.
  useEffect(() => field.current?.focus(), [])
  const { rows, picks } = rowsOf(groups)
  const startAt = Math.max(
    0,
    picks.findIndex(pick => pick.id === startId),
  )
  const [pointed, setPointed] = useState<{ query: string; at: number; byPointer?: true }>({
    query,
    at: startAt,
  })
  // After each query the first row is the best match.
  const at = Math.min(pointed.query === query ? pointed.at : 0, picks.length - 1)
  const chosen = picks[at]
  const rowAt = rows.findIndex(row => 'index' in row && row.index === at)
  const optionId = (index: number) => `${id}-${index}`

  /** An Enter that was pressed before any row had loaded. */
  const [early, setEarly] = useState<{ query: string; other: boolean } | null>(null)
  const pickEarly = useEffectEvent(() => {
    if (early === null) return
    const isSame = early.query === query
    if (isSame && chosen) onPick(chosen, early)
    if (!isSame || chosen || !isReading) setEarly(null)
  })
  useEffect(() => pickEarly(), [early, query, chosen?.id, isReading])

  useLayoutEffect(() => {
    if (rowAt < 0 || pointed.byPointer) return
    // Also scroll the heading above the first row of a group into view.
    const isFirst = rowAt > 0 && 'heading' in rows[rowAt - 1]!
    if (isFirst) list.current?.scrollToIndex(rowAt - 1, { align: 'nearest' })
    list.current?.scrollToIndex(rowAt, { align: at === startAt && at > 0 ? 'center' : 'nearest' })
    // oxlint-disable-next-line react/exhaustive-deps -- only a move scrolls, not a list that was read again
  }, [at, query])

  const onKeyDown = (event: KeyboardEvent) => {
    const last = picks.length - 1
    const to = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at === 0 ? last : at - 1,
      PageDown: Math.min(last, at + LEAP),
      PageUp: Math.max(0, at - LEAP),
      ...(event.ctrlKey || query === '' ? { Home: 0, End: last } : {}),
    }[event.key]
    if (to !== undefined && !event.shiftKey && !event.altKey) setPointed({ query, at: to })
    else if (isKey(event, 'enter') || isKey(event, 'mod+enter')) {
      const other = isKey(event, 'mod+enter')
      if (chosen) onPick(chosen, { other })
      else if (isReading) setEarly({ query, other })
    } else return
    event.preventDefault()
  }

  return (
    <div className="pick-list">
      <div className="relative flex items-center border-b border-line">
        <Search size={18} className="pointer-events-none absolute start-4 text-ink-2" />
        <input
          ref={field}
          type="text"
          role="combobox"
          dir="auto"
          aria-label={label}
          aria-expanded={picks.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={chosen && optionId(at)}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          placeholder={hint}
          value={query}
          className="pick-field"
          onChange={event => onQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={scroller} className="pick-rows">
        {/* HTML has no element for a list that another field controls. */}
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
        <div id={id} role="listbox" tabIndex={-1} aria-label={label}>
          <Virtualizer ref={list} scrollRef={scroller} keepMounted={rowAt < 0 ? [] : [rowAt]}>
            {rows.map(row =>
              'heading' in row ? (
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                <div key={row.key} role="presentation" className="pick-heading">
                  {row.heading}
                </div>
              ) : (
                // The field handles the keys and names the active option.
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
                <div
                  key={row.key}
                  id={optionId(row.index)}
                  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                  role="option"
                  aria-selected={row.index === at}
                  aria-setsize={picks.length}
                  aria-posinset={row.index + 1}
                  className={cx('pick', row.index === at && 'pick-at', row.pick.danger && 'text-danger')}
                  onPointerMove={() =>
                    row.index !== at && setPointed({ query, at: row.index, byPointer: true })
                  }
                  onClick={event => onPick(row.pick, { other: event.ctrlKey || event.metaKey })}
                >
                  {row.pick.icon !== undefined && (
                    <span aria-hidden="true" className="shrink-0 text-ink-3">
                      {row.pick.icon}
                    </span>
                  )}
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {row.pick.text}
                  </span>
                  {row.pick.end !== undefined && (
                    <span className="shrink-0 text-xs text-ink-3">{row.pick.end}</span>
                  )}
                </div>
              ),
            )}
          </Virtualizer>
        </div>
        {picks.length === 0 && <div className="px-4 py-6 text-center text-sm text-ink-3">{empty}</div>}
      </div>
      {renderFooter && <div className="pick-footer">{renderFooter(chosen)}</div>}
    </div>
  )
}

function rowsOf<P extends Pick>(groups: readonly PickGroup<P>[]): { rows: Row<P>[]; picks: P[] } {
  const rows: Row<P>[] = []
  const picks: P[] = []
  for (const group of groups) {
    if (group.picks.length === 0) continue
    rows.push({ heading: group.title, key: `heading ${group.title}` })
    for (const pick of group.picks) {
      rows.push({ pick, index: picks.length, key: pick.id })
      picks.push(pick)
    }
  }
  return { rows, picks }
}
