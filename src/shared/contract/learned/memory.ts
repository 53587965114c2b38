import { z } from 'zod'
import { call } from '../../rpc.ts'
import { Seen } from '../seen.ts'

/** `user`: about the person (USER.md). `memory`: what the agent noted for itself (MEMORY.md). */
export const MemoryTarget = z.enum(['user', 'memory'])
export type MemoryTarget = z.infer<typeof MemoryTarget>

/** The longest text that an entry may have. What fits into a file is a matter of its limit. */
export const MAX_ENTRY_CHARS = 20_000
/** The longest text to find entries by. */
export const MAX_SOUGHT_CHARS = 1_000

/** Who made a change: the user in the window or a terminal, the agent, a review, an external editor, an import. */
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
  /** Where it came from, if it came from a chat. */
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
  /** The text before and after; null where there was none. */
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
  /** The merge that it is a part of, or the undo of one; null for other changes. All parts are undone together. */
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
  /** The entries to remove first when space is needed: the oldest unlocked ones. */
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

/** One version of a file that waits for a choice: where it comes from, if that is known, and its entries. */
const Side = z.object({ label: z.string(), entries: z.array(z.string()) })

/**
 * A memory file that another program left in a state which is no wish of the person, or a copy of one that lies beside it.
 * What was last good stays in use until the person chooses. `missing` and `empty`: although there are entries. `restless`: it
 * is written again and again.
 */
export const WaitingFile = z.object({
  id: z.string(),
  kind: z.enum(['conflict', 'empty', 'missing', 'restless', 'copy']),
  target: MemoryTarget,
  project,
  path: z.string(),
  /** The program that names its copies so; null where nobody knows. */
  by: z.string().nullable(),
  /** Why a copy cannot be read; null if it can. */
  reason: z.string().nullable(),
  since: z.number(),
  /** It may be over in a moment, so nobody is asked yet. */
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
   * Files over their limit, and files with an entry longer than the whole file may be (`longest`), which agents may not
   * change. All of their content is kept and used. In characters.
   */
  oversized: z.array(z.object({ path: z.string(), used: z.int(), limit: z.int(), longest: z.int() })),
  useInChats: z.boolean(),
  learnFromChats: z.boolean(),
  archived: z.int(),
})
export type MemoryView = z.infer<typeof MemoryView>

/** A chat that still holds words of an entry. Forgetting an entry does not change chats. */
export const HoldingChat = z.object({
  id: z.string(),
  title: z.string(),
  at: z.number(),
  isDeleted: z.boolean(),
})
export type HoldingChat = z.infer<typeof HoldingChat>

/**
 * What *Forget for good* removes: how many entries, every text that they ever had, and the chats and skills that hold them too and
 * are left as they are.
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
/** An entry with the text that the caller saw. A `conflict` Fault when it is no longer current. */
const seenEntry = z.object({ id, expected: z.string() })
const source = z.object({ sessionId: id, messageId: z.int().optional() }).optional()
const changed = z.object({ revisions: z.array(MemoryRevision) })

/**
 * The notebook. Every change returns its revisions, so that it can be undone at once. A refusal (over the limit,
 * locked, found dangerous, changed meanwhile) is a `bad_input` or `conflict` Fault with a message that says what to do.
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
   * The active entries that hold all of the words, in any case and spelling. Where none does, `nearest` has those that come
   * closest, the best first.
   */
  'memory.find': call(
    z.object({ words: z.string().max(MAX_SOUGHT_CHARS) }),
    z.object({ found: z.array(MemoryEntry), nearest: z.array(MemoryEntry) }),
  ),
  /**
   * With a `folder`, a note of that folder's project, which is created if needed. With `inProjectOf`, a note of the project
   * that this chat belongs to, or one that applies everywhere if it belongs to none.
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
  /** `expected` is the text before the edit. A `conflict` Fault when it is no longer current. */
  'memory.edit': call(z.object({ id, text, expected: z.string() }), changed),
  'memory.remove': call(z.object({ ids }), changed),
  'memory.lock': call(z.object({ ids, locked: z.boolean() }), changed),
  /**
   * Make one entry of several, all or nothing. `keep` gets the text, and stays where it is, with its lock and origin; `others` go
   * to the archive. A `conflict` Fault when one of them is gone or changed. Undoing one of the revisions undoes all of them.
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
  /** The block as the model sees it in a folder, or in a chat of this project, with its tokens. */
  'memory.preview': call(
    z.object({ workspace: z.string().max(4_096).optional(), project: z.string().max(100).optional() }),
    z.object({ text: z.string(), tokens: z.int() }),
  ),
  'memory.resolve': call(z.object({ id, keep: z.enum(['theirs', 'ours']) }), changed),
  /**
   * Choose what a file that waits shall hold: the entries of one version, of both, or exactly `entries`. A copy is never
   * changed: what is chosen goes into the memory file, and the copy is not asked about again until it changes.
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
  /** What `memory.forgetForGood` would remove, and which chats hold it. Nothing changes. */
  'memory.forgetPlan': call(z.object({ ids }), ForgetPlan),
  /**
   * Remove entries from files, archive, history, proposals, training data and the backups that Talaria keeps, those with the same
   * text with them. It cannot be undone. `texts` is what the person saw in the plan; a `conflict` Fault when it is another now.
   * Answers when it is done; what could not be changed is tried again at each start. Chats keep their messages.
   */
  'memory.forgetForGood': call(
    z.object({ ids, texts: z.array(z.string()) }),
    z.object({ plan: ForgetPlan, left: z.array(z.object({ path: z.string(), why: z.string() })) }),
  ),
  /** Entries learned in a chat that still exist; shown before the chat is deleted. */
  'memory.ofChat': call(z.object({ sessionId: id }), z.object({ entries: z.array(MemoryEntry) })),
}
