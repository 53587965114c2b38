import { ChevronRight, Ellipsis, Folder, FolderOpen, PenLine, SquarePen, Trash2 } from 'lucide-react'
import { useEffect, useState, type DragEvent, type ReactNode } from 'react'
import { afterRemoval, type Project } from '../../../shared/contract/chats/projects.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { useProjects } from '../../rpc/use-lists.ts'
import { goTo } from '../../route.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { keepValue, readKept } from '../../ui/local-storage.ts'
import { Menu } from '../../ui/Menu.tsx'
import { cx } from '../../ui/style.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { countOf } from '../../ui/text/format-values.ts'

/** The data type of a dragged chat. */
const DRAGGED = 'application/x-talaria-chat'

/** Lets a chat be dragged. */
export const draggableChat = (id: string) => ({
  draggable: true,
  onDragStart(event: DragEvent) {
    event.dataTransfer.setData(DRAGGED, id)
    event.dataTransfer.effectAllowed = 'move'
  },
})

/** Moves a chat to a project, or with null out of its project. A toast reports the result. */
export function useMoveChat(): (id: string, projectId: string | null) => Promise<void> {
  const update = useHost(host => host.updateSession)
  const projects = useProjects()
  const sessions = useHost(host => host.sessions)
  return async (id, projectId) => {
    const known = sessions[id]
    if (!known || known.projectId === projectId) return
    const moved = await update(id, { projectId })
    if (!moved.ok) return showToast(moved.fault.message, { level: 'error' })
    const name = projects.find(each => each.id === projectId)?.name
    const stays = known.messageCount > 0 && name !== undefined ? ' Its model, mode and folder stay.' : ''
    showToast(
      name === undefined ? 'The chat is no longer in a project.' : `Moved to “${showHidden(name)}”.${stays}`,
      { action: { label: 'Undo', run: () => void update(id, { projectId: known.projectId }) } },
    )
  }
}

/** A drop target for a dragged chat. */
export function DropChat({
  projectId,
  children,
}: {
  projectId: string | null
  children: ReactNode
}): ReactNode {
  const [isOver, setOver] = useState(false)
  const move = useMoveChat()
  return (
    <div
      role="presentation"
      className={cx('rounded-lg', isOver && 'bg-accent-soft outline-1 outline-accent')}
      onDragOver={event => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={event => {
        setOver(false)
        const id = event.dataTransfer.getData(DRAGGED)
        if (id === '') return
        event.preventDefault()
        void move(id, projectId)
      }}
    >
      {children}
    </div>
  )
}

type Props = {
  project: Project
  /** The list of its loaded chats. */
  children: ReactNode
  isEmpty: boolean
  inTabOrder: boolean
}

const keyOf = (id: string) => `project.${id}`
const CLOSED = 'closed'

/** The chats of one project in the list, below its name, which opens and closes them. */
export function ProjectGroup({ project, children, isEmpty, inTabOrder }: Props): ReactNode {
  const { id, name, chats } = project
  const [isOpen, setOpen] = useState(() => readKept(keyOf(id)) !== CLOSED)
  const load = useHost(host => host.loadGroup)
  const { remove, start } = useProjectActions(project)
  useEffect(() => {
    if (isOpen && chats > 0) void load({ projectId: id })
  }, [isOpen, id, chats, load])
  const toggle = () => {
    keepValue(keyOf(id), isOpen ? CLOSED : '')
    setOpen(!isOpen)
  }
  const shown = showHidden(name)
  const tabIndex = inTabOrder ? 0 : -1
  const Sign = isOpen ? FolderOpen : Folder
  return (
    <DropChat projectId={id}>
      <section aria-label={`Project ${shown}`}>
        <div className="group relative">
          <button
            type="button"
            data-row=""
            tabIndex={tabIndex}
            aria-expanded={isOpen}
            className="side-item session-row project-row font-medium"
            onClick={toggle}
          >
            <ChevronRight size={12} className={cx('shrink-0 transition-transform', isOpen && 'rotate-90')} />
            <Sign size={16} className="shrink-0" />
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {shown}
            </span>
            <span className="text-xs font-normal text-ink-3">
              <span aria-hidden="true">{chats}</span>
              <span className="sr-only">{countOf(chats, 'chat', 'chats')}</span>
            </span>
          </button>
          <span className="session-menu">
            <IconButton
              small
              label={`New chat in the project “${shown}”`}
              title="New chat in this project"
              tabIndex={tabIndex}
              onClick={() => void start()}
            >
              <SquarePen size={16} />
            </IconButton>
            <Menu
              label={`More for the project “${shown}”`}
              align="end"
              entries={[
                {
                  id: 'new',
                  label: 'New chat in this project',
                  icon: <SquarePen size={16} />,
                  onSelect: () => void start(),
                },
                {
                  id: 'edit',
                  label: 'Edit…',
                  icon: <PenLine size={16} />,
                  onSelect: () => goTo({ page: 'projects', itemId: id }),
                },
                {
                  id: 'remove',
                  label: 'Remove the project',
                  hint: 'Its chats stay.',
                  danger: true,
                  icon: <Trash2 size={16} />,
                  onSelect: () => void remove(),
                },
              ]}
              renderButton={props => (
                <IconButton small label={`More for the project “${shown}”`} tabIndex={tabIndex} {...props}>
                  <Ellipsis size={16} />
                </IconButton>
              )}
            />
          </span>
        </div>
        {isOpen && !isEmpty && children}
      </section>
    </DropChat>
  )
}

function useProjectActions(project: Project) {
  const { id, name } = project
  const { client } = useLink()
  return {
    async start() {
      const made = await attemptCall(client['session.create']({ projectId: id }))
      if (!made.ok) return showToast(made.fault.message, { level: 'error' })
      goTo({ chatId: made.value.id })
    },
    async remove() {
      const removed = await attemptCall(client['project.remove']({ id }))
      if (!removed.ok) return showToast(removed.fault.message, { level: 'error' })
      const restore = async () => {
        const restored = await attemptCall(client['project.restore']({ id }))
        if (!restored.ok) showToast(restored.fault.message, { level: 'error' })
      }
      showToast(`The project “${showHidden(name)}” was removed. ${afterRemoval(project)}`, {
        ms: 10_000,
        action: { label: 'Undo', run: () => void restore() },
      })
    },
  }
}
