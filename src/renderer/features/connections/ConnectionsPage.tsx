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

/**
 * The Connections page: the MCP servers with their state, tools and share of a prompt, and the connected
 * programs.
 */
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
    // The test accepts its tools as they are now. The card shows the result.
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
            Servers give models more tools, by the Model Context Protocol (MCP). Each is a program on this
            computer or an address. A model looks for a tool when it needs one, and you are asked before each
            call unless you decide otherwise.
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
              Paste the JSON from the documentation of a server, or enter its command or address. You see
              exactly what would run before it does.
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

/** Notices about all servers. */
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
          New chats use the built-in model, which cannot use these tools. Every other model can.
        </Banner>
      )}
      {isLocked && (
        <Banner level="warning">
          The offline lock is on. Servers at addresses elsewhere cannot be reached. Programs start only if
          they can be confined, and get no network.
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
