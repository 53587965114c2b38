import { z } from 'zod'
import { call } from '../../rpc.ts'
import { hasSeenAll, Seen, SeenById, UNSEEN } from '../seen.ts'

/**
 * The source of a skill. `builtin`: bundled with Talaria. `user`: written by the user. `agent`: written by the agent or a
 * review. `imported`: imported. `project`: from a trusted folder that chats work in. `folder`: from a
 * folder in the configuration.
 */
export const SkillOrigin = z.enum(['builtin', 'user', 'agent', 'imported', 'project', 'folder'])
export type SkillOrigin = z.infer<typeof SkillOrigin>

/** Who changed a skill. */
export const SkillActor = z.enum(['you', 'agent', 'review', 'import'])
export type SkillActor = z.infer<typeof SkillActor>

/** A lint issue of a SKILL.md. An `error` prevents saving it here, but never reading it. */
export const SkillIssue = z.object({
  /** 1-based line of SKILL.md; null when it concerns the whole file. */
  line: z.int().nullable(),
  level: z.enum(['error', 'warning', 'info']),
  /** Short and stable, such as `name-format`. */
  rule: z.string(),
  text: z.string(),
})
export type SkillIssue = z.infer<typeof SkillIssue>

export const ScanCategory = z.enum([
  'exfiltration',
  'prompt-injection',
  'destructive',
  'persistence',
  'obfuscation',
  'supply-chain',
  'privilege-escalation',
  'path-traversal',
  'credentials',
  'structure',
])
export type ScanCategory = z.infer<typeof ScanCategory>

/**
 * One thing that the security scan found. `critical` makes a skill dangerous, which is what `block` says; `high` makes it
 * a caution. The rest is noted, and the skill is safe.
 */
export const ScanFinding = z.object({
  /** The file within the skill. */
  path: z.string(),
  line: z.int(),
  rule: z.string(),
  category: ScanCategory,
  severity: z.enum(['info', 'low', 'medium', 'high', 'critical']),
  block: z.boolean(),
  /** In plain words, a whole sentence. */
  reason: z.string(),
  /** The matched text, shortened, with invisible characters made visible. */
  excerpt: z.string(),
})
export type ScanFinding = z.infer<typeof ScanFinding>

export const ScanReport = z.object({
  verdict: z.enum(['safe', 'caution', 'dangerous']),
  findings: z.array(ScanFinding),
})
export type ScanReport = z.infer<typeof ScanReport>

/** What happens to a skill after its scan: used, used with a warning, asked about first, kept from the model. */
export const SkillPolicy = z.enum(['use', 'warn', 'ask', 'block'])
export type SkillPolicy = z.infer<typeof SkillPolicy>

/** How often a skill was loaded and how those turns ended. `corrected`: the user corrected it in the next message. */
export const SkillUses = z.object({
  loads: z.int(),
  well: z.int(),
  corrected: z.int(),
  failed: z.int(),
  lastAt: z.number().nullable(),
})
export type SkillUses = z.infer<typeof SkillUses>

/** The source of an imported skill. */
export const SkillSource = z.object({
  kind: z.enum(['folder', 'zip', 'git', 'text']),
  /** A path, an address, or a few words. */
  address: z.string(),
  /** Path within the archive or repository; empty for its root. */
  within: z.string(),
  commit: z.string().nullable(),
  licence: z.string().nullable(),
  importedAt: z.number(),
})
export type SkillSource = z.infer<typeof SkillSource>

/** What must be there before a skill can be followed. `help` says how to get a key; it may be empty. */
export const SkillPrerequisite = z.object({
  kind: z.enum(['key', 'program']),
  name: z.string(),
  help: z.string(),
  isMet: z.boolean(),
})
export type SkillPrerequisite = z.infer<typeof SkillPrerequisite>

/** A named set of skills that are switched together. A key may be that of a skill that is gone. */
export const SkillBundle = z.object({ name: z.string(), keys: z.array(z.string()) })
export type SkillBundle = z.infer<typeof SkillBundle>

/**
 * One skill of the library. `id` is its location (`own/writing/haiku`, `bundled/clean-csv`). State, use and history are
 * stored under `key`, so that an edited copy continues those of its original. Times are epoch milliseconds.
 */
export const Skill = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  /** Folders between the source and the skill, such as `writing`; empty at the top. */
  category: z.string(),
  origin: SkillOrigin,
  tags: z.array(z.string()),
  platforms: z.array(z.string()),
  requires: z.array(z.string()),
  /** It is not deleted, and no review writes to it. */
  pinned: z.boolean(),
  enabled: z.boolean(),
  /** Keys and programs that it needs. */
  prerequisites: z.array(SkillPrerequisite),
  /** Why the model does not see it although it is enabled: another system, missing tools, keys or programs. */
  unavailable: z.string().nullable(),
  /** The scan findings that hide it from the model until the user accepts them. */
  blocked: z.string().nullable(),
  /** The id of the skill of the same name that is used instead. */
  shadowedBy: z.string().nullable(),
  /** Whether it is an edited copy of a bundled or imported skill. `skills.reset` restores the original. */
  isEdited: z.boolean(),
  /** Whether it can be changed in place; otherwise the first change creates an edited copy. */
  isOwn: z.boolean(),
  /** The project folder of a project skill. */
  project: z.string().nullable(),
  tokens: z.int(),
  bytes: z.int(),
  fileCount: z.int(),
  hasScripts: z.boolean(),
  /** The number of lint errors and warnings. */
  issues: z.int(),
  uses: SkillUses,
  /** Reasons why the user should check it, as text. */
  attention: z.array(z.string()),
  source: SkillSource.nullable(),
  updatedAt: z.number(),
})
export type Skill = z.infer<typeof Skill>

export const SkillPart = z.object({
  /** Relative, with `/`. */
  path: z.string(),
  bytes: z.int(),
  kind: z.enum(['skill', 'reference', 'template', 'script', 'asset', 'other']),
})
export type SkillPart = z.infer<typeof SkillPart>

/** The front matter as a form shows it. */
export const SkillFields = z.object({
  name: z.string().max(200),
  description: z.string().max(4_000),
  tags: z.array(z.string().max(60)).max(40),
  platforms: z.array(z.string().max(20)).max(10),
  requires: z.array(z.string().max(60)).max(40),
  licence: z.string().max(500),
})
export type SkillFields = z.infer<typeof SkillFields>

export const SkillDetail = z.object({
  skill: Skill,
  /** The text of SKILL.md. */
  text: z.string(),
  /** The part below the front matter, and the 1-based line that it begins at. */
  body: z.string(),
  bodyLine: z.int(),
  fields: SkillFields,
  files: z.array(SkillPart),
  issues: z.array(SkillIssue),
  scan: ScanReport,
  policy: SkillPolicy,
  /** The trusted publisher that it was imported from; null for anybody else. */
  publisher: z.string().nullable(),
  /** The absolute folder, for showing. */
  folder: z.string(),
  /** The SKILL.md of the original of an edited copy; null without one. */
  original: z.string().nullable(),
  /** Of every file of it. */
  seen: Seen,
})
export type SkillDetail = z.infer<typeof SkillDetail>

/** A file before and after a change; null where it did not exist. `binary` files have no text. */
export const SkillFileChange = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  binary: z.boolean(),
})
export type SkillFileChange = z.infer<typeof SkillFileChange>

/** One change of one skill; the log is only ever added to, and an undo is a change like any other. */
export const SkillRevision = z.object({
  id: z.int(),
  key: z.string(),
  name: z.string(),
  op: z.enum(['create', 'edit', 'delete', 'restore', 'import', 'reset', 'enable', 'disable', 'pin', 'unpin']),
  actor: SkillActor,
  /** Why, in words: of the agent or the review, or where an import came from. */
  note: z.string(),
  sessionId: z.string().nullable(),
  messageId: z.int().nullable(),
  reviewId: z.string().nullable(),
  at: z.number(),
  files: z.array(SkillFileChange),
  undoes: z.int().nullable(),
  undoneBy: z.int().nullable(),
})
export type SkillRevision = z.infer<typeof SkillRevision>

/** One turn that loaded a skill; `outcome` is null while it runs. */
export const SkillUse = z.object({
  sessionId: z.string(),
  /** The title of the chat; empty when it was deleted. */
  title: z.string(),
  messageId: z.int(),
  at: z.number(),
  by: z.enum(['you', 'agent']),
  outcome: z.enum(['well', 'corrected', 'failed', 'stopped']).nullable(),
})
export type SkillUse = z.infer<typeof SkillUse>

/** Where links of the user lead that they agreed to, and how many skills are there. */
export const SkillLink = z.object({ target: z.string(), skills: z.int() })
export type SkillLink = z.infer<typeof SkillLink>

/** A folder that chats work in and that contains skills. */
export const SkillFolder = z.object({ folder: z.string(), trusted: z.boolean(), skills: z.int() })
export type SkillFolder = z.infer<typeof SkillFolder>

export const SkillLibrary = z.object({
  skills: z.array(Skill),
  /** SKILL.md files that cannot be read. With `target`, it is a link of the user that leads there, and is read once they agree. */
  unreadable: z.array(z.object({ path: z.string(), reason: z.string(), target: z.string().optional() })),
  links: z.array(SkillLink),
  projects: z.array(SkillFolder),
  bundles: z.array(SkillBundle),
  useInChats: z.boolean(),
  learnFromChats: z.boolean(),
  /** Deleted skills that can still be restored: the newest revision that deleted each. */
  deleted: z.array(SkillRevision),
})
export type SkillLibrary = z.infer<typeof SkillLibrary>

const id = z.string().min(1).max(600)
const ids = z.array(id).min(1).max(1_000)
const path = z.string().min(1).max(400)
const skillText = z.string().max(400_000)
const name = z.string().max(200)
const bundleName = z.string().trim().min(1).max(60)
const changed = z.object({ revisions: z.array(SkillRevision) })

/**
 * The library of skills. A refusal (lint, scan, changed meanwhile, outside the skill) is a `bad_input` or `conflict`
 * Fault with a message that says what to do.
 */
export const skills = {
  'skills.list': call(z.object({}), SkillLibrary),
  /**
   * The skills that a chat can use, or a new chat in a folder, most used first. One that needs tools which are switched off
   * there is among them, with the reason in `unavailable`.
   */
  'skills.forChat': call(
    z.object({ sessionId: z.string().min(1).max(100).optional(), folder: z.string().max(4_096).optional() }),
    z.object({ skills: z.array(Skill) }),
  ),
  'skills.get': call(z.object({ id }), SkillDetail),
  /** One file of a skill; `text` is null when it is binary or longer than a megabyte. */
  'skills.file': call(
    z.object({ id, path }),
    z.object({ text: z.string().nullable(), bytes: z.int(), binary: z.boolean() }),
  ),
  /** Lint and, with `scan`, scan a draft; nothing is stored. */
  'skills.check': call(
    z.object({ text: skillText, name: name.optional(), scan: z.boolean().default(false) }),
    z.object({
      issues: z.array(SkillIssue),
      fields: SkillFields,
      tokens: z.int(),
      scan: ScanReport.nullable(),
    }),
  ),
  /** The text with its front matter changed; comments and unknown fields stay. */
  'skills.setFields': call(
    z.object({ text: skillText, fields: SkillFields.partial() }),
    z.object({ text: skillText }),
  ),
  /**
   * `despite` saves despite dangerous findings that the user has seen: the hash in the data of the Fault that named them, beside the
   * `scan`.
   */
  'skills.create': call(
    z.object({
      name,
      category: z.string().max(200).default(''),
      text: skillText,
      despite: Seen.optional(),
    }),
    changed.extend({ id: z.string(), note: z.string().optional() }),
  ),
  /** `expected` is the text before the edit. A `conflict` Fault when it is no longer current. */
  'skills.save': call(
    z.object({
      id,
      path,
      text: z.string().max(2_000_000),
      expected: z.string().nullable(),
      despite: Seen.optional(),
    }),
    /** `note`: what else is to be said, such as that a file has another encoding now. */
    changed.extend({ id: z.string(), note: z.string().optional() }),
  ),
  'skills.removeFile': call(z.object({ id, path }), changed.extend({ id: z.string() })),
  'skills.remove': call(z.object({ ids }), changed),
  /** Restore the original of an edited copy. The copy stays in the history. */
  'skills.reset': call(z.object({ id }), changed),
  /** `accept` means that the user has read the scan findings of these skills as they were `seen`, by id. */
  'skills.setEnabled': call(
    z
      .object({
        ids,
        enabled: z.boolean(),
        accept: z.boolean().default(false),
        seen: SeenById,
      })
      .refine(given => !given.accept || hasSeenAll(given), UNSEEN),
    changed,
  ),
  'skills.setPinned': call(z.object({ ids, pinned: z.boolean() }), changed),
  /** Make a bundle, or replace the one of that name. */
  'skills.putBundle': call(z.object({ name: bundleName, keys: ids }), z.object({})),
  'skills.removeBundle': call(z.object({ name: bundleName }), z.object({})),
  /** Switch all skills of a bundle; `left` are those that could not be, and why. */
  'skills.switchBundle': call(
    z.object({ name: bundleName, enabled: z.boolean() }),
    changed.extend({ left: z.array(z.object({ name: z.string(), why: z.string() })) }),
  ),
  /** Store a key that a skill asks for, or remove it with null. It is never sent back. */
  'skills.setKey': call(
    z.object({ id, name: z.string().max(100), value: z.string().trim().min(1).max(10_000).nullable() }),
    z.object({}),
  ),
  'skills.history': call(
    z.object({
      key: id.optional(),
      sessionId: id.optional(),
      before: z.int().optional(),
      limit: z.int().min(1).max(200).default(50),
    }),
    z.object({ revisions: z.array(SkillRevision), more: z.boolean() }),
  ),
  'skills.undo': call(z.object({ revisionIds: z.array(z.int()).min(1).max(1_000) }), changed),
  /** Restore the files to their state after or before a revision. */
  'skills.restore': call(
    z.object({ revisionId: z.int(), version: z.enum(['before', 'after']).default('after') }),
    changed,
  ),
  'skills.uses': call(
    z.object({ key: id, limit: z.int().min(1).max(200).default(50) }),
    z.object({ uses: z.array(SkillUse) }),
  ),
  'skills.setSwitches': call(
    z.object({ useInChats: z.boolean().optional(), learnFromChats: z.boolean().optional() }),
    z.object({}),
  ),
  /** Agree that links in the user's own folder of skills lead there, or end that. Only what a link waits for can be agreed to. */
  'skills.allowLink': call(
    z.object({ target: z.string().min(1).max(4_096), allowed: z.boolean() }),
    z.object({}),
  ),
  /**
   * Allow or forbid chats in a folder to use what it says to agents, now and later. It has to be the real path that was shown: a
   * `conflict` Fault when it leads elsewhere now.
   */
  'skills.trust': call(
    z.object({ folder: z.string().min(1).max(4_096), trusted: z.boolean() }),
    z.object({}),
  ),
}
