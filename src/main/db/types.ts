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
/** Absent and undefined fields stay unchanged. */
export type SessionChange = {
  [K in 'title' | 'modelId' | 'workspace' | 'approval' | 'pinned' | 'draft']?: Session[K] | undefined
} & {
  /** The `turnCount` when the draft was written. Once it has grown, the draft is stale and is dropped. */
  draftAfter?: number | undefined
}

/** The frozen system prompt of a session, one for each way of presenting tools. */
type FrozenPrompt = { key: string; sections: PromptText[]; toolNames: string[] }
/** One section of a prompt. The prompt is the sections joined by a blank line. */
export type PromptText = { name: PromptName; title: string; text: string }
type PromptName = 'identity' | 'tools' | 'guidance' | 'user' | 'memory' | 'skills' | 'project' | 'facts'

/** A chat of another program; `key` identifies it across programs. Times are epoch milliseconds. */
export type ImportedChat = Omit<NewSession, 'source'> & {
  key: string
  /** The chat that it continues, if that one exists here. */
  parentKey: string | null
  /** Empty when the first message serves as the title. */
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

/** A filter of messages. `from` is inclusive, `to` exclusive. */
export type RecallFilter = {
  from?: number | undefined
  to?: number | undefined
  role?: string | undefined
  source?: string | undefined
  /** A chat in which only compacted messages match. */
  except?: string | undefined
}
/** `compacted`: the model of its chat no longer reads its text. */
export type RecalledMessage = {
  id: number
  sessionId: string
  role: string
  text: string
  at: number
  compacted: boolean
}
/** A part of a chat that is one document of the index. */
export type RecalledPassage = { sessionId: string; firstId: number; lastId: number; score: number }
/** Ids from the first to the last, both inclusive. */
export type IdRange = { first: number; last: number }

/** A revision before the log numbers it. */
export type NewRevision = Omit<MemoryRevision, 'id' | 'undoneBy'>

/** A stored change of the notebook: the entries after it, and the resulting content of the files. */
type MemoryCommit = {
  entries: readonly MemoryEntry[]
  revisions: readonly NewRevision[]
  files: readonly { path: string; content: string }[]
  outside?: readonly OutsideEdit[]
}

/** The stored state of a skill. `accepted` is the digest of the content that the user accepted despite the scan. */
export type SkillState = {
  key: string
  /** Null when the user has not decided. */
  enabled: boolean | null
  accepted: string | null
  /** Who wrote it, for skills in the home folder. */
  author: 'you' | 'agent' | null
  source: SkillSource | null
}

/** A change of a skill before the log numbers it; `archive` names the backup folder, `skillId` the location. */
export type NewSkillRevision = Omit<SkillRevision, 'id' | 'undoneBy'> & {
  skillId: string
  archive: string | null
}
export type StoredSkillRevision = SkillRevision & { skillId: string; archive: string | null }

/** A stored review; `fromId` is the last message of the previous review. */
export type ReviewRow = Omit<Review, 'title'> & { fromId: number; startedAt: number | null }
/** The usage of one answer. Times are epoch milliseconds, costs are dollars. */
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
type UsageRead = {
  total: UsageSum
  days: (UsageSum & { day: string })[]
  models: (UsageSum & { modelId: string; name: string })[]
  chats: (UsageSum & { sessionId: string; title: string })[]
  kinds: (UsageSum & { kind: UsageRow['kind'] })[]
}

/** A stored proposal; `change` is the change that accepting it makes, as JSON of `learning/`. */
export type ProposalRow = Omit<Proposal, 'changed' | 'isStale' | 'trigger' | 'cost'> & { change: string }
/** `useless` counts consecutive passes that freed hardly any tokens. */
type NewCompaction = Omit<Compaction, 'id'> & { sessionId: string; useless: number }

/** The persistent state, in `state.db`. Every write is durable when the function returns. */
export interface Store {
  sessions: {
    create(session: NewSession): Session
    get(id: string): Session | undefined
    list(options: { query: string; limit: number; offset: number }): { sessions: Session[]; more: boolean }
    update(id: string, change: SessionChange): Session | undefined
    /** The folders of chats that are not deleted, newest first. */
    workspaces(limit: number): string[]
    remove(id: string): boolean
    restore(id: string): Session | undefined
    frozenPrompt(id: string, key: string): FrozenPrompt | undefined
    freezePrompt(id: string, prompt: FrozenPrompt): void
    /** Every frozen prompt of a session, unordered. */
    frozenPrompts(id: string): FrozenPrompt[]
    /** Drop the frozen prompt, so that the next message rebuilds it. */
    forgetPrompt(id: string): void
  }
  imports: {
    /** Which of these chats were imported before, including ones deleted since. */
    known(keys: readonly string[]): Set<string>
    /** Store each chat completely or not at all, skipping known ones. Returns the ids of the new ones. */
    add(chats: readonly ImportedChat[]): string[]
  }
  messages: {
    append(message: NewMessage, draft?: string): Message
    /** A page in order, ending before `before`; `more` means that older ones exist. */
    page(
      sessionId: string,
      options: { before?: number; limit: number },
    ): { messages: Message[]; more: boolean }
    /** The messages of the model's history, in order: all, the newest `most`, or those from `since` on. */
    history(sessionId: string, options?: { since?: number; most?: number }): Message[]
  }
  /** The word indexes of the chat search. Queries are FTS5 expressions; an invalid one throws. */
  recall: {
    /** Index up to `most` changed passages, newest first. Returns their number. */
    refresh(most: number): number
    /** The range of ids of messages or passages; undefined when there are none. */
    range(of: 'messages' | 'passages'): IdRange | undefined
    /** The id range of the messages of chats with a message in the time range of `filter`. */
    rangeOf(filter: RecallFilter): IdRange | undefined
    /** The number of messages or passages that match an expression. */
    frequency(match: string, of: 'messages' | 'passages'): number
    /** Ids of the best matching messages of chats that are not deleted. */
    messages(
      match: string,
      options: { within: IdRange; limit: number; filter?: RecallFilter | undefined },
    ): number[]
    /** The best matching passages of chats that are not deleted, with a score; higher is better. */
    passages(match: string, options: { within: IdRange; limit: number }): RecalledPassage[]
    /** Ids of the messages in matching passages, unordered. */
    inPassages(passages: readonly RecalledPassage[], match: string, filter?: RecallFilter): number[]
    /** Ids of the messages in passages that contain one of the texts literally; for text that the word index cannot find. */
    holding(passages: readonly RecalledPassage[], texts: readonly string[], filter?: RecallFilter): number[]
    /** Ids of the newest messages that contain a text literally; only those of the last weeks are read. */
    literal(text: string, limit: number, filter?: RecallFilter): number[]
    /** Messages, each with up to `reach` before and after it, by chat and in order; long texts are cut. */
    windows(ids: readonly number[], reach: number): RecalledMessage[]
    /** A message with up to `reach` before and after it in its chat, in order; empty when it is gone. */
    around(id: number, reach: number): RecalledMessage[]
    /** The first and the last `count` messages of a chat; they overlap in short chats. */
    ends(sessionId: string, count: number): RecalledMessage[]
    /** The root chat of each chat, following its parents; a chat without a parent is its own root. */
    roots(sessionIds: readonly string[]): Map<string, string>
  }
  /** The metadata and history of the notebook (`memory/`). */
  memory: {
    /** Entries that are not archived, oldest first. `blocked` is null here, because it is computed from the text. */
    entries(): MemoryEntry[]
    entry(id: string): MemoryEntry | undefined
    archived(options: { query: string; limit: number; offset: number }): {
      entries: MemoryEntry[]
      more: boolean
    }
    archivedCount(): number
    /** Store a change atomically, and clear the pending one. */
    commit(change: MemoryCommit): MemoryRevision[]
    revision(id: number): MemoryRevision | undefined
    /** Newest first. */
    history(options: { entryId?: string; sessionId?: string; before?: number; limit: number }): {
      revisions: MemoryRevision[]
      more: boolean
    }
    /** Count one chat that started with these entries. */
    used(ids: readonly string[], at: number): void
    projects(): MemoryProject[]
    putProject(project: MemoryProject): void
    /** The content of a file when it was last read or written here. */
    file(path: string): string | undefined
    outside(): OutsideEdit[]
    resolveOutside(id: string, at: number): void
    /** The pending change of a process that ended, if any. */
    pending(): string | undefined
    begin(change: string): void
    giveUp(): void
  }
  /** The state and history of skills (`skills/`). */
  skills: {
    states(): Map<string, SkillState>
    putStates(states: readonly SkillState[]): void
    /** Store changes and the new state atomically, and clear the pending one. */
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
    /** The newest revision of every deleted skill. */
    deleted(): StoredSkillRevision[]
    pending(): string | undefined
    begin(change: string): void
    giveUp(): void
    /** Record that a turn loaded a skill, once per turn. */
    use(use: { key: string; sessionId: string; messageId: number; by: SkillUse['by']; at: number }): void
    /** Record the outcome of a turn for the skills it loaded; returns their keys. `from` lists the outcomes it may replace. */
    settle(
      turn: { sessionId: string; messageId: number },
      outcome: NonNullable<SkillUse['outcome']>,
      from: 'open' | 'any',
    ): string[]
    /** Newest first. */
    uses(key: string, limit: number): SkillUse[]
    /** Usage by key, with the outcomes of the last three finished turns, newest first. */
    tallies(): Map<string, SkillUses & { last: SkillUse['outcome'][] }>
  }
  /** Requests that were sent or blocked (`net/`). */
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
    /** Newest first, older than the entry `before`. */
    list(before: number, limit: number): NetworkEntry[]
    hosts(): NetworkHost[]
    clear(): void
  }
  /** The usage of answers. */
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
    /** Queued and running reviews, oldest first. */
    waitingReviews(): ReviewRow[]
    /** The newest reviewed message of a chat; 0 without one. */
    reviewedUpTo(sessionId: string): number
    /** Ended reviews, newest first. */
    endedReviews(options: { before: number; limit: number }): ReviewRow[]
    reviewsOf(sessionId: string): ReviewRow[]
    putProposals(proposals: readonly ProposalRow[]): void
    proposal(id: string): ProposalRow | undefined
    proposals(where: { state?: Proposal['state']; sessionId?: string; reviewId?: string }): ProposalRow[]
    /** Decided proposals, newest first. */
    decided(options: { before: number; limit: number }): ProposalRow[]
    openCount(): number
    rules(): LearningRule[]
    putRule(rule: LearningRule): void
    removeRule(id: string, at: number): boolean
    hitRule(id: string): void
    /** Revisions of the notebook and of skills by the agent or a review, newest first. */
    learnedMemory(options: { since?: number; before: number; limit: number }): MemoryRevision[]
    learnedSkills(options: { since?: number; before: number; limit: number }): StoredSkillRevision[]
    /** Times at which proposals were decided, changes made and reviews ended. */
    tally(since: number): { at: number; what: 'kept' | 'rejected' | 'undone' | 'review' }[]
    /** Chats with at least `turns` user turns since their last review, idle since `quietSince`. */
    unreviewed(options: { turns: number; quietSince: number; limit: number }): string[]
  }
  compactions: {
    /** Store a compaction; the messages between its head and its end become compacted. */
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
    /** End runs that a crash left open as stopped; returns them. */
    closeLeftOpen(): RunRow[]
  }
  /** Copy a consistent snapshot of the database to a file. */
  backup(path: string): Promise<void>
  close(): void
}
