import { z } from 'zod'
import { call } from '../../rpc.ts'
import { EndReason } from './run.ts'

/**
 * A sub-agent of a chat. `state`: it waits for a free slot, works, asks the user, has shown no activity for
 * ten minutes, or has ended. `end`: how its turn ended; `unknown` if Talaria ended first.
 */
export const Delegated = z.object({
  /** The sub-agent's own chat, and the chat and the call that it works for. */
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
  /** The sub-agent had tools but used none. */
  unlooked: z.literal(true).optional(),
  /** Its current activity or its result, in one line. */
  line: z.string(),
  steps: z.int(),
  tokens: z.int(),
  /** The usage of all sub-agents of its turn together, and their limits. */
  pool: z.object({ steps: z.int(), mostSteps: z.int(), tokens: z.int(), mostTokens: z.int() }),
  /**
   * Files that changed in its folder while its commands ran, without those that git ignores. `more`: the
   * number of files not listed. `commands`: the number of commands that were observed. Absent if there were
   * none.
   */
  changed: z.object({ paths: z.array(z.string()), more: z.int(), commands: z.int() }).optional(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** Whether the model of the chat has received the result. */
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
  /** Stop one waiting or working sub-agent. Stopping one that has ended is not an error. */
  'delegation.stop': call(z.object({ sessionId: z.string().min(1).max(100) }), z.object({})),
  /** Stop all sub-agents that work for a chat, including those in the background. Returns their names. */
  'delegation.stopAll': call(
    z.object({ sessionId: z.string().min(1).max(100) }),
    z.object({ names: z.array(z.string()) }),
  ),
}
