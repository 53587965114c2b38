import { z } from 'zod'
import { call, stream } from '../../rpc.ts'
import { ObeyedChange } from '../chats/messages.ts'
import { AccessChoice } from './run.ts'

/** A background process of a chat: a server or a watcher that the agent started. */
export const BackgroundProcess = z.object({
  /** Short, because models and users type it: `p1`. Each host counts from 1. */
  id: z.string(),
  sessionId: z.string(),
  /** The title of its chat. */
  chat: z.string(),
  command: z.string(),
  folder: z.string(),
  access: AccessChoice,
  /**
   * The address of its port for programs on this computer; null without a port, or if it cannot be reached.
   */
  address: z.string().nullable(),
  /** `exited`: it ended by itself. `stopped`: the user, the agent, or the end of its chat ended it. */
  state: z.enum(['running', 'stopping', 'exited', 'stopped']),
  exitCode: z.int().nullable(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** Processes that could not be ended because they belong to another user. */
  leftover: z.int(),
  /** Its changes of files that programs obey; absent if none. */
  obeyed: z.array(ObeyedChange).optional(),
})
export type BackgroundProcess = z.infer<typeof BackgroundProcess>

const id = z.string().min(1).max(20)

/**
 * Background processes of all chats: list, follow the output, stop. `app.watch` says when the list changes.
 */
export const processes = {
  'process.list': call(z.object({}), z.object({ processes: z.array(BackgroundProcess) })),
  /**
   * The newest output, then further output until the process ends. `dropped`: the number of characters before
   * `text` that were not kept. Without `follow`, only the first item.
   */
  'process.watch': stream(
    z.object({ id, follow: z.boolean().default(true) }),
    z.object({ text: z.string(), dropped: z.int(), process: BackgroundProcess }),
  ),
  /** End a process with everything that it started; resolves once it has ended. */
  'process.stop': call(z.object({ id }), BackgroundProcess),
}
