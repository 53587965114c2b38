import type { McpStore } from '../../db/connections/mcp-tables.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import type { Topic } from '../../lib/topic.ts'
import type { Clock } from '../../lib/timing.ts'
import type { CallOptions, CallOutcome } from './connect-server.ts'
import type { JudgedTools } from '../judge-tools.ts'
import type { StartParts } from './start-program.ts'

/** What a server is doing, for a person. */
export type ServerActivity = {
  /** `off`: not started, or stopped because it was not used. */
  state: 'off' | 'starting' | 'running' | 'failed'
  /** Why it failed; empty otherwise. */
  problem: string
  /** The last lines that it printed. */
  lines: string[]
  /** When it was started, as a time in ms. */
  since: number | null
}

/** The servers that run. Each is started at its first use. */
export type Connections = {
  listTools(name: string, folder?: string): Promise<JudgedTools | Refusal>
  call(
    name: string,
    tool: string,
    args: Record<string, unknown>,
    how: CallOptions & {
      folder?: string
      /** Why the call is not made after all, now that the tools of the running server are known. */
      mayCall?(tools: JudgedTools): string | undefined
    },
  ): Promise<CallOutcome>
  /** What a server did to files that programs obey, since the last call, as sentences for a model. */
  takeObeyed(name: string, folder?: string): string[]
  activity(name: string): ServerActivity
  /** End its processes, for instance after its entry changed; without a name those of all. */
  stop(name?: string): Promise<void>
  /** End what was started from entries that are gone, switched off or different. */
  reconcile(): Promise<void>
  changes: Topic<void>
  close(): Promise<void>
}

/** What running servers depends on. */
export type ServerParts = StartParts & {
  fetchFor(name: string): typeof fetch
  version: string
  now: Clock
  /** How long a server may be idle, in ms. */
  idleMs?: number
  probeMs?: number
  /** Remembers beyond the host's end which servers speak the older era of the protocol. */
  eras?: Pick<McpStore, 'olderSince' | 'setOlder'>
}
