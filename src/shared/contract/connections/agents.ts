import { z } from 'zod'
import { call } from '../../rpc.ts'
import { Seen } from '../seen.ts'

const id = z.string().min(1).max(100)

/** What the person lets another program read and do. */
export const AgentMay = z.object({
  user: z.boolean(),
  notes: z.boolean(),
  chats: z.boolean(),
  skills: z.boolean(),
  /** Propose an entry of the memory, which waits in Activity. */
  propose: z.boolean(),
  /** Learn from what it hands over of its sessions. */
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

/** Another program with an agent that asks Talaria through a key of its own. */
export const ConnectedAgent = z.object({
  id: z.string(),
  name: z.string(),
  /** What it last called itself; empty before it spoke. */
  program: z.string(),
  /** Whether the user switched it on in a window. */
  allowed: z.boolean(),
  may: AgentMay,
  createdAt: z.number(),
  lastAt: z.number().nullable(),
  /** What it was given and proposed within a day. */
  today: z.object({ requests: z.int(), proposals: z.int() }),
  seen: Seen,
})
export type ConnectedAgent = z.infer<typeof ConnectedAgent>

/** One request of such a program: what it asked, and what it got, in words. */
export const AgentRequest = z.object({
  id: z.int(),
  at: z.number(),
  tool: z.string(),
  asked: z.string(),
  given: z.array(z.string()),
  bytes: z.int(),
  /** Why it got nothing; empty when it got something. */
  refused: z.string(),
})
export type AgentRequest = z.infer<typeof AgentRequest>

/** Other programs that read memory, chats and skills, and propose entries. */
export const agents = {
  'agents.list': call(z.object({}), z.object({ agents: z.array(ConnectedAgent) })),
  /** Make a key for a program. It opens nothing before the program is allowed, and is not shown again. */
  'agents.add': call(
    z.object({ name: z.string().trim().min(1).max(60) }),
    z.object({ agent: ConnectedAgent, key: z.string() }),
  ),
  /** Say what a program may. Only a window can allow more. */
  'agents.allow': call(z.object({ id, seen: Seen, on: z.boolean(), may: AgentMay }), ConnectedAgent),
  /** Its key opens nothing from now on. */
  'agents.remove': call(z.object({ id }), z.object({})),
  'agents.requests': call(
    z.object({ id, before: z.int().optional(), limit: z.int().min(1).max(100).default(20) }),
    z.object({ requests: z.array(AgentRequest) }),
  ),
  /** What a program asks with its key. What it may not know is an answer, not a fault. */
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
