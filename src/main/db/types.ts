import type { LearningRule, Proposal, Review } from '../../shared/contract/learning.ts'
import type { MemoryEntry, MemoryProject, MemoryRevision, OutsideEdit } from '../../shared/contract/memory.ts'
import type { Message, NewMessage } from '../../shared/contract/messages.ts'
import type { NetworkEntry, NetworkHost } from '../../shared/contract/network.ts'
import type { EndReason, NewRunEvent, RunEvent } from '../../shared/contract/run.ts'
import type { ApprovalMode, Compaction, Session } from '../../shared/contract/session.ts'
import type { SkillRevision, SkillSource, SkillUse, SkillUses } from '../../shared/contract/skills.ts'
import type { UsageSum } from '../../shared/contract/usage.ts'

export type NewSession = {
  modelId: string
  workspace: string
  approval: ApprovalMode
  source: Session['source']
}
/** What is absent or undefined stays as it is. */
export type SessionChange = {
  [K in 'title' | 'modelId' | 'workspace' | 'approval' | 'pinned' | 'draft']?: Session[K] | undefined
} & {
  /** The `turnCount` when the draft was written; once it has grown, the draft is stale and stays out. */
  draftAfter?: number | undefined
}

/** The frozen system prompt of a session, one for each way of presenting tools. */
export type FrozenPrompt = { key: string; sections: PromptText[]; toolNames: string[] }
/** One part of a prompt; together, joined by a blank line, they are what is sent. */
export type PromptText = { name: PromptName; title: string; text: string }
type PromptName = 'identity' | 'tools' | 'guidance' | 'user' | 'memory' | 'skills' | 'project' | 'facts'

/** A chat of another program; `key` tells it from all others, there and here. Times are epoch milliseconds. */
export type ImportedChat = Omit<NewSession, 'source'> & {
  key: string
  /** The chat that it goes on with, if that is here. */
  parentKey: string | null
  /** Empty when the first message must do. */
  title: string
  createdAt: number
  updatedAt: number
  messages: readonly ImportedMessage[]
}
export type ImportedMessage = { role: 'user' | 'assistant'; text: string; at: number; model: string }

export type RunRow = {
  id: string
  sessionId: string
  startedAt: number
  endedAt: number | null
  reason: EndReason | null
}

/** Which messages count. Times are from, inclusive, and to, exclusive. */
export type RecallFilter = {
  from?: number | undefined
  to?: number | undefined
  role?: string | undefined
  source?: string | undefined
  /** A chat of which only what is compacted counts. */
  except?: string | undefined
}
/** `compacted`: its text is no longer part of what the model of its chat reads. */
export type RecalledMessage = {
  id: number
  sessionId: string
  role: string
  text: string
  at: number
  compacted: boolean
}
/** A part of a chat that the index knows as one document. */
export type RecalledPassage = { sessionId: string; firstId: number; lastId: number; score: number }
/** Ids from the first to the last, both inclusive. */
export type IdRange = { first: number; last: number }

/** A revision before the log has numbered it. */
export type NewRevision = Omit<MemoryRevision, 'id' | 'undoneBy'>

/** A change of the notebook as it is kept: entries as they are after it, and what the files hold then. */
export type MemoryCommit = {
  entries: readonly MemoryEntry[]
  revisions: readonly NewRevision[]
  files: readonly { path: string; content: string }[]
  outside?: readonly OutsideEdit[]
}

/** What is known of a skill besides its folder. `accepted` is the digest of the content that the person accepted despite the scan. */
export type SkillState = {
  key: string
  /** Null when the person decided nothing. */
  enabled: boolean | null
  accepted: string | null
  /** Who wrote it, for skills in the home folder. */
  author: 'you' | 'agent' | null
  source: SkillSource | null
}

/** A change of a skill before the log has numbered it; `archive` names the folder that was put aside, `skillId` the place. */
export type NewSkillRevision = Omit<SkillRevision, 'id' | 'undoneBy'> & {
  skillId: string
  archive: string | null
}
export type StoredSkillRevision = SkillRevision & { skillId: string; archive: string | null }

/** A review as it is kept; `fromId` is the last message that was reviewed before. */
export type ReviewRow = Omit<Review, 'title'> & { fromId: number; startedAt: number | null }
/** What one answer took; times are epoch milliseconds, costs dollars. */
export type UsageRow = {
  at: number
  sessionId: string
  modelId: string
  modelName: string
  kind: 'chat' | 'learning' | 'question'
  promptTokens: number
  cachedTokens: number
  outputTokens: number
  ms: number
  costUsd: number | null
}
export type UsageRead = {
  total: UsageSum
  days: (UsageSum & { day: string })[]
  models: (UsageSum & { modelId: string; name: string })[]
  chats: (UsageSum & { sessionId: string; title: string })[]
  kinds: (UsageSum & { kind: UsageRow['kind'] })[]
}

/** A proposal as it is kept; `change` is what keeping it does, as JSON that `learning/` understands. */
export type ProposalRow = Omit<Proposal, 'changed' | 'isStale' | 'trigger' | 'cost'> & { change: string }
/** `useless` counts the passes in a row that made hardly any room. */
export type NewCompaction = Omit<Compaction, 'id'> & { sessionId: string; useless: number }

/** Everything that outlives the process, in `state.db`. Every write is durable when the function returns. */
export interface Store {
  sessions: {
    create(session: NewSession): Session
    get(id: string): Session | undefined
    list(options: { query: string; limit: number; offset: number }): { sessions: Session[]; more: boolean }
    update(id: string, change: SessionChange): Session | undefined
    /** The folders that live chats work in, the newest first. */
    workspaces(limit: number): string[]
    remove(id: string): boolean
    restore(id: string): Session | undefined
    frozenPrompt(id: string, key: string): FrozenPrompt | undefined
    freezePrompt(id: string, prompt: FrozenPrompt): void
    /** Every frozen prompt of a session, in no order. */
    frozenPrompts(id: string): FrozenPrompt[]
    /** Let the prompt be built anew with the next message. */
    forgetPrompt(id: string): void
  }
  imports: {
    /** Which of these chats are here already; one that was removed since counts too. */
    known(keys: readonly string[]): Set<string>
    /** Keep chats whole or not at all, those that are known left out. Returns the ids of the new ones. */
    add(chats: readonly ImportedChat[]): string[]
  }
  messages: {
    append(message: NewMessage, draft?: string): Message
    /** A page in order, ending just before `before`; `more` says that older ones exist. */
    page(
      sessionId: string,
      options: { before?: number; limit: number },
    ): { messages: Message[]; more: boolean }
    /** The messages that are part of the model's history, in order: all, the newest `most`, those from `since` on. */
    history(sessionId: string, options?: { since?: number; most?: number }): Message[]
  }
  /** The word indexes behind the search over past chats. What is asked is an FTS5 expression and throws if it is none. */
  recall: {
    /** Index up to `most` passages that have changed, the newest first. Returns how many there were. */
    refresh(most: number): number
    /** The ids that messages, or passages, have; undefined when there are none. */
    range(of: 'messages' | 'passages'): IdRange | undefined
    /** The ids of the messages of chats in which something was said at such times. */
    rangeOf(filter: RecallFilter): IdRange | undefined
    /** How many messages, or passages, fit an expression. */
    frequency(match: string, of: 'messages' | 'passages'): number
    /** Ids of the messages of live chats that fit best. */
    messages(
      match: string,
      options: { within: IdRange; limit: number; filter?: RecallFilter | undefined },
    ): number[]
    /** Parts of live chats that fit best as a whole, with a score, the higher the better. */
    passages(match: string, options: { within: IdRange; limit: number }): RecalledPassage[]
    /** Ids of the messages in passages that fit an expression, in no order. */
    inPassages(passages: readonly RecalledPassage[], match: string, filter?: RecallFilter): number[]
    /** Ids of the messages in passages that hold one of the texts as it is; for what words do not tell. */
    holding(passages: readonly RecalledPassage[], texts: readonly string[], filter?: RecallFilter): number[]
    /** Ids of the newest messages that hold a text as it is; only those of the last weeks are read. */
    literal(text: string, limit: number, filter?: RecallFilter): number[]
    /** Messages with up to `reach` before and after each in its chat, chat by chat, in order; long texts are cut. */
    windows(ids: readonly number[], reach: number): RecalledMessage[]
    /** A message with up to `reach` before and after it in its chat, in order; empty when it is gone. */
    around(id: number, reach: number): RecalledMessage[]
    /** The first and the last messages of a chat, `count` each; short chats give some of them twice. */
    ends(sessionId: string, count: number): RecalledMessage[]
    /** The live chats that these came from, by what they were given as parents; each its own without one. */
    roots(sessionIds: readonly string[]): Map<string, string>
  }
  /** What the files of the notebook cannot say (`memory/`). */
  memory: {
    /** What is not archived, oldest first; `blocked` is null here, because it is found by looking at the text. */
    entries(): MemoryEntry[]
    entry(id: string): MemoryEntry | undefined
    archived(options: { query: string; limit: number; offset: number }): {
      entries: MemoryEntry[]
      more: boolean
    }
    archivedCount(): number
    /** Keep a change, all or nothing, and end the pending one. */
    commit(change: MemoryCommit): MemoryRevision[]
    revision(id: number): MemoryRevision | undefined
    /** Newest first. */
    history(options: { entryId?: string; sessionId?: string; before?: number; limit: number }): {
      revisions: MemoryRevision[]
      more: boolean
    }
    /** Count a chat that began with these entries. */
    used(ids: readonly string[], at: number): void
    projects(): MemoryProject[]
    putProject(project: MemoryProject): void
    /** What a file held when it was last read or written here. */
    file(path: string): string | undefined
    outside(): OutsideEdit[]
    resolveOutside(id: string, at: number): void
    /** The change that was being made when the process ended, if there is one. */
    pending(): string | undefined
    begin(change: string): void
    giveUp(): void
  }
  /** What folders of skills cannot say (`skills/`). */
  skills: {
    states(): Map<string, SkillState>
    putStates(states: readonly SkillState[]): void
    /** Keep changes and what is known since, all or nothing, and end the pending one. */
    commit(change: {
      revisions: readonly NewSkillRevision[]
      states?: readonly SkillState[]
    }): StoredSkillRevision[]
    revision(id: number): StoredSkillRevision | undefined
    /** Newest first. */
    history(options: { key?: string; sessionId?: string; before?: number; limit: number }): {
      revisions: StoredSkillRevision[]
      more: boolean
    }
    /** The newest revision of every skill whose newest change of place was a deletion. */
    deleted(): StoredSkillRevision[]
    pending(): string | undefined
    begin(change: string): void
    giveUp(): void
    /** A turn loaded a skill; once a turn. */
    use(use: { key: string; sessionId: string; messageId: number; by: SkillUse['by']; at: number }): void
    /** How a turn ended for the skills it loaded; returns their keys. `from` says which present outcomes it may replace. */
    settle(
      turn: { sessionId: string; messageId: number },
      outcome: NonNullable<SkillUse['outcome']>,
      from: 'open' | 'any',
    ): string[]
    /** Newest first. */
    uses(key: string, limit: number): SkillUse[]
    /** By key, with the outcomes of the last three finished turns, newest first. */
    tallies(): Map<string, SkillUses & { last: SkillUse['outcome'][] }>
  }
  /** Requests that left the host, or wanted to (`net/`). */
  network: {
    begin(
      entry: Pick<NetworkEntry, 'at' | 'host' | 'purpose' | 'subject' | 'nearby'> & {
        state: 'running' | 'blocked'
      },
    ): number
    end(
      id: number,
      outcome: Pick<NetworkEntry, 'sentBytes' | 'receivedBytes' | 'ms'> & { state: 'done' | 'failed' },
    ): void
    /** The newest first, older than the entry `before`. */
    list(before: number, limit: number): NetworkEntry[]
    hosts(): NetworkHost[]
    clear(): void
  }
  /** What answers took. */
  usage: {
    add(row: UsageRow): void
    read(range: {
      from?: number | undefined
      to?: number | undefined
      sessionId?: string | undefined
    }): UsageRead
  }
  /** Reviews, proposals and rules (`learning/`). */
  learning: {
    putReview(review: ReviewRow): void
    review(id: string): ReviewRow | undefined
    /** Queued and running ones, the oldest first. */
    waitingReviews(): ReviewRow[]
    /** The newest message of a chat that a review has looked at; 0 without one. */
    reviewedUpTo(sessionId: string): number
    /** Ended ones, the newest first. */
    endedReviews(options: { before: number; limit: number }): ReviewRow[]
    reviewsOf(sessionId: string): ReviewRow[]
    putProposals(proposals: readonly ProposalRow[]): void
    proposal(id: string): ProposalRow | undefined
    proposals(where: { state?: Proposal['state']; sessionId?: string; reviewId?: string }): ProposalRow[]
    /** Decided ones, the newest first. */
    decided(options: { before: number; limit: number }): ProposalRow[]
    openCount(): number
    rules(): LearningRule[]
    putRule(rule: LearningRule): void
    removeRule(id: string, at: number): boolean
    hitRule(id: string): void
    /** Revisions of the notebook and of skills that the agent or a review made, by time, the newest first. */
    learnedMemory(options: { since?: number; before: number; limit: number }): MemoryRevision[]
    learnedSkills(options: { since?: number; before: number; limit: number }): StoredSkillRevision[]
    /** Times at which proposals were decided, changes made and reviews ended. */
    tally(since: number): { at: number; what: 'kept' | 'rejected' | 'undone' | 'review' }[]
    /** Live chats in which people said at least so much since their last review, and nothing after a time. */
    unreviewed(options: { turns: number; quietSince: number; limit: number }): string[]
  }
  compactions: {
    /** Keep a compaction; messages between its head and its end count as compacted from now on. */
    add(compaction: NewCompaction): Compaction & { useless: number }
    newest(sessionId: string): (Compaction & { useless: number }) | undefined
    list(sessionId: string): Compaction[]
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
