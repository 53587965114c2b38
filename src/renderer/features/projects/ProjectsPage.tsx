import { Folders, Plus } from 'lucide-react'
import { useState, type FormEvent, type ReactNode } from 'react'
import { ChooseButton } from '../../desktop.tsx'
import { goTo, useRoute } from '../../route.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useProjects } from '../../rpc/use-lists.ts'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { NothingYet } from '../../ui/NothingYet.tsx'
import { ProjectCard } from './ProjectCard.tsx'

type Props = {
  /** Shown at the start of the page header. */
  start?: ReactNode
  /** The switches of the toolsets of a project. */
  renderToolsets: (projectId: string) => ReactNode
  onOpenChat: (id: string) => void
  /** Start a chat in a project. */
  onNewChat: (projectId: string) => void
}

/** The page of projects, with the settings for the chats of each. */
export function ProjectsPage({ start, ...parts }: Props): ReactNode {
  const projects = useProjects()
  const shown = useRoute(route => route.itemId)
  const [isMaking, setMaking] = useState(false)
  return (
    <section aria-label="Projects" className="flex min-h-0 flex-1 flex-col">
      <header className="chat-header border-b border-line">
        {start}
        <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Projects</h1>
        <button
          type="button"
          aria-haspopup="dialog"
          className="btn btn-secondary"
          onClick={() => setMaking(true)}
        >
          <Plus size={16} />
          New project
        </button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="column models-column pt-4 pb-8">
          <p className="mb-4 text-sm text-ink-2">
            Chats that belong together, with their own instructions and settings.
          </p>
          {projects.length === 0 ? (
            <NothingYet
              icon={Folders}
              title="No projects yet"
              action="Create your first project"
              onAction={() => setMaking(true)}
            >
              Give it a name and, if you like, a folder. Its instructions, model and notes then apply to all
              its chats.
            </NothingYet>
          ) : (
            <ul aria-label="Your projects" className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {projects.map(project => (
                <ProjectCard
                  key={project.id}
                  project={project}
                  isOpen={project.id === shown}
                  onOpen={isOpen => goTo({ page: 'projects', itemId: isOpen ? project.id : null }, 'replace')}
                  {...parts}
                />
              ))}
            </ul>
          )}
          <p className="mt-4 text-xs text-ink-3">
            To move a chat, drag it to a project in the list of chats, or use its menu. Settings of a chat
            override those of its project, and settings of a project override those of its folder.
          </p>
        </div>
      </div>
      {isMaking && <NewProject onClose={() => setMaking(false)} />}
    </section>
  )
}

function NewProject({ onClose }: { onClose: () => void }) {
  const { client } = useLink()
  const [name, setName] = useState('')
  const [folder, setFolder] = useState('')
  const [problem, setProblem] = useState<string>()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const path = folder.trim()
    const made = await attemptCall(
      client['project.create']({ name: name.trim(), ...(path !== '' && { folder: path }) }),
    )
    if (!made.ok) return setProblem(made.fault.message)
    onClose()
    goTo({ page: 'projects', itemId: made.value.id }, 'replace')
  }
  return (
    <Dialog title="New project" closeLabel="Close" onClose={onClose}>
      <form className="grid gap-3" onSubmit={event => void save(event)}>
        <TextField
          label="Name"
          maxLength={80}
          value={name}
          onChange={event => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
        <TextField
          label="Folder (optional)"
          hint="New chats in this project work there. Give a full path, or one that starts with ~."
          dir="ltr"
          value={folder}
          error={problem}
          onChange={event => {
            setFolder(event.target.value)
            setProblem(undefined)
          }}
        />
        <ChooseButton what="folder" label="Choose…" at={folder} onChosen={setFolder} />
        <DialogButtons label="Create project" disabled={name.trim() === ''} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
