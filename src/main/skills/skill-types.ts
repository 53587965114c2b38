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

/** A folder of skills. Ids of its skills start with `key`; the kinds are in order of precedence. */
export type SkillRoot = {
  key: string
  kind: 'own' | 'imported' | 'project' | 'folder' | 'bundled'
  folder: string
  /** For a project root: the real path of the chat's folder. */
  project?: string
  /** For the person's own root, the only one in which links may lead out: where to, once they agreed. */
  links?: { allowed: readonly string[]; never: readonly string[] }
}

/** What is not read. With `target`, it is a link of the person that leads there, and is read once they agree. */
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

/** Reports an issue of a SKILL.md. `line` is 1-based; null is for the whole file. */
export type AddIssue = (line: number | null, level: SkillIssue['level'], rule: string, text: string) => void

/** A skill on the disk, without the user's settings for it. */
export type FoundSkill = {
  id: string
  /** Key of state and history: the name, prefixed with the root's key in projects. */
  key: string
  root: SkillRoot
  /** Absolute, links resolved. */
  folder: string
  /** Where it lies, if a link of the person leads there, out of the root: such a skill is only changed there. */
  linked?: string
  /** The real SKILL.md, if `file` in the folder is a link. */
  main?: { file: string; real: string }
  category: string
  name: string
  /** Without the body, because thousands of skills are in memory. */
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
  /** Check the disk in slices, between which other work is done. Who asks after it does not wait for the disk. */
  caughtUp(): Promise<void>
  /** All skills, as `list` has them, put together in slices. */
  listInSlices(): Promise<LibrarySkill[]>
  /** All skills by name, including shadowed ones and those of every trusted project. */
  list(): LibrarySkill[]
  get(id: string): LibrarySkill | undefined
  /** The skills that a chat in a folder can load now, most used first. `toolsets`: the names of its tools and toolsets. */
  forChat(workspace: string, toolsets?: readonly string[]): LibrarySkill[]
  /** The skill that a name refers to, or why it cannot be loaded; `near` has similar names. */
  named(
    name: string,
    workspace: string,
    toolsets?: readonly string[],
  ): { found: LibrarySkill } | (Refusal & { near: string[] })
  /** The folders of further skills of its name that a chat in a folder could load if it were not there; the original of a copy is none. */
  namesakes(id: string, workspace: string): string[]
  /** SKILL.md as it is now. */
  read(id: string): string | undefined
  /** One file of a skill. Paths that could leave its folder are refused. */
  file(id: string, path: string): { bytes: Uint8Array } | Refusal
  /**
   * See to it that `scan`, `policy` and `named` answer at once: scans a long skill that was not scanned yet in a thread. By
   * its id, or by what may be its name for a chat in a folder. What is unknown is no error. Throws the Fault `cancelled`.
   */
  scanFirst(which: string, signal?: AbortSignal, workspace?: string): Promise<void>
  /** The scan of texts that are no skill yet, in a thread where they are long. */
  scanTexts(texts: readonly { path: string; text: string }[], signal?: AbortSignal): Promise<ScanReport>
  /** The scan of the whole skill, cached until its content changes. */
  scan(id: string): ScanReport
  /** What follows from that scan, once the person's acceptance of this content counts as a yes. */
  policy(id: string): { policy: SkillPolicy; publisher: string | null }
  unreadable(): Unreadable[]
  /** Chat folders that contain skills, trusted or not. */
  projects(): { folder: string; trusted: boolean; skills: number }[]
  /**
   * Drop the cache; the next call checks the disk. Windows hear of it soon, once for many changes, or now, for a
   * change that is complete.
   */
  changed(when?: 'soon' | 'now'): void
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

export type SkillRefusal = Refusal & {
  conflict?: boolean
  /** What the scan found, when that is why, and the hash of what it read. */
  scan?: ScanReport
  seen?: string
}
/** Save what the scan calls dangerous: always, or only what has this hash, because the person was shown what was found in it. */
export type Despite = boolean | string
/** `note`: what else is to be said, such as that a file has another encoding now. */
export type SkillChanged = { revisions: SkillRevision[]; id: string; note?: string }

/** Changes skills. Each change is atomic and is logged as a revision that can be undone. */
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
  /** Write a file. `expected` is its required current text: null when it must not exist, undefined for no check. */
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
  /** Pin skills: they are not deleted, and no review writes to them. */
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
  /** Install a fetched folder as an imported skill. It replaces an imported skill of the same name. */
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

/** What the person chose for a candidate. `accept`: they read the lines of a caution. */
export type ImportChoice = {
  path: string
  /** The hash of the candidate as it was shown. */
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
  /** Fetch an imported skill again; null when nothing changed. */
  update(id: string, signal: AbortSignal): Promise<SkillImport | null>
  close(): Promise<void>
}
export type ImportFrom =
  | { kind: 'path'; path: string }
  | { kind: 'git'; address: string; ref: string }
  | { kind: 'text'; text: string }
  | { kind: 'upload'; name: string; files: readonly { path: string; base64: string }[] }
