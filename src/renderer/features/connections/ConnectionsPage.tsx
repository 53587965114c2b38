import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { useAsked } from '../../rpc/use-asked.ts'
import { Banner } from '../../ui/Banner.tsx'
import { AddServer } from './AddServer.tsx'
import { ServerCard } from './ServerCard.tsx'

/** The MCP servers: what each is doing, its tools, and what it takes of a prompt. */
export function ConnectionsPage({ start }: { start?: ReactNode }): ReactNode {
  const { client } = useLink()
  const version = useHost(host => host.mcpVersion)
  const [isAdding, setAdding] = useState(false)
  const answer = useAsked(signal => attemptCall(client['mcp.list']({}, { signal })), String(version))
  const servers = answer?.ok ? answer.value.servers : []
  return (
    <section aria-label="Connections" className="flex min-h-0 flex-1 flex-col">
      <header>
        <div className="chat-header">
          {start}
          <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Connections</h1>
          <button
            type="button"
            aria-haspopup="dialog"
            className="btn btn-secondary"
            onClick={() => setAdding(true)}
          >
            <Plus size={16} aria-hidden="true" />
            Add a server
          </button>
        </div>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="column pt-4 pb-8">
          <p className="mb-4 text-sm text-ink-2">
            MCP servers are programs and addresses that bring tools. A model finds them when it needs one;
            what is pinned stands in the prompt of every new chat. The built-in model is offered none of them.
          </p>
          {answer?.ok === false && <Banner level="error">{answer.fault.message}</Banner>}
          {answer?.ok && servers.length === 0 && (
            <p className="text-sm text-ink-2">
              No servers yet. Add one by its command, its address or its JSON.
            </p>
          )}
          <ul aria-label="Servers" className="grid gap-3">
            {servers.map(server => (
              <ServerCard key={server.name} server={server} />
            ))}
          </ul>
        </div>
      </div>
      {isAdding && <AddServer known={servers.map(({ name }) => name)} onClose={() => setAdding(false)} />}
    </section>
  )
}
