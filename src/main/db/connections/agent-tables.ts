import { MAY_NOTHING, type AgentMay, type AgentRequest } from '../../../shared/contract/connections/agents.ts'
import type { Connection } from '../connection.ts'

/** A connected program as stored, without its key. */
export type AgentRow = {
  id: string
  name: string
  /** The name that it last gave itself. */
  program: string
  allowed: boolean
  may: AgentMay
  createdAt: number
  lastAt: number | null
}
/** A thing that a program was given: a memory entry, chat or skill by its id, or a proposal. */
export type GivenRef = { kind: 'user' | 'notes' | 'chat' | 'skill' | 'proposal'; id: string }
/** A request as stored. */
type AgentRequestRow = Omit<AgentRequest, 'given'> & { agentId: string; given: GivenRef[] }

/** Other programs that may read from here, and their requests. */
export type AgentStore = {
  list(): AgentRow[]
  get(id: string): AgentRow | undefined
  /** Return the program whose key has this hash. */
  byKey(hash: string): AgentRow | undefined
  add(agent: AgentRow, keyHash: string): void
  /** Set what the user allows a program. */
  allow(id: string, allowed: boolean, may: AgentMay): void
  /** Remove a program: its key becomes invalid and its requests are deleted. */
  remove(id: string): boolean
  /** Log a request, and delete the oldest beyond `most`. */
  note(request: Omit<AgentRequestRow, 'id'>, program: string, most: number): void
  /** Return the newest requests, or those before one. */
  requests(agentId: string, options: { before: number; limit: number }): AgentRequestRow[]
  /** Count the requests granted since an instant, for one tool or for all. */
  count(agentId: string, since: number, tool?: string): number
}

type Raw = Omit<AgentRow, 'allowed' | 'may'> & { allowed: number; may: string }
type RawRequest = Omit<AgentRequestRow, 'given'> & { given: string }

const AGENT = 'id, name, program, allowed, may, created_at as createdAt, last_at as lastAt'

/** The tables of connected programs. */
export function createAgentStore({ db, durably, atomically }: Connection): AgentStore {
  const list = db.prepare<[], Raw>(`select ${AGENT} from connected_agents order by created_at, id`)
  const get = db.prepare<[string], Raw>(`select ${AGENT} from connected_agents where id = ?`)
  const byKey = db.prepare<[string], Raw>(`select ${AGENT} from connected_agents where key_hash = ?`)
  const add = db.prepare(`
    insert into connected_agents (id, name, key_hash, program, allowed, may, created_at, last_at)
    values (@id, @name, @keyHash, @program, @allowed, @may, @createdAt, @lastAt)`)
  const allow = db.prepare('update connected_agents set allowed = ?, may = ? where id = ?')
  const remove = db.prepare('delete from connected_agents where id = ?')
  const spoke = db.prepare('update connected_agents set last_at = ?, program = ? where id = ?')
  const note = db.prepare(`
    insert into agent_requests (agent_id, at, tool, asked, given, bytes, refused)
    values (@agentId, @at, @tool, @asked, @given, @bytes, @refused)`)
  const prune = db.prepare(`
    delete from agent_requests where agent_id = @agentId and id <=
      (select id from agent_requests where agent_id = @agentId order by id desc limit 1 offset @most)`)
  const requests = db.prepare<[string, number, number], RawRequest>(`
    select id, agent_id as agentId, at, tool, asked, given, bytes, refused from agent_requests
    where agent_id = ? and id < ? order by id desc limit ?`)
  const count = db
    .prepare<[{ agentId: string; since: number; tool: string | null }], number>(
      `select count(*) from agent_requests
       where agent_id = @agentId and at >= @since and refused = '' and (@tool is null or tool = @tool)`,
    )
    .pluck()
  const agentOf = (raw: Raw): AgentRow => ({
    ...raw,
    allowed: raw.allowed === 1,
    // Permissions added after the row was stored are denied.
    may: { ...MAY_NOTHING, ...(JSON.parse(raw.may) as Partial<AgentMay>) },
  })
  const found = (raw: Raw | undefined) => raw && agentOf(raw)
  return {
    list: () => list.all().map(agentOf),
    get: id => found(get.get(id)),
    byKey: hash => found(byKey.get(hash)),
    add: ({ allowed, may, ...agent }, keyHash) =>
      durably(() => void add.run({ ...agent, keyHash, allowed: allowed ? 1 : 0, may: JSON.stringify(may) })),
    allow: (id, allowed, may) => durably(() => void allow.run(allowed ? 1 : 0, JSON.stringify(may), id)),
    remove: id => durably(() => remove.run(id).changes > 0),
    note: ({ given, ...request }, program, most) =>
      atomically(() => {
        note.run({ ...request, given: JSON.stringify(given) })
        spoke.run(request.at, program, request.agentId)
        prune.run({ agentId: request.agentId, most })
      }),
    requests: (agentId, { before, limit }) =>
      requests
        .all(agentId, before, limit)
        .map(({ given, ...raw }) => ({ ...raw, given: JSON.parse(given) as GivenRef[] })),
    count: (agentId, since, tool) => count.get({ agentId, since, tool: tool ?? null }) ?? 0,
  }
}
