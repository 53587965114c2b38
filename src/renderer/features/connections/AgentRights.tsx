import { useState, type ReactNode } from 'react'
import type { AgentMay, AgentRequest, ConnectedAgent } from '../../../shared/contract/connections/agents.ts'
import { handoverName } from '../../../shared/words/agent-names.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Switch } from '../../ui/fields/Choice.tsx'
import { formatWhen } from '../../ui/text/format-values.ts'
import { useHostCall } from '../../use-host-call.ts'

const RIGHTS = [
  { may: 'user', label: 'About you', hint: 'What Talaria remembers about you.' },
  {
    may: 'notes',
    label: 'Notes',
    hint: 'Notes about your work, but not those of single folders.',
  },
  {
    may: 'chats',
    label: 'Chats',
    hint: 'Search all your chats, except those with other people on messengers.',
  },
  { may: 'skills', label: 'Skills', hint: 'List your skills and read their steps.' },
  {
    may: 'propose',
    label: 'Propose entries',
    hint: 'At most 20 a day. Each waits on the Activity page, and nothing is saved until you accept it.',
  },
] as const

/**
 * The switches of a program. A connected program gets the notes of its folder, and passes on its sessions
 * automatically.
 */
function rightsOf({ name }: Pick<ConnectedAgent, 'name'>, isConnected: boolean) {
  const called = handoverName(name)
  const rights = RIGHTS.map(each =>
    each.may === 'notes' && isConnected
      ? { ...each, hint: 'Notes about your work, including those of the folder it works in.' }
      : each,
  )
  if (!isConnected && called === '') return rights
  const hint = isConnected
    ? 'Talaria reads what you ask there and what its tools return, with keys blacked out. What it finds worth keeping appears on the Activity page.'
    : `Talaria reads what scripts pass to “talaria track-tool --agent ${called}”, with keys blacked out. What it finds worth keeping appears on the Activity page.`
  return [...rights, { may: 'learn', label: 'Learn from its sessions', hint } as const]
}

/** The initial choice. Chats are off, because they contain the most private data. */
const USUAL: AgentMay = { user: true, notes: true, chats: false, skills: true, propose: true, learn: false }

type Props = {
  agent: ConnectedAgent
  /** Whether the program is connected, so that it passes on its sessions automatically. */
  isConnected?: boolean
}

/**
 * The switches of a program. Until it is allowed they are only a draft; afterwards each takes effect at once.
 */
export function AgentRights({ agent, isConnected = false }: Props): ReactNode {
  const { id, name, seen, allowed } = agent
  const act = useHostCall()
  const [chosen, setChosen] = useState<AgentMay | null>(null)
  const isNew = !allowed && Object.values(agent.may).every(may => !may)
  const usual = { ...USUAL, learn: isConnected }
  const may = (allowed ? null : chosen) ?? (isNew ? usual : agent.may)
  const save = (on: boolean, what: AgentMay) =>
    act(client => client['agents.allow']({ id, seen, on, may: what }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-sm text-ink-2">
        {`What ${showHidden(name)} reads goes to that program’s provider, just like your messages there.`}
      </p>
      {rightsOf(agent, isConnected).map(({ may: what, label, hint }) => (
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
        {allowed ? 'Stop allowing it' : 'Allow this'}
      </button>
    </div>
  )
}

const TOOLS: Readonly<Record<string, string>> = {
  memory_search: 'Searched memory',
  session_search: 'Searched chats',
  skill_list: 'Listed skills',
  skill_view: 'Read a skill',
  memory_propose: 'Proposed an entry',
}
const PAGE = 20

/** The requests of a program, newest first, with what it got. */
export function AgentRequests({ id }: { id: string }): ReactNode {
  const [limit, setLimit] = useState(PAGE)
  const answer = useAnswer('agents.requests', { id, limit })
  const requests = answer?.ok ? answer.value.requests : []
  if (answer === undefined || requests.length === 0) return null
  return (
    <section aria-label="What it read" className="mt-4 border-t border-line pt-3">
      <h4 className="text-sm font-medium">What it read</h4>
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
      {asked !== '' && ` · “${showHidden(asked)}”`}
      {refused !== '' && <span className="text-warn">{` · Refused: ${showHidden(refused)}`}</span>}
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
