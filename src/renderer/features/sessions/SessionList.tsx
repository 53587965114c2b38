import { useEffect, useMemo, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useProjects } from '../../rpc/use-lists.ts'
import { moveRowByKey } from './chat-row-focus.ts'
import { DropChat, ProjectGroup } from './ProjectGroup.tsx'
import { RowList, type RowPlace } from './RowList.tsx'
import { ScheduleGroup, shownRuns, useFoldedCounts, type ListEntry } from './ScheduleGroup.tsx'
import { SessionRow } from './SessionRow.tsx'
import { arrangeChats } from './group-sessions.ts'

const groupNames = {
  pinned: 'Pinned',
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'Previous 7 days',
  older: 'Older',
}

type Props = {
  activeId: string | null
  onOpen: (id: string) => void
  onNew: () => void
  onExport: (id: string) => void
}

/** All chats: those of projects below their names, the others by day. The next page loads when the end scrolls into view. */
export function SessionList({ activeId, onOpen, onNew, onExport }: Props): ReactNode {
  const sessions = useHost(host => host.sessions)
  const loaded = useHost(host => host.sessionsLoaded)
  const today = useToday()
  const projects = useProjects()
  // Other chats are listed even if not open, so opening one does not rearrange the list.
  const openAgent = useHost(host =>
    activeId !== null && host.sessions[activeId]?.origin === 'sub_agent' ? activeId : null,
  )
  const { groups, byProject, below } = useMemo(
    () =>
      arrangeChats(Object.values(sessions), {
        projects: new Set(projects.map(({ id }) => id)),
        now: today,
        openId: openAgent,
      }),
    [sessions, projects, today, openAgent],
  )
  // Roving tabindex: one tab stop, and arrow keys between the rows.
  const shown = groups.flatMap(group => group.entries)
  const folds = shown.filter(entry => 'chats' in entry)
  const counted = useFoldedCounts(folds.reduce((sum, { chats }) => sum + chats.length, 0))
  const inProjects = [...byProject.values()].flat()
  const [first] = shown
  const firstId = projects[0]?.id ?? (first && ('id' in first ? first.id : first.scheduleId))
  const chats = shown.flatMap(entry => ('chats' in entry ? entry.chats : entry))
  const tabId = [...chats, ...inProjects].some(session => session.id === activeId) ? activeId : firstId
  const rowOf = (
    session: Session,
    more: RowPlace & Pick<ComponentProps<typeof SessionRow>, 'shortTitle' | 'run'>,
  ) => (
    <SessionRow
      key={session.id}
      session={session}
      active={session.id === activeId}
      inTabOrder={session.id === tabId}
      isBelow={below.has(session.id)}
      onOpen={onOpen}
      onNew={onNew}
      onExport={onExport}
      {...more}
    />
  )
  const entryOf = (entry: ListEntry, place: RowPlace) =>
    'id' in entry ? (
      rowOf(entry, place)
    ) : (
      <ScheduleGroup
        key={entry.scheduleId}
        fold={entry}
        counted={counted(entry.scheduleId)}
        place={place}
        activeId={activeId}
        tabId={tabId}
        renderRow={rowOf}
      />
    )

  if (loaded && shown.length === 0 && projects.length === 0)
    return <p className="px-2.5 py-2 text-sm text-ink-3">Your chats appear here.</p>
  return (
    <div role="presentation" onKeyDown={moveRowByKey}>
      {projects.length > 0 && <h2 className="px-2.5 pt-3 pb-1 text-xs font-medium text-ink-3">Projects</h2>}
      {projects.map(project => (
        <ProjectGroup
          key={project.id}
          project={project}
          isEmpty={!byProject.has(project.id)}
          inTabOrder={project.id === tabId}
        >
          <RowList
            entries={byProject.get(project.id) ?? []}
            idsOf={idsOf}
            renderEntry={rowOf}
            tabId={tabId}
            className="ms-3 border-s border-line ps-1"
          />
        </ProjectGroup>
      ))}
      <DropChat projectId={null}>
        {groups.map(group => (
          <section key={group.id} aria-labelledby={`group-${group.id}`}>
            <h2 id={`group-${group.id}`} className="px-2.5 pt-3 pb-1 text-xs font-medium text-ink-3">
              {groupNames[group.id]}
            </h2>
            <RowList
              entries={group.entries}
              idsOf={idsOf}
              shownOf={shownOf}
              renderEntry={entryOf}
              tabId={tabId}
            />
          </section>
        ))}
      </DropChat>
      <More key={Object.keys(sessions).length} />
    </div>
  )
}

/** Remounted after every page, so a page that does not fill the window loads the next. */
function More() {
  const more = useHost(host => host.moreSessions)
  const load = useHost(host => host.loadMoreSessions)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = end.current
    if (!more || !element) return
    const seen = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) void load()
    })
    seen.observe(element)
    return () => seen.disconnect()
  }, [more, load])
  return <div ref={end} className="h-px" />
}

/** The current day, updated when the window stays open past midnight. */
function useToday(): Date {
  const [today, setToday] = useState(() => new Date())
  useEffect(() => {
    const look = () =>
      setToday(before => (before.toDateString() === new Date().toDateString() ? before : new Date()))
    const timer = setInterval(look, 60_000)
    return () => clearInterval(timer)
  }, [])
  return today
}

const idsOf = (entry: ListEntry) =>
  'id' in entry ? [entry.id] : [entry.scheduleId, ...entry.chats.map(({ id }) => id)]
const shownOf = (entry: ListEntry) => ('id' in entry ? [entry.id] : shownRuns(entry))
