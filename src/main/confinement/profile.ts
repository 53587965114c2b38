/**
 * The rights of a confined command. `look`: read the folder of the chat and system programs, but no other
 * files of the user, without network. `work`: read most of the file system and write to the folder of the
 * chat.
 */
export type Confinement = { profile: 'look' } | { profile: 'work'; network: boolean; obeyed: MayWriteObeyed }

/**
 * Which obeyed files a command may write: none, those that git obeys (hooks and configuration of the
 * repositories in the folder), or all, such as `.vscode` and `AGENTS.md`.
 */
export type MayWriteObeyed = 'nothing' | 'git' | 'all'

/** The confinement of an allowed command, if any. */
export type Access = Confinement | 'unconfined'

/** The name of an access, for records and cards. */
export function accessName(access: Access): 'look' | 'work' | 'network' | 'unconfined' {
  if (access === 'unconfined') return access
  if (access.profile === 'look') return 'look'
  return access.network ? 'network' : 'work'
}

/** The ways in which this computer can run commands at the moment. */
export type CommandRights = {
  /** Whether commands run confined here. */
  confined: boolean
  /** Why commands are not confined here, as text for the user; empty if they are. */
  whyNot: string
  /** Why no command may run at all, for the user: confinement is required but impossible. */
  refusal?: string
  /** The offline lock is on. Only confined commands are reliably kept off the network. */
  offline: boolean
}

/** The folders around a confined command: absolute paths with links resolved. */
export type Surroundings = {
  /** The folder of the chat. */
  folder: string
  /** The folder in which the command starts. */
  cwd: string
  /** The home folder of the user. */
  userHome: string
  /** Talaria's home folder. */
  home: string
  /** Folders in Talaria's home that commands may read: those of accepted skills. */
  readable: readonly string[]
  /** Other files and folders that the user gave to this program. */
  given?: GivenPlaces | undefined
}

/** Files and folders that the user gave to a program, with links resolved. It may write to `writable` too. */
export type GivenPlaces = { readable: readonly string[]; writable: readonly string[] }

/** A path that a confined command must not see. A `file` may also be a socket. */
export type HiddenPath = { path: string; kind: 'file' | 'folder' }

/** Facts about the folder of the chat, for the program that confines a command. */
export type FolderFacts = {
  /** Files and folders with keys or passwords. */
  hidden: readonly HiddenPath[]
  /** The git folders inside: `.git` folders, bare repositories, and targets of `.git` files. */
  repositories: readonly string[]
  /** Files and links named `.git` inside, which lead to a git folder elsewhere. */
  gitFiles: readonly string[]
  /** The outside git folders that this folder belongs to: of a parent folder or of a linked worktree. */
  outerGit: readonly string[]
  /** Files and folders of tier 1, which programs obey unasked, except git's. Links are resolved. */
  obeyed: readonly string[]
  /** The files and links of tier 1, and those of tier 2, which the user runs. Includes hidden ones. */
  obeyedFiles: readonly string[]
  runFiles: readonly string[]
  /** The folders that were searched. */
  folders: readonly string[]
  /** False if there are more folders than may be searched. */
  isComplete: boolean
}

/** Whether a path is this folder or inside it. Both are absolute and have no `..`. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
