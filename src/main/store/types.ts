import type { Message, NewMessage } from '../../shared/contract/messages.ts'
import type { EndReason, NewRunEvent, RunEvent } from '../../shared/contract/run.ts'
import type { ApprovalMode, Session } from '../../shared/contract/session.ts'

export type NewSession = {
  modelId: string
  workspace: string
  approval: ApprovalMode
  source: Session['source']
}
/** What is absent or undefined stays as it is. */
export type SessionChange = {
  [K in 'title' | 'modelId' | 'workspace' | 'approval' | 'pinned' | 'draft']?: Session[K] | undefined
}

/** The frozen system prompt of a session, one for each way of presenting tools. */
export type FrozenPrompt = { key: string; system: string; toolNames: string[] }

export type RunRow = {
  id: string
  sessionId: string
  startedAt: number
  endedAt: number | null
  reason: EndReason | null
}

/** Everything that outlives the process, in `state.db`. Every write is durable when the function returns. */
export interface Store {
  sessions: {
    create(session: NewSession): Session
    get(id: string): Session | undefined
    list(options: { query: string; limit: number; offset: number }): { sessions: Session[]; more: boolean }
    update(id: string, change: SessionChange): Session | undefined
    remove(id: string): boolean
    restore(id: string): Session | undefined
    frozenPrompt(id: string, key: string): FrozenPrompt | undefined
    freezePrompt(id: string, prompt: FrozenPrompt): void
  }
  messages: {
    append(message: NewMessage): Message
    /** A page in order, ending just before `before`; `more` says that older ones exist. */
    page(
      sessionId: string,
      options: { before?: number; limit: number },
    ): { messages: Message[]; more: boolean }
    /** The messages that are part of the model's history, in order: all, the newest `most`, those from `since` on. */
    history(sessionId: string, options?: { since?: number; most?: number }): Message[]
    /** Full-text search over live sessions, best first. Never throws for odd queries. */
    search(query: string, limit: number): { sessionId: string; messageId: number; snippet: string }[]
  }
  runs: {
    start(sessionId: string): RunRow
    get(id: string): RunRow | undefined
    active(sessionId: string): RunRow | undefined
    /** Number and store one event; it is on disk before this returns. */
    append(runId: string, event: NewRunEvent): RunEvent
    after(runId: string, seq: number): RunEvent[]
    end(runId: string, reason: EndReason): void
    /** Runs that a crash left open are ended as stopped; returns them. */
    closeLeftOpen(): RunRow[]
  }
  /** Copy the database, consistent, to a file. */
  backup(path: string): Promise<void>
  close(): void
}
