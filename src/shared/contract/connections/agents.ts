import { z } from 'zod'
import { call } from '../../rpc.ts'
import { Seen } from '../seen.ts'

const id = z.string().min(1).max(100)

/** What the user lets another program read and do. */
export const AgentMay = z.object({
  user: z.boolean(),
  notes: z.boolean(),
  chats: z.boolean(),
  skills: z.boolean(),
  /** Propose a memory entry, which waits in Activity. */
  propose: z.boolean(),
  /** Let Talaria learn from the sessions that the program reports. */
  learn: z.boolean(),
})
export type AgentMay = z.infer<typeof AgentMay>

/** Nothing at all. */
export const MAY_NOTHING: AgentMay = {
  user: false,
  notes: false,
  chats: false,
  skills: false,
  propose: false,
  learn: false,
}

/** Another program with an agent that calls Talaria with its own key. */
export const ConnectedAgent = z.object({
  id: z.string(),
  name: z.string(),
  /** The name that the program last gave itself; empty before its first request. */
  program: z.string(),
  /** Whether the user switched it on in a window. */
  allowed: z.boolean(),
  may: AgentMay,
  createdAt: z.number(),
  lastAt: z.number().nullable(),
  /** The number of its requests and proposals within a day. */
  today: z.object({ requests: z.int(), proposals: z.int() }),
  seen: Seen,
})
export type ConnectedAgent = z.infer<typeof ConnectedAgent>

/** One request of a connected program: what it asked for and what it got, in words. */
export const AgentRequest = z.object({
  id: z.int(),
  at: z.number(),
  tool: z.string(),
  asked: z.string(),
  given: z.array(z.string()),
  bytes: z.int(),
  /** Why it got nothing; empty if it got something. */
  refused: z.string(),
})
export type AgentRequest = z.infer<typeof AgentRequest>

/** Other programs that read memory, chats and skills, and propose entries. */
export const agents = {
  'agents.list': call(z.object({}), z.object({ agents: z.array(ConnectedAgent) })),
  /**
   * Make a key for a program. The key gives no access until the program is allowed, and is not shown again.
   */
  'agents.add': call(
    z.object({ name: z.string().trim().min(1).max(60) }),
    z.object({ agent: ConnectedAgent, key: z.string() }),
  ),
  /** Set what a program may do. Only a window can allow more. */
  'agents.allow': call(z.object({ id, seen: Seen, on: z.boolean(), may: AgentMay }), ConnectedAgent),
  /** Remove a program; its key stops working. */
  'agents.remove': call(z.object({ id }), z.object({})),
  'agents.requests': call(
    z.object({ id, before: z.int().optional(), limit: z.int().min(1).max(100).default(20) }),
    z.object({ requests: z.array(AgentRequest) }),
  ),
  /** Answer the request of a program with a key. A denied request gets an answer, not a Fault. */
  'agents.ask': call(
    z.object({
      key: z.string().max(200),
      program: z.string().max(200),
      tool: z.string().max(100),
      arguments: z.record(z.string(), z.unknown()),
    }),
    z.object({ ok: z.boolean(), text: z.string() }),
  ),
}
