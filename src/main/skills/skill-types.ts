import type { SkillImport } from '../../shared/contract/learned/skill-imports.ts'
import type {
  ScanReport,
  Skill,
  SkillActor,
  SkillFields,
  SkillIssue,
  SkillPart,
  SkillPolicy,
  SkillRevision,
} from '../../shared/contract/learned/skills.ts'
import type { Refusal } from '../lib/expected-errors.ts'

/** A folder of skills. Ids of its skills start with `key`; the kinds are listed in order of precedence. */
export type SkillRoot = {
  key: string
  kind: 'own' | 'imported' | 'project' | 'folder' | 'bundled'
  folder: string
  /** For a project root: the real path of the chat's folder. */
  project?: string
  /** Only for the user's own root: targets of links out of it that the user allowed, or that never are. */
  links?: { allowed: readonly string[]; never: readonly string[] }
}

/** An unread folder or file. With `target`, it is a link of the user's that is read once they agree. */
export type Unreadable = { path: string; reason: string; target?: string }

/** A parsed SKILL.md. Parsing never fails; problems are in `issues`. */
export type SkillText = {
  fields: SkillFields
  /** Other fields of the front matter, as plain JSON values without prototypes. */
  more: Readonly<Record<string, unknown>>
  body: string
  /** 1-based. */
  bodyLine: number
  /** Problems that the parser tolerated; the lint finds more. */
  issues: SkillIssue[]
}

/** Report an issue of a SKILL.md. `line` is 1-based; null means the whole file. */
export type AddIssue = (line: number | null, level: SkillIssue['level'], rule: string, text: string) => void

/** A skill on the disk, without the user's settings for it. */
export type FoundSkill = {
  id: string
  /** Key of state and history: the name, prefixed with the root's key in projects. */
  key: string
  root: SkillRoot
  /** Absolute, with links resolved. */
  folder: string
  /** The target, if the user's link leads out of the root. Such a skill is changed only at the target. */
  linked?: string
  /** The real SKILL.md, if `file` in the folder is a link. */
  main?: { file: string; real: string }
  category: string
  name: string
  /** Without the body, to save memory: there can be thousands of skills. */
  text: Omit<SkillText, 'body'>
  parts: SkillPart[]
  bytes: number
  tokens: number
  hasScripts: boolean
  updatedAt: number
}

/** A skill for tools and for the window. `found.id` equals `skill.id`. */
export type LibrarySkill = { skill: Skill; found: FoundSkill }

/** All skills. The disk is the source of truth, and each call sees its recent changes. */
export interface Library {
  /** Check the disk in slices, so that neither the caller nor other work blocks on it. */
  caughtUp(): Promise<void>
  /** All skills, as in `list`, built in slices. */
  listInSlices(): Promise<LibrarySkill[]>
  /** All skills by name, including shadowed ones and those of every trusted project. */
  list(): LibrarySkill[]
  get(id: string): LibrarySkill | undefined
  /** The skills that a chat in a folder can load, most used first. `toolsets`: its tools and toolsets. */
  forChat(workspace: string, toolsets?: readonly string[]): LibrarySkill[]
  /** The skill that a name refers to, or why it cannot be loaded. `near` has similar names. */
  named(
    name: string,
    workspace: string,
    toolsets?: readonly string[],
  ): { found: LibrarySkill } | (Refusal & { near: string[] })
  /** Folders of other skills with this name that a chat in the folder could load, bundled ones excepted. */
  namesakes(id: string, workspace: string): string[]
  /** The current SKILL.md. */
  read(id: string): string | undefined
  /** One file of a skill. Paths that could leave its folder are refused. */
  file(id: string, path: string): { bytes: Uint8Array } | Refusal
  /**
   * Make `scan`, `policy` and `named` return without delay: scan a long skill in a thread if it is unscanned.
   * `which` is an id, or a name for a chat in `workspace`. An unknown one is no error. Throws `cancelled`.
   */
  scanFirst(which: string, signal?: AbortSignal, workspace?: string): Promise<void>
  /** Scan texts that are not a skill yet; long texts are scanned in a thread. */
  scanTexts(texts: readonly { path: string; text: string }[], signal?: AbortSignal): Promise<ScanReport>
  /** The scan of the whole skill, cached until its content changes. */
  scan(id: string): ScanReport
  /** The consequence of that scan, with the user's acceptance of this content applied. */
  policy(id: string): { policy: SkillPolicy; publisher: string | null }
  unreadable(): Unreadable[]
  /** Chat folders that contain skills, trusted or not. */
  projects(): { folder: string; trusted: boolean; skills: number }[]
  /**
   * Drop the cache; the next call checks the disk. Windows are notified soon, once for many changes, or now,
   * if a change is complete.
   */
  changed(when?: 'soon' | 'now'): void
  close(): void
}

/** The author of a change and its context. */
export type SkillBy = {
  actor: SkillActor
  note: string
  sessionId: string | null
  messageId: number | null
  reviewId: string | null
}

export type SkillRefusal = Refusal & {
  conflict?: boolean
  /** The scan's findings if they are the reason, and the hash of what was scanned. */
  scan?: ScanReport
  seen?: string
}
/** Save despite dangerous findings: always, or only content with this hash, whose findings the user saw. */
export type Despite = boolean | string
/** `note`: a further remark, such as that the file has another encoding now. */
export type SkillChanged = { revisions: SkillRevision[]; id: string; note?: string }

/** Changes skills. Each change is atomic and logged as a revision that can be undone. */
export interface SkillEditor {
  create(
    skill: {
      name: string
      category: string
      text: string
      files?: readonly { path: string; text: string }[]
    },
    by: SkillBy,
    options?: { despite?: Despite },
  ): SkillChanged | SkillRefusal
  /** Write a file. `expected`: its required current text; null if it must not exist, undefined for any. */
  save(
    change: { id: string; path: string; text: string; expected?: string | null },
    by: SkillBy,
    options?: { despite?: Despite },
  ): SkillChanged | SkillRefusal
  removeFile(change: { id: string; path: string }, by: SkillBy): SkillChanged | SkillRefusal
  remove(ids: readonly string[], by: SkillBy): { revisions: SkillRevision[] } | SkillRefusal
  reset(id: string, by: SkillBy): { revisions: SkillRevision[] } | SkillRefusal
  setEnabled(
    ids: readonly string[],
    enabled: boolean,
    by: SkillBy,
    options?: { accept?: boolean; seen?: Readonly<Record<string, string>> },
  ): { revisions: SkillRevision[] } | SkillRefusal
  /** Pin skills: pinned skills are not deleted, and no review changes them. */
  setPinned(
    ids: readonly string[],
    pinned: boolean,
    by: SkillBy,
  ): { revisions: SkillRevision[] } | SkillRefusal
  undo(revisionIds: readonly number[], by: SkillBy): { revisions: SkillRevision[] } | SkillRefusal
  restore(
    revisionId: number,
    version: 'before' | 'after',
    by: SkillBy,
  ): { revisions: SkillRevision[] } | SkillRefusal
  /** Install a fetched folder as an imported skill, replacing an imported skill of the same name. */
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

/** The user's choice for a candidate. `accept`: they read the lines that a caution is about. */
export type ImportChoice = {
  path: string
  /** The hash of the candidate as the user saw it. */
  seen: string
  as?: string | undefined
  on?: boolean | undefined
  accept?: boolean | undefined
}

/** Imports of skills. Fetched skills wait in quarantine for the user's decision. */
export interface Imports {
  fetch(from: ImportFrom, signal: AbortSignal): Promise<SkillImport>
  install(
    importId: string,
    choices: readonly ImportChoice[],
    by: SkillBy,
  ): Promise<{ revisions: SkillRevision[]; ids: string[] } | SkillRefusal>
  /** A file of a skill in quarantine. Paths that could leave its folder are refused. */
  file(importId: string, candidate: string, path: string): { bytes: Uint8Array } | Refusal
  discard(importId: string): Promise<void>
  /** Fetch an imported skill again; null if nothing changed. */
  update(id: string, signal: AbortSignal): Promise<SkillImport | null>
  close(): Promise<void>
}
export type ImportFrom =
  | { kind: 'path'; path: string }
  | { kind: 'git'; address: string; ref: string }
  | { kind: 'text'; text: string }
  | { kind: 'upload'; name: string; files: readonly { path: string; base64: string }[] }
