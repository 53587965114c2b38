import { Plug, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { goTo } from '../../route.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Banner } from '../../ui/Banner.tsx'
import { NothingYet } from '../../ui/NothingYet.tsx'
import { AddServer } from './AddServer.tsx'
import { Agents } from './Agents.tsx'
import { FolderNotes } from './FolderNotes.tsx'
import { ServerCard } from './ServerCard.tsx'

/** The MCP servers: what each is doing, its tools, and what it takes of a prompt. */
export function ConnectionsPage({ start }: { start?: ReactNode }): ReactNode {
  const { client } = useLink()
  const [isAdding, setAdding] = useState(false)
  const [open, setOpen] = useState<string | null>(null)
  const answer = useAnswer('mcp.list', {})
  const confinement = useAnswer('app.confinement', {})
  const servers = answer?.ok ? answer.value.servers : []
  const known = servers.map(({ name }) => name)

  function onAdded(name: string): void {
    setOpen(name)
    // Its tools are accepted as they are now; the card shows what comes of it.
    void attemptCall(client['mcp.test']({ name }))
  }

  return (
    <section aria-label="Connections" className="flex min-h-0 flex-1 flex-col">
      <header className="chat-header border-b border-line">
        {start}
        <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Connections</h1>
        <AddButton onClick={() => setAdding(true)} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="column models-column pt-4 pb-8">
          <p className="mb-4 text-sm text-ink-2">
            Programs and addresses that bring tools, by the Model Context Protocol (MCP). A model looks for a
            tool when it needs one, and each call asks you unless you decide otherwise.
          </p>
          <PageNotes />
          <FolderNotes projects={answer?.ok ? answer.value.projects : []} />
          {answer?.ok === false && <Banner level="error">{answer.fault.message}</Banner>}
          {answer?.ok && servers.length === 0 && (
            <NothingYet
              icon={Plug}
              title="No servers yet"
              action="Add your first server"
              onAction={() => setAdding(true)}
            >
              Paste the JSON that the maker of a server prints, or fill in its command or its address. You see
              exactly what would run before anything does.
            </NothingYet>
          )}
          {servers.length > 0 && (
            <ul aria-label="Servers" className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {servers.map(server => (
                <ServerCard
                  key={server.name}
                  server={server}
                  known={known}
                  whyNotConfined={
                    confinement?.ok && !confinement.value.confined ? confinement.value.whyNot : ''
                  }
                  isOpen={open === server.name}
                  onOpen={setOpen}
                />
              ))}
            </ul>
          )}
          <Agents />
        </div>
      </div>
      {isAdding && <AddServer known={known} onAdded={onAdded} onClose={() => setAdding(false)} />}
    </section>
  )
}

/** What holds for all servers at the moment. */
function PageNotes() {
  const isDemo = useHost(host => host.models.find(model => model.id === host.defaultModelId)?.demo === true)
  const isLocked = useHost(host => host.locked)
  return (
    <div className="notice-stack">
      {isDemo && (
        <Banner
          level="info"
          actions={
            <button
              type="button"
              className="btn btn-secondary"
              onClick={() => goTo({ page: 'models' }, 'push')}
            >
              Choose a model
            </button>
          }
        >
          New chats use the built-in model, which is offered none of these tools. Any other model is.
        </Banner>
      )}
      {isLocked && (
        <Banner level="warning">
          The offline lock is on. Servers at addresses elsewhere are not reached, and programs start only
          where they can be confined, without the network.
        </Banner>
      )}
    </div>
  )
}

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" aria-haspopup="dialog" className="btn btn-secondary" onClick={onClick}>
    <Plus size={16} aria-hidden="true" />
    Add a server
  </button>
)
