import { Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { AgentMay, AgentRequest, ConnectedAgent } from '../../../shared/contract/agents.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { useAsked } from '../../rpc/use-asked.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Switch } from '../../ui/Choice.tsx'
import { countOf, formatWhen } from '../../ui/format.ts'
import { MoreMenu } from '../../ui/Menu.tsx'
import { OpenableCard } from '../../ui/OpenableCard.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { useAct } from '../../use-act.ts'

/** The programs that read from here by the Model Context Protocol, and how one is connected. */
export function Agents(): ReactNode {
  const { client } = useLink()
  const version = useHost(host => host.agentsVersion)
  const isLocked = useHost(host => host.locked)
  const [open, setOpen] = useState<string | null>(null)
  const answer = useAsked(signal => attemptCall(client['agents.list']({}, { signal })), String(version))
  const agents = answer?.ok ? answer.value.agents : []
  return (
    <section aria-labelledby="agents-heading" className="mt-8 grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 id="agents-heading" className="text-sm font-semibold">
        Agents
      </h2>
      <p className="text-sm text-ink-2">
        Programs such as Claude Code or an editor that may search your memory, chats and skills. To connect
        one, run <code className="font-mono">talaria mcp serve --print claude</code> in a terminal, put what
        it prints into that program, and allow it here.
      </p>
      {answer?.ok === false && <Banner level="error">{answer.fault.message}</Banner>}
      {isLocked && agents.length > 0 && (
        <Banner level="warning">
          The offline lock is on. These programs get nothing, because what they read may leave this computer.
        </Banner>
      )}
      {agents.length > 0 && (
        <ul aria-labelledby="agents-heading" className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {agents.map(agent => (
            <AgentCard key={agent.id} agent={agent} isOpen={open === agent.id} onOpen={setOpen} />
          ))}
        </ul>
      )}
    </section>
  )
}

type CardProps = { agent: ConnectedAgent; isOpen: boolean; onOpen: (id: string | null) => void }

/** One program: what it may, and what it asked. */
function AgentCard({ agent, isOpen, onOpen }: CardProps) {
  const { id, name, program, allowed, lastAt, today } = agent
  const act = useAct()
  const shown = showHidden(name)
  const facts = [
    program === '' ? 'has not asked yet' : `calls itself ${showHidden(program)}`,
    ...(lastAt === null ? [] : [`last ${formatWhen(lastAt)}`]),
    ...(today.requests === 0 ? [] : [`today ${countOf(today.requests, 'request', 'requests')}`]),
  ]
  const remove = async () => {
    if (await act(client => client['agents.remove']({ id })))
      showToast(`${shown} was removed. Its key opens nothing any more.`)
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
              hint: 'Its key opens nothing any more.',
              icon: <Trash2 size={15} />,
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

const RIGHTS = [
  { may: 'user', label: 'About you', hint: 'What is remembered of you.' },
  {
    may: 'notes',
    label: 'Notes',
    hint: 'What is remembered of your work, but not the notes of single folders.',
  },
  { may: 'chats', label: 'Chats', hint: 'Search in all your chats, except those with others on messengers.' },
  { may: 'skills', label: 'Skills', hint: 'List your skills and read their steps.' },
  {
    may: 'propose',
    label: 'Propose entries',
    hint: 'At most 20 a day. Each waits in Activity, and nothing is saved before you accept it.',
  },
] as const

/** What is chosen at first; chats hold the most of what is private. */
const USUAL: AgentMay = { user: true, notes: true, chats: false, skills: true, propose: true, learn: false }

/** The switches of a program. Before it is allowed they are chosen first; afterwards each counts at once. */
function AgentRights({ agent }: { agent: ConnectedAgent }) {
  const { id, name, seen, allowed } = agent
  const act = useAct()
  const [chosen, setChosen] = useState<AgentMay | null>(null)
  const isNew = !allowed && Object.values(agent.may).every(may => !may)
  const may = (allowed ? null : chosen) ?? (isNew ? USUAL : agent.may)
  const save = (on: boolean, what: AgentMay) =>
    act(client => client['agents.allow']({ id, seen, on, may: what }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-sm text-ink-2">
        What {showHidden(name)} reads goes to that program’s provider, as your messages there do.
      </p>
      {RIGHTS.map(({ may: what, label, hint }) => (
        <Switch
          key={what}
          label={label}
          hint={hint}
          on={may[what]}
          onChange={on => {
            const next = { ...may, [what]: on }
            if (allowed) void save(true, next)
            else setChosen(next)
          }}
        />
      ))}
      <button
        type="button"
        className={`btn justify-self-start ${allowed ? 'btn-secondary' : 'btn-primary'}`}
        onClick={() => void save(!allowed, may)}
      >
        {allowed ? 'Switch off' : 'Allow this'}
      </button>
    </div>
  )
}

const TOOLS: Readonly<Record<string, string>> = {
  memory_search: 'Searched the memory',
  session_search: 'Searched chats',
  skill_list: 'Listed skills',
  skill_view: 'Read a skill',
  memory_propose: 'Proposed an entry',
}
const PAGE = 20

/** What a program asked, the newest first, and what it got. */
function AgentRequests({ id }: { id: string }) {
  const { client } = useLink()
  const version = useHost(host => host.agentsVersion)
  const [limit, setLimit] = useState(PAGE)
  const answer = useAsked(
    signal => attemptCall(client['agents.requests']({ id, limit }, { signal })),
    `${id} ${version} ${limit}`,
  )
  const requests = answer?.ok ? answer.value.requests : []
  if (answer === undefined || requests.length === 0) return null
  return (
    <section aria-label="What it read" className="mt-4 border-t border-line pt-3">
      <h3 className="text-sm font-medium">What it read</h3>
      <ul className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-2">
        {requests.map(request => (
          <RequestRow key={request.id} request={request} />
        ))}
      </ul>
      {requests.length === limit && limit < 100 && (
        <button type="button" className="btn btn-quiet mt-2" onClick={() => setLimit(100)}>
          Show more
        </button>
      )}
    </section>
  )
}

function RequestRow({ request: { at, tool, asked, given, refused } }: { request: AgentRequest }) {
  return (
    <li className="text-sm wrap-anywhere">
      <span className="text-ink-3">{formatWhen(at)}</span> {TOOLS[tool] ?? showHidden(tool)}
      {asked !== '' && ` for “${showHidden(asked)}”`}
      {refused !== '' && <span className="text-warn">. Refused: {showHidden(refused)}</span>}
      {given.length > 0 && (
        <ul className="mt-0.5 pl-3 text-xs text-ink-2">
          {given.map((each, at) => (
            // The list of a request never changes.
            <li key={at}>{showHidden(each)}</li>
          ))}
        </ul>
      )}
    </li>
  )
}
