import { Trash2 } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { ConnectedAgent } from '../../../shared/contract/connections/agents.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { useAnswers, useHost } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Banner } from '../../ui/Banner.tsx'
import { MoreMenu } from '../../ui/Menu.tsx'
import { OpenableCard } from '../../ui/OpenableCard.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { useHostCall } from '../../use-host-call.ts'
import { AgentRequests, AgentRights } from './AgentRights.tsx'
import { Programs } from './Programs.tsx'
import { tellAsked } from './tell-connection.ts'
import { placeElements } from '../../ui/text/place-elements.tsx'

/**
 * Other programs with agents: those that Talaria can connect, and those that read from Talaria with a key.
 */
export function Agents(): ReactNode {
  const { renew } = useAnswers()
  const isLocked = useHost(host => host.locked)
  const [open, setOpen] = useState<string | null>(null)
  const [now, setNow] = useState(Date.now)
  // Times such as “2 hours ago” get out of date.
  useEffect(() => {
    const look = () => setNow(Date.now())
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [])
  const listed = useAnswer('agents.list', {})
  const connected = useAnswer('connect.list', {})
  const agents = listed?.ok ? listed.value.agents : []
  const connections = connected?.ok ? connected.value.connections : []
  const inPrograms = new Set(connections.map(({ agentId }) => agentId))
  const others = agents.filter(({ id }) => !inPrograms.has(id))
  return (
    <section aria-labelledby="agents-heading" className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 id="agents-heading" className="text-sm font-semibold">
        Agents
      </h2>
      <p className="text-sm text-ink-2">
        Programs such as Claude Code or an editor can search your memory, chats and skills once you allow it
        here. What a program reads goes to its provider.
      </p>
      {listed?.ok === false && <Banner level="error">{listed.fault.message}</Banner>}
      {connected?.ok === false && <Banner level="error">{connected.fault.message}</Banner>}
      {isLocked && agents.length > 0 && (
        <Banner level="warning">
          The offline lock is on. These programs get nothing, because what they read may leave this computer.
        </Banner>
      )}
      {connections.length > 0 && listed && (
        <Programs
          connections={connections}
          agents={agents}
          open={open}
          onOpen={setOpen}
          now={now}
          onChanged={() => {
            setNow(Date.now())
            void renew(['agents'])
          }}
        />
      )}
      <h3 id="keys-heading" className="mt-4 text-sm font-medium">
        Other programs
      </h3>
      <p className="text-sm text-ink-2">
        {placeElements(
          'To add an editor, or any program that supports the Model Context Protocol, run {command} in a terminal, put what it prints into the settings of that program, and allow it here.',
          { command: <code className="font-mono">talaria mcp serve --print vscode</code> },
        )}
      </p>
      <p className="text-sm text-ink-2">
        {placeElements(
          'For Codex and Gemini CLI, {codex} and {gemini} print the lines to add. Neither has been tested.',
          {
            codex: <code className="font-mono">talaria connect codex --print</code>,
            gemini: <code className="font-mono">talaria connect gemini --print</code>,
          },
        )}
      </p>
      {others.length > 0 && (
        <ul aria-labelledby="keys-heading" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {others.map(agent => (
            <AgentCard key={agent.id} agent={agent} isOpen={open === agent.id} onOpen={setOpen} />
          ))}
        </ul>
      )}
    </section>
  )
}

type CardProps = { agent: ConnectedAgent; isOpen: boolean; onOpen: (id: string | null) => void }

/** A program with a key: its switches and its requests. */
function AgentCard({ agent, isOpen, onOpen }: CardProps) {
  const { id, name, program, allowed } = agent
  const act = useHostCall()
  const shown = showHidden(name)
  const facts = [...(program === '' ? [] : [`calls itself ${showHidden(program)}`]), ...tellAsked(agent)]
  const remove = async () => {
    if (await act(client => client['agents.remove']({ id })))
      showToast(`${shown} was removed. Its key no longer works.`)
  }
  return (
    <OpenableCard
      label={shown}
      title={shown}
      badges={
        allowed ? (
          <span className="badge">Allowed</span>
        ) : (
          <span className="badge text-warn">Not allowed</span>
        )
      }
      facts={facts.join(' · ')}
      isOpen={isOpen}
      onToggle={() => onOpen(isOpen ? null : id)}
      actions={
        <MoreMenu
          of={shown}
          entries={[
            {
              id: 'remove',
              label: 'Remove',
              hint: 'Its key stops working.',
              icon: <Trash2 size={16} />,
              danger: true,
              onSelect: () => void remove(),
            },
          ]}
        />
      }
    >
      <AgentRights agent={agent} />
      <AgentRequests id={id} />
    </OpenableCard>
  )
}
