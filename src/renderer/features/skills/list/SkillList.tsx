import {
  createContext,
  use,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react'
import { Virtualizer, type CustomItemComponentProps, type VirtualizerHandle } from 'virtua'
import { useRoute } from '../../../route.ts'
import { LinkRow, UnreadableRow } from './LinkRows.tsx'
import { DeletedRow, FolderRow, SkillRow } from './SkillRows.tsx'
import { focusSkill } from './skill-row-focus.ts'
import { useSkills } from '../use-skills.ts'
import type { Row } from '../skills-state.ts'

export type SkillListHandle = {
  /** Focus a skill in the list; without an id, the row in the tab order. */
  focus: (id?: string) => void
}

type Props = { rows: readonly Row[]; ref?: Ref<SkillListHandle> }

/** Estimated row height before it is measured, in pixels. */
const ROW = 78

/** Maximum wait for a row to render after scrolling to it, in frames. */
const FRAMES = 60

/** A virtualized list. One row is in the tab order; arrow keys reach the others. */
export function SkillList({ rows, ref }: Props): ReactNode {
  const selected = useSkills(skills => skills.selected)
  const opened = useRoute(route => route.skillId)
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const [lastId, setLastId] = useState<string | null>(null)

  const places = useMemo(
    () => new Map(rows.flatMap((row, index) => (row.kind === 'skill' ? [[row.key, index] as const] : []))),
    [rows],
  )
  const ids = useMemo(() => [...places.keys()], [places])
  const tabId = [lastId, opened].find(id => id !== null && places.has(id)) ?? ids[0]
  const tabAt = places.get(tabId ?? '')

  const focus = (id: string | undefined) => {
    const at = places.get(id ?? '')
    if (id === undefined || at === undefined) return
    setLastId(id)
    list.current?.scrollToIndex(at, { align: 'nearest' })
    const look = (frames: number) => {
      if (!focusSkill(id) && frames > 0) requestAnimationFrame(() => look(frames - 1))
    }
    look(FRAMES)
  }
  useImperativeHandle(ref, () => ({ focus: (id = tabId) => focus(id) }))

  const openedAt = places.get(opened ?? '')
  const known = openedAt !== undefined
  useEffect(() => {
    if (openedAt !== undefined) list.current?.scrollToIndex(openedAt, { align: 'nearest' })
    // Only when another skill opens or becomes known: re-sorting must not scroll the list.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [opened, known])

  const onKeyDown = (event: KeyboardEvent) => {
    const focused = (event.target as HTMLElement).closest('li')?.querySelector('[data-skill]')
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const at = ids.indexOf(focused?.getAttribute('data-skill') ?? '')
    const id = {
      ArrowDown: ids[at + 1],
      ArrowUp: at > 0 ? ids[at - 1] : undefined,
      PageDown: ids[Math.min(ids.length - 1, at + 10)],
      PageUp: ids[Math.max(0, at - 10)],
      Home: ids[0],
      End: ids.at(-1),
    }[event.key]
    if (id === undefined) return
    event.preventDefault()
    focus(id)
  }

  return (
    <div
      ref={scroller}
      role="presentation"
      className="row-scroller skill-scroller"
      onKeyDown={onKeyDown}
      onFocus={event => {
        const id = (event.target as HTMLElement).closest('li')?.querySelector('[data-skill]')
        setLastId(id?.getAttribute('data-skill') ?? lastId)
      }}
    >
      <CountContext value={rows.length}>
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={rows}
          itemSize={ROW}
          as={List}
          item={Item}
          keepMounted={tabAt === undefined ? [] : [tabAt]}
        >
          {row => (
            <div key={row.key}>
              {row.kind === 'skill' ? (
                <SkillRow
                  skill={row.skill}
                  selected={selected.has(row.key)}
                  opened={row.key === opened}
                  inTabOrder={row.key === tabId}
                />
              ) : row.kind === 'folder' ? (
                <FolderRow folder={row.folder} />
              ) : row.kind === 'deleted' ? (
                <DeletedRow revision={row.revision} />
              ) : row.kind === 'link' ? (
                <LinkRow link={row.link} />
              ) : (
                <UnreadableRow path={row.path} reason={row.reason} target={row.target} />
              )}
            </div>
          )}
        </Virtualizer>
      </CountContext>
    </div>
  )
}

const CountContext = createContext(0)

// Rows out of view are not rendered, so each rendered row carries its position and the total.
function List({ ref, ...props }: { style: CSSProperties; children: ReactNode; ref?: Ref<HTMLUListElement> }) {
  return <ul ref={ref} aria-label="Skills" {...props} />
}

function Item({ ref, index, ...props }: CustomItemComponentProps) {
  const count = use(CountContext)
  return <li ref={ref} aria-setsize={count} aria-posinset={index + 1} {...props} />
}
