import type { LearningRule, Proposal, Review } from '../../src/shared/contract/learning.ts'
import type { MemoryActor, MemoryEntry } from '../../src/shared/contract/memory.ts'
import type { Message } from '../../src/shared/contract/messages.ts'
import type { NetworkEntry } from '../../src/shared/contract/network.ts'
import type { Compaction, Session } from '../../src/shared/contract/session.ts'
import type { Transfer } from '../../src/shared/contract/transfers.ts'
import type { UsageSum } from '../../src/shared/contract/usage.ts'
import type { SkillActor, SkillUse } from '../../src/shared/contract/skills.ts'

// What a browser test asks of the process that keeps real hosts for it. Types only: the page and Node both read them.

/** How a host is started. Everything is optional; without anything it is a home past its first run, with one served model. */
export type HostStart = {
  /** Further groups of `config.yaml`, laid over the ones of every test; `$home` and `$workspace` stand for the folders. */
  config?: Record<string, Record<string, unknown>>
  /** Files in the home folder and in the working folder before the start, by their path there. */
  homeFiles?: Record<string, string>
  workspaceFiles?: Record<string, string>
  /** What is there before the start, in order. */
  seeds?: readonly Seeding[]
}

/**
 * A host that runs. Its calls go to `ws://…/rpc/<id>` on the port of the process. `modelUrl` is the base address of its served
 * model, and `filesUrl` the address below which the files are that can be downloaded.
 */
export type StartedHost = {
  id: string
  home: string
  workspace: string
  modelUrl: string
  filesUrl: string
}

/** A chat as it was before; ids are kept, so that a test can name them. */
export type SeededChat = Partial<Session> & { id: string; messages?: readonly Message[] }

/** A summary of a chat. */
export type SeededCompaction = Omit<Compaction, 'id'> & { chatId: string }

/** An entry of the notebook with its first revision, written by `origin`; `project` is the name of a seeded one, or its id. */
export type SeededEntry = Partial<MemoryEntry> & { text: string; reviewId?: string | null }

/** Another text for an entry, by somebody else than the person. */
export type SeededChange = { id: string; text: string; actor: MemoryActor }

/** A proposal as a review left it; what keeping it does goes with its kind, its texts and its place. */
export type SeededProposal = Partial<Omit<Proposal, 'changed' | 'isStale' | 'trigger' | 'cost'>> & {
  headline: string
}
export type SeededReview = Partial<Omit<Review, 'title'>>
export type SeededRule = Partial<LearningRule> & { text: string }

/**
 * A home of Hermes in a folder below the working folder: entries of its notes about the person, and the titles of chats, each
 * with one question and its answer and what is given besides.
 */
export type SeededHermes = {
  folder: string
  user?: readonly string[]
  chats?: readonly string[]
  more?: readonly { session: string; role: string; content: string }[]
}
/** An export of ChatGPT, by the titles of its chats. */
export type SeededChatGpt = { folder: string; chats: readonly string[] }

/** What one answer took; what is not given is that of a short answer of the served model. */
export type SeededUsage = Partial<Omit<UsageSum, 'answers'>> & {
  at?: number
  sessionId?: string
  modelId?: string
  modelName?: string
  kind?: 'chat' | 'learning' | 'question'
}

/**
 * A model file of that size whose header says what it is told to; of its weights there is nothing, so a large one takes no
 * space. In `parts` its name is that of the first one, `…-00001-of-00003.gguf`.
 */
export type SeededModelFile = {
  /** Below the home folder, or below the working folder. */
  home?: string
  workspace?: string
  sizeBytes?: number
  parameters?: number
  architecture?: string
  licence?: string
  hasTemplate?: boolean
}

/** A transfer as it was when this home was last used; a `from` that begins with a slash is one of the served files. */
export type SeededTransfer = Partial<Transfer> & { id: string; catalogueId?: string }

/** A small real model that can be downloaded under that name; its first answers may be worse than good ones. */
export type ServedFile = {
  name: string
  answers?: readonly { status?: number; holdAfter?: number; cutAfter?: number }[]
}
/**
 * A skill that is there before the host starts, as whoever it is `from` would have put it there. `text` is its SKILL.md. An
 * imported one comes from the folder `shared/<name>` of the working folder.
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
  /** Of what the agent wrote: the turn. Without one it is that of message 1 in `c1`. */
  sessionId?: string
  messageId?: number
  /** Turns that loaded it, the oldest first; without more they went well, in `c1`. */
  uses?: readonly Partial<SkillUse>[]
}
/** A later change of a file of a skill, by default by the agent in the turn of message 1 in `c1`. */
export type SeededSkillChange = Pick<SeededSkill, 'text' | 'at' | 'note' | 'sessionId' | 'messageId'> & {
  id: string
  path?: string
  actor?: SkillActor
}
/** A folder beside the working folder that a chat works in, with the SKILL.md of each of its skills by name. */
export type SeededSkillProject = { name: string; skills: Record<string, string>; trusted?: boolean }

/** What can be put into a home without asking the host, before it starts or while it runs. */
export type Seeds = {
  chat(chat: SeededChat): void
  compaction(compaction: SeededCompaction): void
  /** Write files into the home folder as another program would; null removes one. */
  files(files: Record<string, string | null>): void
  workspaceFiles(files: Record<string, string | null>): void
  usage(answers: readonly SeededUsage[]): void
  /** Something that was asked of the network; without anything it is an answer of a model elsewhere. */
  request(entry: Partial<NetworkEntry>): void
  modelFile(file: SeededModelFile): void
  /** Only before the start. */
  transfers(list: readonly SeededTransfer[]): void
  /** What the served model’s server lists as its models, in the words of the protocol; without any it has no list. */
  servedModels(models: readonly ({ id: string } & Record<string, unknown>)[]): void
  servedFile(file: ServedFile): void
  /** A folder below the working folder, with notes of its own. */
  project(name: string): void
  entry(entry: SeededEntry): void
  edit(change: SeededChange): void
  review(review: SeededReview): void
  proposal(proposal: SeededProposal): void
  rule(rule: SeededRule): void
  hermes(home: SeededHermes): void
  chatGpt(given: SeededChatGpt): void
  /** These three before the start only: later everything about skills goes through the host. */
  skill(skill: SeededSkill): void
  skillChange(change: SeededSkillChange): void
  skillProject(project: SeededSkillProject): void
}
export type Seeding = { [K in keyof Seeds]: { seed: K; input: Parameters<Seeds[K]>[0] } }[keyof Seeds]

/** A question that a host asks its model: the test answers it piece by piece. */
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
  /** The end of the answer; `usage` in the words of the Chat Completions protocol. */
  | { end: { usage?: Record<string, unknown>; finish?: 'stop' | 'length' } }
  /** An error instead of an answer; only as the first step. */
  | { fail: { status: number; message: string } }
  /** Hang up in the middle. */
  | { hangUp: true }

/** What the page can ask. */
export type HostKeeper = {
  open(start: HostStart): StartedHost
  seed(input: { hostId: string; seeding: Seeding }): unknown
  answer(input: { requestId: string; steps: readonly ModelStep[] }): void
  /** The files that a host left in its home and in its working folder: their text, or null where there is none. */
  read(input: { hostId: string; folder: 'home' | 'workspace'; path: string }): string | null
  /** Take the bytes of an upload, as the web server of a host does; false when they were not what was announced. */
  upload(input: { hostId: string; transferId: string; text: string }): boolean
  close(input: { hostId: string }): void
}

/** On the control socket: questions of the page, answers, and what comes unasked. */
export type ToKeeper = {
  [K in keyof HostKeeper]: { id: number; ask: K; input: Parameters<HostKeeper[K]>[0] }
}[keyof HostKeeper]
export type FromKeeper =
  | { id: number; value: unknown }
  | { id: number; error: string }
  | { asked: ModelRequest }
  /** The host gave up on the answer, because the run was stopped. */
  | { cut: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of the process that keeps hosts (`serve-hosts.ts`). */
    hostKeeperPort: number
  }
}
