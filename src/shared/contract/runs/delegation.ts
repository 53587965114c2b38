import { z } from 'zod'
import { call } from '../../rpc.ts'
import { EndReason } from './run.ts'

/**
 * A sub-agent of a chat. `state`: it waits for a free place, works, asks its person, has shown nothing for ten minutes, or has
 * ended. `end`: how its turn ended; `unknown` when Talaria ended first.
 */
export const Delegated = z.object({
  /** Its own chat, and the chat and the call that it works for. */
  sessionId: z.string(),
  parentId: z.string(),
  callId: z.string(),
  /** Such as “worker 2”. */
  name: z.string(),
  kind: z.string(),
  goal: z.string(),
  background: z.boolean(),
  state: z.enum(['waiting', 'running', 'asks', 'stalled', 'ended']),
  end: z.enum([...EndReason.options, 'unknown']).nullable(),
  /** None of the tools that it had ran. */
  unlooked: z.literal(true).optional(),
  /** What it does now, or what became of it, in one line. */
  line: z.string(),
  steps: z.int(),
  tokens: z.int(),
  /** What the sub-agents of its turn have used together, and may use at most. */
  pool: z.object({ steps: z.int(), mostSteps: z.int(), tokens: z.int(), mostTokens: z.int() }),
  /**
   * Files that changed in its folder while its commands ran, without those that git ignores, `more` than are named, and of how
   * many `commands` this is known. Absent when of none.
   */
  changed: z.object({ paths: z.array(z.string()), more: z.int(), commands: z.int() }).optional(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** The model of the chat has got its result. */
  told: z.boolean(),
})
export type Delegated = z.infer<typeof Delegated>

/** Sub-agents. `app.watch` reports each change of one. */
export const delegation = {
  /** The sub-agents of a chat, oldest first. */
  'delegation.ofChat': call(
    z.object({ sessionId: z.string().min(1).max(100) }),
    z.object({ agents: z.array(Delegated) }),
  ),
  /** Stop one sub-agent alone, whether it waits or works. One that has ended is no error. */
  'delegation.stop': call(z.object({ sessionId: z.string().min(1).max(100) }), z.object({})),
  /** Stop all sub-agents that work for a chat, those in the background too; returns their names. */
  'delegation.stopAll': call(
    z.object({ sessionId: z.string().min(1).max(100) }),
    z.object({ names: z.array(z.string()) }),
  ),
}
