import { z } from 'zod'
import { call } from '../../rpc.ts'
import { Seen } from '../seen.ts'

/** A program with its own agent that Talaria can be connected to. */
export const ConnectProgram = z.enum(['claude-code', 'pi', 'opencode'])
export type ConnectProgram = z.infer<typeof ConnectProgram>

/** A change of a file of the other program, to show to the user. */
export const SettingsChange = z.object({
  path: z.string(),
  /** Lines that start with “+”, “-” or a space; empty if the other program changes the file itself. */
  diff: z.string(),
})
export type SettingsChange = z.infer<typeof SettingsChange>

/** What connecting or disconnecting would write and run. Nothing has been done yet. */
export const ConnectPlan = z.object({
  program: ConnectProgram,
  /** The folder under our home, and its files by their names in it. */
  folder: z.string(),
  files: z.array(z.object({ name: z.string(), text: z.string() })),
  changes: z.array(SettingsChange),
  /**
   * Commands of the other program, as typed. They run only if `canRun` is true; otherwise the user runs them.
   */
  commands: z.array(z.string()),
  canRun: z.boolean(),
  /** Remarks for the user: the file is a link, has comments, or cannot be written. */
  notes: z.array(z.string()),
  seen: Seen,
})
export type ConnectPlan = z.infer<typeof ConnectPlan>

/** The state of the connection to one program. */
export const Connection = z.object({
  program: ConnectProgram,
  title: z.string(),
  /** `installed`: the program was found on this computer. */
  isInstalled: z.boolean(),
  /** `changed`: files that Talaria wrote were changed or removed. */
  state: z.enum(['off', 'connected', 'changed']),
  /**
   * The entry in the list of connected agents, whose switches apply here too; null before it is connected.
   */
  agentId: z.string().nullable(),
  folder: z.string().nullable(),
  connectedAt: z.number().nullable(),
  /** The time of its last event, and the number of stored sessions and events. */
  lastEventAt: z.number().nullable(),
  sessions: z.int(),
  events: z.int(),
  /** One sentence on what is wrong or missing; empty if nothing is. */
  note: z.string(),
})
export type Connection = z.infer<typeof Connection>

/** Connect Talaria to other programs, and disconnect it. */
export const connect = {
  'connect.list': call(z.object({}), z.object({ connections: z.array(Connection) })),
  'connect.plan': call(
    z.object({ program: ConnectProgram, what: z.enum(['connect', 'remove']) }),
    ConnectPlan,
  ),
  /** Carry out the plan. `run`: also run the program's own commands. */
  'connect.apply': call(
    z.object({ program: ConnectProgram, what: z.enum(['connect', 'remove']), seen: Seen, run: z.boolean() }),
    z.object({
      connection: Connection,
      /** Commands left for the user to run. */
      commands: z.array(z.string()),
      /** What was done, as sentences. */
      said: z.array(z.string()),
    }),
  ),
}
