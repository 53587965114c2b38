import type { SkillImport } from '../../shared/contract/skill-imports.ts'
import type {
  ScanReport,
  Skill,
  SkillActor,
  SkillFields,
  SkillIssue,
  SkillPart,
  SkillRevision,
} from '../../shared/contract/skills.ts'

/** A folder in which skills lie. `key` begins the ids of its skills; the order of kinds is the order of precedence. */
export type SkillRoot = {
  key: string
  kind: 'own' | 'imported' | 'project' | 'folder' | 'bundled'
  folder: string
  /** Of a project root: the real path of the folder that chats work in. */
  project?: string
}

/** What one SKILL.md says, read leniently: reading never fails, whatever is wrong stands in `issues`. */
export type SkillText = {
  fields: SkillFields
  /** Fields beyond those of the form, as they were read: plain JSON values without prototypes. */
  more: Readonly<Record<string, unknown>>
  body: string
  /** 1-based. */
  bodyLine: number
  /** What reading had to forgive, not the whole lint. */
  issues: SkillIssue[]
}

/** One skill as it lies on the disk, without what the person decided. */
export type FoundSkill = {
  id: string
  /** What state and history are kept under: the name, with the id of the root before it in projects. */
  key: string
  root: SkillRoot
  /** Absolute, links resolved. */
  folder: string
  category: string
  name: string
  /** Without its body: thousands of skills are kept in memory. */
  text: Omit<SkillText, 'body'>
  parts: SkillPart[]
  bytes: number
  tokens: number
  hasScripts: boolean
  updatedAt: number
}

/** Everything about one skill, for tools and for the window. `found.id` equals `skill.id`. */
export type LibrarySkill = { skill: Skill; found: FoundSkill }

/** The skills that there are. What is on the disk is what counts; what changed is seen at the next look. */
export interface Library {
  /** All skills, those of every trusted project included, by name; shadowed ones too. */
  list(): LibrarySkill[]
  get(id: string): LibrarySkill | undefined
  /** The skills that a chat in a folder can load now: on, available, not blocked, not shadowed; most used first. */
  forChat(workspace: string, toolsets?: readonly string[]): LibrarySkill[]
  /** The skill that a model means by a name, and why it cannot be had if so; `near` are names like it. */
  named(name: string, workspace: string): { found: LibrarySkill } | { missing: string; near: string[] }
  /** SKILL.md as it is now. */
  read(id: string): string | undefined
  /** One file of a skill; a path that could lead out of it is refused. */
  file(id: string, path: string): { bytes: Uint8Array } | { refused: string }
  /** What the scan says of the whole skill, kept until something in it changes. */
  scan(id: string): ScanReport
  unreadable(): { path: string; reason: string }[]
  /** Project folders of chats that bring skills, trusted or not. */
  projects(): { folder: string; trusted: boolean; skills: number }[]
  /** Let go of what is remembered; the next look reads the disk again. */
  changed(): void
  close(): void
}

/** Who changes something, and from where. */
export type SkillBy = {
  actor: SkillActor
  note: string
  sessionId: string | null
  messageId: number | null
  reviewId: string | null
}

export type SkillRefusal = {
  refused: string
  conflict?: boolean
  /** What the scan found, when that is why. */ scan?: ScanReport
}
export type SkillChanged = { revisions: SkillRevision[]; id: string }

/** Changes of skills: each is a revision that can be undone, is all or nothing, and is rolled back when it is refused. */
export interface Workshop {
  create(
    skill: {
      name: string
      category: string
      text: string
      files?: readonly { path: string; text: string }[]
    },
    by: SkillBy,
    options?: { despite?: boolean },
  ): SkillChanged | SkillRefusal
  /** Write SKILL.md or another file; `expected` is the text that it must have now, null for none, undefined for whatever. */
  save(
    change: { id: string; path: string; text: string; expected?: string | null },
    by: SkillBy,
    options?: { despite?: boolean },
  ): SkillChanged | SkillRefusal
  removeFile(change: { id: string; path: string }, by: SkillBy): SkillChanged | SkillRefusal
  remove(ids: readonly string[], by: SkillBy): { revisions: SkillRevision[] } | SkillRefusal
  reset(id: string, by: SkillBy): { revisions: SkillRevision[] } | SkillRefusal
  setEnabled(
    ids: readonly string[],
    enabled: boolean,
    by: SkillBy,
    options?: { accept?: boolean },
  ): { revisions: SkillRevision[] } | SkillRefusal
  undo(revisionIds: readonly number[], by: SkillBy): { revisions: SkillRevision[] } | SkillRefusal
  restore(
    revisionId: number,
    version: 'before' | 'after',
    by: SkillBy,
  ): { revisions: SkillRevision[] } | SkillRefusal
  /** Put a folder that was fetched into the library as an imported skill, in place of an imported one of that name if need be. */
  install(
    fetched: {
      folder: string
      name: string
      source: NonNullable<Skill['source']>
      on: boolean
      accept: boolean
    },
    by: SkillBy,
  ): SkillChanged | SkillRefusal
}

/** What came from outside and waits in quarantine. */
export interface Imports {
  fetch(from: ImportFrom, signal: AbortSignal): Promise<SkillImport>
  install(
    importId: string,
    choices: readonly { path: string; as?: string | undefined; on?: boolean | undefined }[],
    by: SkillBy,
  ): Promise<{ revisions: SkillRevision[]; ids: string[] } | SkillRefusal>
  /** A file of a candidate that waits; a path that could lead out of it is refused. */
  file(importId: string, candidate: string, path: string): { bytes: Uint8Array } | { refused: string }
  discard(importId: string): Promise<void>
  /** Fetch an imported skill again; null when nothing changed. */
  update(id: string, signal: AbortSignal): Promise<SkillImport | null>
  close(): Promise<void>
}
export type ImportFrom =
  | { kind: 'path'; path: string }
  | { kind: 'git'; address: string; ref: string }
  | { kind: 'text'; text: string }
  | { kind: 'upload'; name: string; files: readonly { path: string; base64: string }[] }
