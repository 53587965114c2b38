import type {
  LearnedFrom,
  LearningRule,
  Proposal,
  Review,
} from '../../src/shared/contract/learned/learning.ts'
import type { MemoryActor, MemoryEntry } from '../../src/shared/contract/learned/memory.ts'
import type { Message } from '../../src/shared/contract/chats/messages.ts'
import type { NetworkEntry, UsageSum } from '../../src/shared/contract/connections/network.ts'
import type { Compaction, Session } from '../../src/shared/contract/chats/session.ts'
import type { Transfer } from '../../src/shared/contract/models/download.ts'
import type { SkillActor, SkillUse } from '../../src/shared/contract/learned/skills.ts'

// The calls of browser tests to the process that keeps real hosts. Types only, because the page and Node both
// load this file.

/**
 * How to start a host. Everything is optional; the default is a home past its first run, with one served
 * model.
 */
export type HostStart = {
  /**
   * Further groups of `config.yaml`, merged over the defaults; `$home` and `$workspace` are replaced with the
   * folders, `$node` with the program that runs this, and `$misbehaving` with the MCP server of tests.
   */
  config?: Record<string, Record<string, unknown>>
  /** Files to create in the home and working folder, by relative path. */
  homeFiles?: Record<string, string>
  workspaceFiles?: Record<string, string>
  /** A file of the home folder that simulates a full disk: there is space again once the file is gone. */
  filledBy?: string
  /** Use a folder that needs a key as “Telegram”, with phones for the test. */
  messenger?: true
  /** Seeds to apply before the start, in order. */
  seeds?: readonly Seeding[]
}

/**
 * A running host. Its calls go to `ws://…/rpc/<id>` on the port of the process. `modelUrl` is the base URL of
 * its served model; downloadable files are below `filesUrl`.
 */
export type StartedHost = {
  id: string
  home: string
  workspace: string
  modelUrl: string
  filesUrl: string
}

/** An existing chat; ids are kept, so that a test can refer to them. */
export type SeededChat = Partial<Session> & { id: string; messages?: readonly Message[] }

/** When a chat was last viewed, and up to which message. */
type SeededSight = { chatId: string; messageId: number; at: number }

/** The compaction of a chat. */
export type SeededCompaction = Omit<Compaction, 'id'> & { chatId: string }

/**
 * A memory entry with its first revision, written by `origin`; `project` is the name or id of a seeded
 * project.
 */
export type SeededEntry = Partial<MemoryEntry> & { text: string; reviewId?: string | null }

/** A new text for an entry, not written by the user. */
export type SeededChange = { id: string; text: string; actor: MemoryActor }

/** A proposal as a review left it; its effect follows from its kind, texts and place. */
export type SeededProposal = Partial<Omit<Proposal, 'changed' | 'isStale' | 'trigger' | 'cost' | 'seen'>> & {
  headline: string
}
export type SeededReview = Partial<Omit<Review, 'title'>> & {
  /** The session of another program that was reviewed. */
  foreign?: LearnedFrom & { id: string }
}
export type SeededRule = Partial<LearningRule> & { text: string }

/**
 * A Hermes home in a folder below the working folder: notes about the user, and titles of chats with one
 * question and answer each, plus the given extras.
 */
export type SeededHermes = {
  folder: string
  user?: readonly string[]
  chats?: readonly string[]
  more?: readonly { session: string; role: string; content: string }[]
}
/** A ChatGPT export, by the titles of its chats. */
export type SeededChatGpt = { folder: string; chats: readonly string[] }

/** The usage of one answer; defaults are those of a short answer of the served model. */
export type SeededUsage = Partial<Omit<UsageSum, 'answers'>> & {
  at?: number
  sessionId?: string
  modelId?: string
  modelName?: string
  kind?: 'chat' | 'learning' | 'question'
}

/**
 * A model file of this size with the given header. Its weights are a hole, so a large file takes no space.
 * With `parts`, its name is that of the first one, `…-00001-of-00003.gguf`.
 */
export type SeededModelFile = {
  /** Below the home folder, or below the working folder. */
  home?: string
  workspace?: string
  sizeBytes?: number
  parameters?: number
  architecture?: string
  licence?: string
  /** Add the number of layers, so that the header is enough to estimate the memory use of the model. */
  layers?: number
  /** Its chat template, by default one with tools; null for none. */
  template?: string | null
}

/** A transfer from an earlier start; a `from` that begins with a slash is one of the served files. */
export type SeededTransfer = Partial<Transfer> & { id: string; catalogueId?: string }

/** A small real model, downloadable under this name; its first replies may be faulty. */
export type ServedFile = {
  name: string
  answers?: readonly { status?: number; holdAfter?: number; cutAfter?: number }[]
}
/**
 * A skill that exists before the start, created as its `from` says. `text` is its SKILL.md. An imported skill
 * comes from the folder `shared/<name>` of the working folder.
 */
export type SeededSkill = {
  name: string
  text: string
  from?: 'you' | 'agent' | 'import' | 'bundled'
  category?: string
  files?: Record<string, string>
  enabled?: boolean
  at?: number
  note?: string
  /** The turn in which the agent wrote the skill. Default: message 1 in `c1`. */
  sessionId?: string
  messageId?: number
  /** Turns that loaded the skill, oldest first; by default successful turns in `c1`. */
  uses?: readonly Partial<SkillUse>[]
}
/** A later change of a file of a skill; by default made by the agent in the turn of message 1 in `c1`. */
export type SeededSkillChange = Pick<SeededSkill, 'text' | 'at' | 'note' | 'sessionId' | 'messageId'> & {
  id: string
  path?: string
  actor?: SkillActor
}
/** A folder next to the working folder, with a chat in it and the SKILL.md of each skill by name. */
export type SeededSkillProject = { name: string; skills: Record<string, string>; trusted?: boolean }

/** What can be put into a home without calling the host, before it starts or while it runs. */
export type Seeds = {
  chat(chat: SeededChat): void
  compaction(compaction: SeededCompaction): void
  seen(sight: SeededSight): void
  /** Write files into the home folder like another program; null deletes one. */
  files(files: Record<string, string | null>): void
  workspaceFiles(files: Record<string, string | null>): void
  usage(answers: readonly SeededUsage[]): void
  /** A network request; by default an answer of a remote model. */
  request(entry: Partial<NetworkEntry>): void
  modelFile(file: SeededModelFile): void
  /** Only before the start. */
  transfers(list: readonly SeededTransfer[]): void
  /** The model list of the served model’s server, in the protocol's format; by default it has none. */
  servedModels(models: readonly ({ id: string } & Record<string, unknown>)[]): void
  servedFile(file: ServedFile): void
  /** A folder below the working folder with its own notes. */
  project(name: string): void
  entry(entry: SeededEntry): void
  edit(change: SeededChange): void
  review(review: SeededReview): void
  proposal(proposal: SeededProposal): void
  rule(rule: SeededRule): void
  hermes(home: SeededHermes): void
  chatGpt(given: SeededChatGpt): void
  /** The next three only before the start: later, everything about skills goes through the host. */
  skill(skill: SeededSkill): void
  skillChange(change: SeededSkillChange): void
  skillProject(project: SeededSkillProject): void
  /** A link in the user's own skills folder to a folder with this skill next to the home folder. */
  skillLink(link: { name: string; text: string }): void
  /**
   * Set the clock of the host, which then starts what is due by schedule. Before the start, its zone is
   * Europe/Berlin.
   */
  clock(time: string): void
}
export type Seeding = { [K in keyof Seeds]: { seed: K; input: Parameters<Seeds[K]>[0] } }[keyof Seeds]

/** A request of a host to its model; the test answers it piece by piece. */
export type ModelRequest = { id: string; hostId: string; body: ChatRequest }
export type ChatRequest = {
  messages: { role: string; content?: string | null; tool_calls?: unknown[] }[]
  tools?: { function: { name: string } }[]
  stream?: boolean
}

/** One step of an answer of the served model. */
export type ModelStep =
  | { text: string }
  | { reasoning: string }
  | { call: { id: string; name: string; arguments: Record<string, unknown> } }
  /** The end of the answer; `usage` in the format of the Chat Completions protocol. */
  | { end: { usage?: Record<string, unknown>; finish?: 'stop' | 'length' } }
  /** An error instead of an answer; only as the first step. */
  | { fail: { status: number; message: string } }
  /** Disconnect in the middle. */
  | { hangUp: true }

/**
 * A person’s phone, in a private chat or a group, and an action on it; by default, only read its messages.
 */
export type PhoneUse = {
  who: { id: string; name: string; username?: string }
  group?: { key: string; title: string }
  writes?: string
  presses?: string
}

/** The calls of the page. */
export type HostKeeper = {
  open(start: HostStart): StartedHost
  seed(input: { hostId: string; seeding: Seeding }): unknown
  answer(input: { requestId: string; steps: readonly ModelStep[] }): void
  /** Read a file that a host left in its home or working folder; null if it does not exist. */
  read(input: { hostId: string; folder: 'home' | 'workspace'; path: string }): string | null
  /** Receive an upload like the web server of a host; false when the bytes differ from the announcement. */
  upload(input: { hostId: string; transferId: string; text: string }): boolean
  /** Use a phone; returns the texts of its chat as its reader sees them. */
  phone(input: { hostId: string; use: PhoneUse }): readonly string[]
  close(input: { hostId: string }): void
}

/** On the control socket: calls of the page, results, and unrequested events. */
export type ToKeeper = {
  [K in keyof HostKeeper]: { id: number; ask: K; input: Parameters<HostKeeper[K]>[0] }
}[keyof HostKeeper]
export type FromKeeper =
  | { id: number; value: unknown }
  | { id: number; error: string }
  | { asked: ModelRequest }
  /** The host aborted the request, because the run was stopped. */
  | { cut: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of the process that keeps hosts (`serve-hosts.ts`). */
    hostKeeperPort: number
  }
}
