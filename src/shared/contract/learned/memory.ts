import { z } from 'zod'
import { call } from '../../rpc.ts'
import { Seen } from '../seen.ts'

/** `user`: facts about the user (USER.md). `memory`: notes of the agent (MEMORY.md). */
export const MemoryTarget = z.enum(['user', 'memory'])
export type MemoryTarget = z.infer<typeof MemoryTarget>

/** Maximum length of an entry, in characters. The file has its own limit. */
export const MAX_ENTRY_CHARS = 20_000
/** Maximum length of a text to find entries by, in characters. */
export const MAX_SOUGHT_CHARS = 1_000

/**
 * Who made a change: the user in the window or a terminal, the agent, a review, an external editor, an
 * import.
 */
export const MemoryActor = z.enum(['you', 'agent', 'review', 'file', 'import'])
export type MemoryActor = z.infer<typeof MemoryActor>

/** The id of a project, or null for entries that apply everywhere. Only notes have projects. */
const project = z.string().max(100).nullable()

/**
 * One memory entry. `uses` counts the chats that started with it; `blocked` says why it is hidden
 * from the model. Times are epoch milliseconds.
 */
export const MemoryEntry = z.object({
  id: z.string(),
  target: MemoryTarget,
  project,
  text: z.string(),
  origin: MemoryActor,
  /** The chat and the message that the entry came from, if any. */
  sessionId: z.string().nullable(),
  messageId: z.int().nullable(),
  createdAt: z.number(),
  updatedAt: z.number(),
  locked: z.boolean(),
  uses: z.int(),
  lastUsedAt: z.number().nullable(),
  archivedAt: z.number().nullable(),
  blocked: z.string().nullable(),
})
export type MemoryEntry = z.infer<typeof MemoryEntry>

/** One change of one entry, in an append-only log. An undo is a change like any other. */
export const MemoryRevision = z.object({
  id: z.int(),
  entryId: z.string(),
  target: MemoryTarget,
  project,
  op: z.enum(['add', 'edit', 'remove', 'restore', 'move', 'lock', 'unlock']),
  /** The text before and after; null if there was none. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  actor: MemoryActor,
  sessionId: z.string().nullable(),
  messageId: z.int().nullable(),
  /** The review that proposed it. */
  reviewId: z.string().nullable(),
  at: z.number(),
  /** The revision that this one undoes, and the one that undid it. */
  undoes: z.int().nullable(),
  undoneBy: z.int().nullable(),
  /**
   * The merge, or the undo of a merge, that this change is part of; null for other changes. All parts are
   * undone together.
   */
  mergeId: z.string().nullable(),
})
export type MemoryRevision = z.infer<typeof MemoryRevision>

/** The fill level of one file: characters of the file, and estimated tokens. */
export const MemoryCapacity = z.object({
  target: MemoryTarget,
  project,
  used: z.int(),
  limit: z.int(),
  tokens: z.int(),
  /** The entries to remove first if space is needed: the oldest unlocked entries. */
  firstToGo: z.array(z.string()),
})
export type MemoryCapacity = z.infer<typeof MemoryCapacity>

/** A file that another program changed. Both versions are kept until the user decides. */
export const OutsideEdit = z.object({
  id: z.string(),
  target: MemoryTarget,
  project,
  path: z.string(),
  at: z.number(),
  before: z.string(),
  after: z.string(),
})
export type OutsideEdit = z.infer<typeof OutsideEdit>

/** One version of a file that waits for a choice: its source, if known, and its entries. */
const Side = z.object({ label: z.string(), entries: z.array(z.string()) })

/**
 * A memory file that another program left in an unintended state, or a copy next to it. The last good version
 * stays in use until the user chooses. `missing` and `empty`: although there are entries. `restless`: another
 * program keeps rewriting the file.
 */
export const WaitingFile = z.object({
  id: z.string(),
  kind: z.enum(['conflict', 'empty', 'missing', 'restless', 'copy']),
  target: MemoryTarget,
  project,
  path: z.string(),
  /** The program that names its copies like this; null if unknown. */
  by: z.string().nullable(),
  /** Why the copy cannot be read; null if it can. */
  reason: z.string().nullable(),
  since: z.number(),
  /** The state may pass in a moment, so the user is not asked yet. */
  fresh: z.boolean(),
  mine: Side,
  theirs: Side,
  seen: z.string(),
})
export type WaitingFile = z.infer<typeof WaitingFile>

/** A folder with its own notes. */
export const MemoryProject = z.object({ id: z.string(), name: z.string(), folder: z.string() })
export type MemoryProject = z.infer<typeof MemoryProject>

/** The content of the Memory page, without the archive and the history. */
export const MemoryView = z.object({
  entries: z.array(MemoryEntry),
  capacity: z.array(MemoryCapacity),
  projects: z.array(MemoryProject),
  outside: z.array(OutsideEdit),
  waiting: z.array(WaitingFile),
  /** Files that cannot be read, with the reason; they are never overwritten. */
  unreadable: z.array(z.object({ path: z.string(), reason: z.string() })),
  /**
   * Files over their limit, and files with an entry longer than the whole file may be (`longest`), which
   * agents may not change. All of their content is kept and used. In characters.
   */
  oversized: z.array(z.object({ path: z.string(), used: z.int(), limit: z.int(), longest: z.int() })),
  useInChats: z.boolean(),
  learnFromChats: z.boolean(),
  archived: z.int(),
})
export type MemoryView = z.infer<typeof MemoryView>

/** A chat that still contains words of an entry. Forgetting an entry does not change chats. */
export const HoldingChat = z.object({
  id: z.string(),
  title: z.string(),
  at: z.number(),
  isDeleted: z.boolean(),
})
export type HoldingChat = z.infer<typeof HoldingChat>

/**
 * What *Forget for good* removes: the number of entries and every text that they ever had. `chats` and
 * `skills` contain these texts too and stay unchanged.
 */
export const ForgetPlan = z.object({
  entries: z.int(),
  texts: z.array(z.string()),
  chats: z.array(HoldingChat),
  skills: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type ForgetPlan = z.infer<typeof ForgetPlan>

const id = z.string().min(1).max(100)
const ids = z.array(id).min(1).max(1_000)
const text = z.string().trim().min(1).max(MAX_ENTRY_CHARS)
/** An entry with the text that the caller saw. Throws a `conflict` Fault if the text has changed since. */
const seenEntry = z.object({ id, expected: z.string() })
const source = z.object({ sessionId: id, messageId: z.int().optional() }).optional()
const changed = z.object({ revisions: z.array(MemoryRevision) })

/**
 * The memory. Every change returns its revisions, so that it can be undone immediately. A refusal (over the
 * limit, locked, found dangerous, changed since) is a `bad_input` or `conflict` Fault with a message that
 * says what to do.
 */
export const memory = {
  'memory.view': call(z.object({}), MemoryView),
  'memory.archive': call(
    z.object({
      query: z.string().max(200).default(''),
      limit: z.int().min(1).max(200).default(50),
      offset: z.int().min(0).default(0),
    }),
    z.object({ entries: z.array(MemoryEntry), more: z.boolean() }),
  ),
  /** Newest first, just before revision `before`; of one entry, of one chat, or of all. */
  'memory.history': call(
    z.object({
      entryId: id.optional(),
      sessionId: id.optional(),
      before: z.int().optional(),
      limit: z.int().min(1).max(200).default(50),
    }),
    z.object({ revisions: z.array(MemoryRevision), more: z.boolean() }),
  ),
  /**
   * The active entries that contain all of the words, in any case and spelling. If there are none, `nearest`
   * has the closest entries, best first.
   */
  'memory.find': call(
    z.object({ words: z.string().max(MAX_SOUGHT_CHARS) }),
    z.object({ found: z.array(MemoryEntry), nearest: z.array(MemoryEntry) }),
  ),
  /**
   * Add an entry. With a `folder`, a note for that folder's project, which is created if needed. With
   * `inProjectOf`, a note for the project of this chat, or a note that applies everywhere if the chat has no
   * project.
   */
  'memory.add': call(
    z.object({
      target: MemoryTarget,
      project: project.default(null),
      folder: z.string().max(4_096).optional(),
      inProjectOf: id.optional(),
      text,
      source,
    }),
    changed,
  ),
  /** Edit an entry. `expected` is the text before the edit. Throws a `conflict` Fault if that has changed. */
  'memory.edit': call(z.object({ id, text, expected: z.string() }), changed),
  'memory.remove': call(z.object({ ids }), changed),
  'memory.lock': call(z.object({ ids, locked: z.boolean() }), changed),
  /**
   * Merge several entries into one, all or nothing. `keep` gets the text, and keeps its place, lock and
   * origin; `others` move to the archive. Throws a `conflict` Fault if an entry is gone or has changed.
   * Undoing one of the revisions undoes all of them.
   */
  'memory.merge': call(
    z
      .object({ keep: seenEntry, others: z.array(seenEntry).min(1).max(100), text })
      .refine(
        ({ keep, others }) => new Set([keep, ...others].map(entry => entry.id)).size === others.length + 1,
        'A merge names each entry once.',
      ),
    changed,
  ),
  'memory.move': call(z.object({ ids, target: MemoryTarget, project: project.default(null) }), changed),
  /** Restore the text that an entry had after or before a revision. */
  'memory.restore': call(
    z.object({ revisionId: z.int(), version: z.enum(['before', 'after']).default('after') }),
    changed,
  ),
  'memory.undo': call(z.object({ revisionIds: z.array(z.int()).min(1).max(1_000) }), changed),
  /**
   * The memory block as a model sees it in a folder, or in a chat of this project, with its size in tokens.
   */
  'memory.preview': call(
    z.object({ workspace: z.string().max(4_096).optional(), project: z.string().max(100).optional() }),
    z.object({ text: z.string(), tokens: z.int() }),
  ),
  'memory.resolve': call(z.object({ id, keep: z.enum(['theirs', 'ours']) }), changed),
  /**
   * Choose the content of a file that waits: the entries of one version, of both, or exactly `entries`. A
   * copy is never changed: the chosen entries go into the memory file, and the user is not asked about the
   * copy again until it changes.
   */
  'memory.settle': call(
    z.object({
      id: z.string().min(1).max(4_096),
      seen: Seen,
      keep: z.enum(['mine', 'theirs', 'both', 'these']),
      entries: z.array(z.string().max(MAX_ENTRY_CHARS)).max(2_000).default([]),
    }),
    changed,
  ),
  'memory.setSwitches': call(
    z.object({ useInChats: z.boolean().optional(), learnFromChats: z.boolean().optional() }),
    z.object({}),
  ),
  /** Archive everything; `word` must be “forget”. */
  'memory.forgetAll': call(z.object({ word: z.literal('forget') }), changed),
  /** What `memory.forgetForGood` would remove, and which chats contain it. Nothing changes. */
  'memory.forgetPlan': call(z.object({ ids }), ForgetPlan),
  /**
   * Remove entries, and others with the same text, from files, archive, history, proposals, training data and
   * the backups that Talaria keeps. This cannot be undone. `texts` is what the user saw in the plan; throws a
   * `conflict` Fault if that has changed. Answers once done; what could not be removed is retried at each
   * start. Chats keep their messages.
   */
  'memory.forgetForGood': call(
    z.object({ ids, texts: z.array(z.string()) }),
    z.object({ plan: ForgetPlan, left: z.array(z.object({ path: z.string(), why: z.string() })) }),
  ),
  /** Entries learned in a chat that still exist; shown before the chat is deleted. */
  'memory.ofChat': call(z.object({ sessionId: id }), z.object({ entries: z.array(MemoryEntry) })),
}
