import { createHash, randomBytes } from 'node:crypto'
import {
  MAY_NOTHING,
  type AgentRequest,
  type ConnectedAgent,
} from '../../shared/contract/connections/agents.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import { refuseUnseen } from '../../shared/contract/seen.ts'
import { Fault } from '../../shared/rpc.ts'
import type { AgentRow, AgentStore, GivenRef } from '../db/connections/agent-tables.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { newId } from '../lib/ids.ts'
import { redactText } from '../untrusted/redact.ts'
import { hashShown } from '../lib/shown-hash.ts'
import { answerTool, MOST_BYTES, type SharedThings, type ToolAnswer } from './answer-tools.ts'

type Parts = {
  store: AgentStore
  things: SharedThings
  /** Whether the offline lock is on: what a program reads goes to its provider. */
  isLocked(): boolean
  /** Describe what was given, for the user. */
  tell(given: GivenRef): string
  onChange(): void
  now(): number
}

const DAY_MS = 24 * 60 * 60_000
/** Maximum number of connected programs. */
const MOST_AGENTS = 50
/** Maximum number of requests to list per program. */
const MOST_KEPT = 500
/** Maximum proposals of a program per day, and requests of any kind per minute. */
const PROPOSALS_A_DAY = 20
const REQUESTS_A_MINUTE = 120
/** Maximum number of a program's concurrent requests. */
const MOST_OPEN = 8
const MOST_ASKED = 200

const UNKNOWN =
  'Talaria does not know the key of this program. The user may have removed it. A new one: talaria mcp serve --print'
const WAITS =
  'The user has not allowed this program yet. They do that in the window of Talaria: Connections, Agents.'
const LOCKED =
  'The offline lock of Talaria is on, and what this program reads may go to its provider. So nothing is read out.'
const FLOODED = 'These are too many requests at once. Wait a minute.'

/** Other programs with agents: their keys, rights, requests, and the answers. */
export function openOtherAgents({ store, things, isLocked, tell, onChange, now }: Parts) {
  const open = new Map<string, number>()
  /** When each program asked within the last minute; in memory, so that a flood causes no writes. */
  const lately = new Map<string, number[]>()

  function show(row: AgentRow): ConnectedAgent {
    const { id, name, program, allowed, may } = row
    const since = now() - DAY_MS
    return {
      ...row,
      today: { requests: store.count(id, since), proposals: store.count(id, since, 'memory_propose') },
      seen: hashShown({ id, name, program, allowed, may }),
    }
  }

  function rowOf(id: string): AgentRow {
    const row = store.get(id)
    if (!row) throw new Fault('not_found', 'This program was removed.')
    return row
  }

  function isFlood(id: string): boolean {
    const since = now() - 60_000
    const times = (lately.get(id) ?? []).filter(at => at > since)
    if (times.length < REQUESTS_A_MINUTE) times.push(now())
    else return true
    lately.set(id, times)
    return false
  }

  /** Answer a program's request. Rights and the offline lock are checked at the time of the answer. */
  async function answer(
    agent: AgentRow,
    asked: { tool: string; given: Record<string, unknown> },
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    if (isLocked()) return { refused: LOCKED }
    const since = now() - DAY_MS
    if (asked.tool === 'memory_propose' && store.count(agent.id, since, asked.tool) >= PROPOSALS_A_DAY)
      return { refused: `A program may propose ${PROPOSALS_A_DAY} entries a day.` }
    const { id: agentId, name, may } = agent
    const answered = await answerTool(things, asked, { agentId, name, may, signal })
    if (isLocked()) return { refused: LOCKED }
    const still = store.get(agentId)
    if (!still) return { refused: UNKNOWN }
    const isNarrower = Object.entries(may).some(
      ([what, may]) => may && !still.may[what as keyof typeof still.may],
    )
    return !still.allowed || isNarrower
      ? { refused: 'The user changed what this program may. Ask again.' }
      : answered
  }

  async function ask(
    { key, program, tool, arguments: given }: Parameters<HostHandlers['agents.ask']>[0],
    signal: AbortSignal,
  ): Promise<{ ok: boolean; text: string }> {
    const agent = store.byKey(hashKey(key))
    if (!agent) return { ok: false, text: UNKNOWN }
    const count = open.get(agent.id) ?? 0
    if (count >= MOST_OPEN || isFlood(agent.id)) return { ok: false, text: FLOODED }
    if (!agent.allowed) return { ok: false, text: WAITS }
    open.set(agent.id, count + 1)
    try {
      const answered = await answer(agent, { tool, given }, signal)
      const refused = isRefusal(answered) ? answered.refused : ''
      const text = isRefusal(answered) ? answered.refused : answered.text
      if (store.get(agent.id)) {
        const request = {
          agentId: agent.id,
          at: now(),
          tool: tool.slice(0, 60),
          asked: beginningOf(given),
          given: isRefusal(answered) ? [] : answered.given,
          bytes: isRefusal(answered) ? 0 : Buffer.byteLength(text),
          refused: refused.slice(0, MOST_ASKED),
        }
        store.note(request, program.slice(0, 80), MOST_KEPT)
        onChange()
      }
      return { ok: refused === '', text }
    } finally {
      const left = (open.get(agent.id) ?? 1) - 1
      if (left > 0) open.set(agent.id, left)
      else open.delete(agent.id)
    }
  }

  /** Add a program with an existing key. It has no rights yet. */
  function add(given: string, { id, key }: { id: string; key: string }): AgentRow {
    if (store.list().length >= MOST_AGENTS)
      throw new Fault('bad_input', `There are ${MOST_AGENTS} programs already. Remove one first.`)
    const name = given.replaceAll(/[“”\s]+/g, ' ').trim()
    if (name === '') throw new Fault('bad_input', 'The program needs a name.')
    const createdAt = now()
    const row: AgentRow = { id, name, program: '', allowed: false, may: MAY_NOTHING, createdAt, lastAt: null }
    store.add(row, hashKey(key))
    onChange()
    return row
  }

  const make = () => ({
    id: newId('agent', now),
    key: `talaria-${randomBytes(24).toString('base64url')}`,
  })

  function remove(id: string): boolean {
    lately.delete(id)
    const isRemoved = store.remove(id)
    if (isRemoved) onChange()
    return isRemoved
  }

  return {
    /** Keys of programs that Talaria connects to. */
    keys: {
      make,
      add: (...given: Parameters<typeof add>) => void add(...given),
      has: (id: string) => store.get(id) !== undefined,
      remove: (id: string) => void remove(id),
    },
    handlers: {
      'agents.list': () => ({ agents: store.list().map(show) }),
      'agents.add'({ name }) {
        const made = make()
        return { agent: show(add(name, made)), key: made.key }
      },
      'agents.allow'({ id, seen, on, may }) {
        const row = rowOf(id)
        refuseUnseen(seen, show(row).seen, 'This program')
        store.allow(id, on, may)
        onChange()
        return show(rowOf(id))
      },
      'agents.remove'({ id }) {
        if (!remove(id)) throw new Fault('not_found', 'This program was already removed.')
        return {}
      },
      'agents.requests': ({ id, before = Number.MAX_SAFE_INTEGER, limit }) => ({
        requests: store
          .requests(rowOf(id).id, { before, limit })
          .map(({ agentId: _agentId, given, ...request }) => ({
            ...request,
            given: given.map(tell),
          })) satisfies AgentRequest[],
      }),
      'agents.ask': ask,
    } satisfies Partial<HostHandlers>,
  }
}

const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Return a request's values on one line, without the text of a proposal, which is on its card. */
function beginningOf({ text: _text, ...given }: Record<string, unknown>): string {
  const values = Object.values(given).filter(value => typeof value === 'string' || typeof value === 'number')
  return redactText(values.join(' · ').slice(0, MOST_BYTES))
    .replaceAll(/\s+/g, ' ')
    .slice(0, MOST_ASKED)
    .toWellFormed()
}
