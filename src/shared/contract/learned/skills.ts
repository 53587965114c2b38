import { z } from 'zod'
import { call } from '../../rpc.ts'
import { hasSeenAll, Seen, SeenById, UNSEEN } from '../seen.ts'

/**
 * The source of a skill. `builtin`: bundled with Talaria. `user`: written by the user. `agent`: written by
 * the agent or a review. `imported`: imported. `project`: from a trusted folder that chats work in. `folder`:
 * from a folder in the configuration.
 */
export const SkillOrigin = z.enum(['builtin', 'user', 'agent', 'imported', 'project', 'folder'])
export type SkillOrigin = z.infer<typeof SkillOrigin>

/** Who changed a skill. */
export const SkillActor = z.enum(['you', 'agent', 'review', 'import'])
export type SkillActor = z.infer<typeof SkillActor>

/** A lint issue of a SKILL.md. An `error` prevents saving it here, but never reading it. */
export const SkillIssue = z.object({
  /** The line of SKILL.md, from 1; null if the issue concerns the whole file. */
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
 * One finding of the security scan. `critical` makes a skill dangerous, and then `block` is true; `high`
 * makes it a caution. Other findings are only noted, and the skill is safe.
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

/** A key or a program that a skill needs. `help` says how to get the key; it may be empty. */
export const SkillPrerequisite = z.object({
  kind: z.enum(['key', 'program']),
  name: z.string(),
  help: z.string(),
  isMet: z.boolean(),
})
export type SkillPrerequisite = z.infer<typeof SkillPrerequisite>

/** A named set of skills that are switched together. A key may belong to a deleted skill. */
export const SkillBundle = z.object({ name: z.string(), keys: z.array(z.string()) })
export type SkillBundle = z.infer<typeof SkillBundle>

/**
 * One skill of the library. `id` is its location (`own/writing/haiku`, `bundled/clean-csv`). State, use and
 * history are stored under `key`, so that an edited copy keeps those of its original. Times are epoch
 * milliseconds.
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
  /** The skill is protected from deletion and from changes by reviews. */
  pinned: z.boolean(),
  enabled: z.boolean(),
  /** Keys and programs that the skill needs. */
  prerequisites: z.array(SkillPrerequisite),
  /** Why the model does not see an enabled skill: another system, missing tools, keys or programs. */
  unavailable: z.string().nullable(),
  /** The scan findings that hide the skill from the model until the user accepts them. */
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
  /** Reasons why the user should check the skill, as text. */
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
  /** The text below the front matter, and its first line, from 1. */
  body: z.string(),
  bodyLine: z.int(),
  fields: SkillFields,
  files: z.array(SkillPart),
  issues: z.array(SkillIssue),
  scan: ScanReport,
  policy: SkillPolicy,
  /** The trusted publisher that the skill was imported from; null for any other source. */
  publisher: z.string().nullable(),
  /** The absolute folder, for display. */
  folder: z.string(),
  /** The SKILL.md of the original of an edited copy; null without one. */
  original: z.string().nullable(),
  /** The hash of every file of the skill. */
  seen: Seen,
})
export type SkillDetail = z.infer<typeof SkillDetail>

/** A file before and after a change; null if it did not exist. `binary` files have no text. */
export const SkillFileChange = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  binary: z.boolean(),
})
export type SkillFileChange = z.infer<typeof SkillFileChange>

/** One change of one skill, in an append-only log. An undo is a change like any other. */
export const SkillRevision = z.object({
  id: z.int(),
  key: z.string(),
  name: z.string(),
  op: z.enum(['create', 'edit', 'delete', 'restore', 'import', 'reset', 'enable', 'disable', 'pin', 'unpin']),
  actor: SkillActor,
  /** The reason given by the agent or the review, or the source of an import, in words. */
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
  /** The title of the chat; empty if the chat was deleted. */
  title: z.string(),
  messageId: z.int(),
  at: z.number(),
  by: z.enum(['you', 'agent']),
  outcome: z.enum(['well', 'corrected', 'failed', 'stopped']).nullable(),
})
export type SkillUse = z.infer<typeof SkillUse>

/** The target of a link that the user agreed to, and the number of skills there. */
export const SkillLink = z.object({ target: z.string(), skills: z.int() })
export type SkillLink = z.infer<typeof SkillLink>

/** A folder that chats work in and that contains skills. */
export const SkillFolder = z.object({ folder: z.string(), trusted: z.boolean(), skills: z.int() })
export type SkillFolder = z.infer<typeof SkillFolder>

export const SkillLibrary = z.object({
  skills: z.array(Skill),
  /** SKILL.md files that cannot be read. With `target`, the path is a link of the user, which is followed once the user agrees. */
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
 * The library of skills. A refusal (lint, scan, changed since, outside the skill) is a `bad_input` or
 * `conflict` Fault with a message that says what to do.
 */
export const skills = {
  'skills.list': call(z.object({}), SkillLibrary),
  /**
   * The skills that a chat, or a new chat in a folder, can use, most used first. Includes skills whose tools
   * are switched off there, with the reason in `unavailable`.
   */
  'skills.forChat': call(
    z.object({ sessionId: z.string().min(1).max(100).optional(), folder: z.string().max(4_096).optional() }),
    z.object({ skills: z.array(Skill) }),
  ),
  'skills.get': call(z.object({ id }), SkillDetail),
  /** One file of a skill; `text` is null if the file is binary or longer than a megabyte. */
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
   * Create a skill. `despite` saves it despite dangerous findings that the user has seen: the hash in the
   * data of the Fault that named them, next to the `scan`.
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
  /** Save a file. `expected` is the text before the edit. Throws a `conflict` Fault if that has changed. */
  'skills.save': call(
    z.object({
      id,
      path,
      text: z.string().max(2_000_000),
      expected: z.string().nullable(),
      despite: Seen.optional(),
    }),
    /** `note`: a remark for the user, such as that the file now has another encoding. */
    changed.extend({ id: z.string(), note: z.string().optional() }),
  ),
  'skills.removeFile': call(z.object({ id, path }), changed.extend({ id: z.string() })),
  'skills.remove': call(z.object({ ids }), changed),
  /** Restore the original of an edited copy. The copy stays in the history. */
  'skills.reset': call(z.object({ id }), changed),
  /** Switch skills. `accept`: the user has read the scan findings of these skills as they were `seen`, by id. */
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
  /** Create a bundle, or replace the bundle with this name. */
  'skills.putBundle': call(z.object({ name: bundleName, keys: ids }), z.object({})),
  'skills.removeBundle': call(z.object({ name: bundleName }), z.object({})),
  /** Switch all skills of a bundle; `left` are the skills that could not be switched, with the reasons. */
  'skills.switchBundle': call(
    z.object({ name: bundleName, enabled: z.boolean() }),
    changed.extend({ left: z.array(z.object({ name: z.string(), why: z.string() })) }),
  ),
  /** Store a key that a skill asks for, or remove it with null. The key is never sent back. */
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
  /**
   * Allow links in the user's own skills folder to lead to this target, or stop that. Only the target of an
   * existing link can be allowed.
   */
  'skills.allowLink': call(
    z.object({ target: z.string().min(1).max(4_096), allowed: z.boolean() }),
    z.object({}),
  ),
  /**
   * Allow or forbid chats in a folder to use its texts for agents, now and later. The folder must be the real
   * path that was shown: throws a `conflict` Fault if it now leads elsewhere.
   */
  'skills.trust': call(
    z.object({ folder: z.string().min(1).max(4_096), trusted: z.boolean() }),
    z.object({}),
  ),
}
