import { z } from 'zod'
import { call } from '../../rpc.ts'
import { Seen } from '../seen.ts'

/** A program with an agent of its own that Talaria can be put into. */
export const ConnectProgram = z.enum(['claude-code', 'pi', 'opencode'])
export type ConnectProgram = z.infer<typeof ConnectProgram>

/** A change of a file that belongs to the other program, as a person reads it. */
export const SettingsChange = z.object({
  path: z.string(),
  /** Lines that begin with “+”, “-” or a blank; empty when the other program changes the file itself. */
  diff: z.string(),
})
export type SettingsChange = z.infer<typeof SettingsChange>

/** What connecting or disconnecting would write and run. Nothing of it was done yet. */
export const ConnectPlan = z.object({
  program: ConnectProgram,
  /** The folder under our home, and its files by their names in it. */
  folder: z.string(),
  files: z.array(z.object({ name: z.string(), text: z.string() })),
  changes: z.array(SettingsChange),
  /** Commands of the other program, as typed. They run only where `canRun` is true; otherwise the person runs them. */
  commands: z.array(z.string()),
  canRun: z.boolean(),
  /** What to know before: the file is a link, has comments, cannot be written. */
  notes: z.array(z.string()),
  seen: Seen,
})
export type ConnectPlan = z.infer<typeof ConnectPlan>

/** How one program stands. */
export const Connection = z.object({
  program: ConnectProgram,
  title: z.string(),
  /** `installed`: the program was found on this computer. */
  isInstalled: z.boolean(),
  /** `changed`: what we wrote was changed or is gone. */
  state: z.enum(['off', 'connected', 'changed']),
  /** The program in the list of connected agents, whose switches count here too; null before it is connected. */
  agentId: z.string().nullable(),
  folder: z.string().nullable(),
  connectedAt: z.number().nullable(),
  /** When the last event came from it, and how many sessions and events are kept. */
  lastEventAt: z.number().nullable(),
  sessions: z.int(),
  events: z.int(),
  /** One sentence on what is wrong or missing; empty when nothing is. */
  note: z.string(),
})
export type Connection = z.infer<typeof Connection>

/** Put Talaria into other programs, and take it out again. */
export const connect = {
  'connect.list': call(z.object({}), z.object({ connections: z.array(Connection) })),
  'connect.plan': call(
    z.object({ program: ConnectProgram, what: z.enum(['connect', 'remove']) }),
    ConnectPlan,
  ),
  /** Do what the plan said. `run`: also run the program's own commands. */
  'connect.apply': call(
    z.object({ program: ConnectProgram, what: z.enum(['connect', 'remove']), seen: Seen, run: z.boolean() }),
    z.object({
      connection: Connection,
      /** Commands that are left for the person to run. */
      commands: z.array(z.string()),
      /** What happened, a sentence each. */
      said: z.array(z.string()),
    }),
  ),
}
