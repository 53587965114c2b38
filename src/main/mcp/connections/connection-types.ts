import type { McpStore } from '../../db/connections/mcp-tables.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import type { Topic } from '../../lib/topic.ts'
import type { Clock } from '../../lib/timing.ts'
import type { CallOptions, CallOutcome } from './connect-server.ts'
import type { JudgedTools } from '../judge-tools.ts'
import type { StartParts } from './start-program.ts'

/** The state of a server, for the user. */
export type ServerActivity = {
  /** `off`: not started, or stopped while idle. */
  state: 'off' | 'starting' | 'running' | 'failed'
  /** The reason for a failure; empty otherwise. */
  problem: string
  /** The last lines that the server printed. */
  lines: string[]
  /** Start time, in ms since 1970. */
  since: number | null
}

/** The running servers. Each starts at its first use. */
export type Connections = {
  listTools(name: string, folder?: string): Promise<JudgedTools | Refusal>
  call(
    name: string,
    tool: string,
    args: Record<string, unknown>,
    how: CallOptions & {
      folder?: string
      /** The reason not to make the call after all, once the tools of the running server are known. */
      mayCall?(tools: JudgedTools): string | undefined
    },
  ): Promise<CallOutcome>
  /** Sentences for a model on changes of obeyed files by a server since the last call. */
  takeObeyed(name: string, folder?: string): string[]
  activity(name: string): ServerActivity
  /** End the processes of a server, for instance after its entry changed; without a name, those of all. */
  stop(name?: string): Promise<void>
  /** End processes whose entries are gone, switched off or different. */
  reconcile(): Promise<void>
  changes: Topic<void>
  close(): Promise<void>
}

/** The dependencies for running servers. */
export type ServerParts = StartParts & {
  fetchFor(name: string): typeof fetch
  version: string
  now: Clock
  /** How long a server may be idle, in ms. */
  idleMs?: number
  probeMs?: number
  /** Remembers across restarts which servers speak the older era of the protocol. */
  eras?: Pick<McpStore, 'olderSince' | 'setOlder'>
}
