/**
 * What a confined command may do. `look`: read the folder of the chat and the programs of the system, nothing else of
 * the user's, without network. `work`: read most of the file system and write to the folder of the chat.
 */
export type Confinement = { profile: 'look' } | { profile: 'work'; network: boolean; obeyed: MayWriteObeyed }

/**
 * What a command may write of the files that programs of the person obey without being asked for: none of them, what git obeys
 * (hooks and configuration of the repositories in the folder), or all, as `.vscode` and `AGENTS.md`.
 */
export type MayWriteObeyed = 'nothing' | 'git' | 'all'

/** How an allowed command runs. */
export type Access = Confinement | 'unconfined'

/** The name of a way to run, for records and cards. */
export function accessName(access: Access): 'look' | 'work' | 'network' | 'unconfined' {
  if (access === 'unconfined') return access
  if (access.profile === 'look') return 'look'
  return access.network ? 'network' : 'work'
}

/** What this computer can do about commands at this moment. */
export type CommandRights = {
  /** Whether commands run confined here. */
  confined: boolean
  /** Why not, for the user; empty if they do. */
  whyNot: string
  /** Why no command may run at all, for the user: they must be confined and cannot be. */
  refusal?: string
  /** The offline lock is on: only confined commands are surely kept off the network. */
  offline: boolean
}

/** The folders around a confined command: absolute paths with links resolved. */
export type Surroundings = {
  /** The folder of the chat. */
  folder: string
  /** Where the command starts. */
  cwd: string
  /** The home folder of the user. */
  userHome: string
  /** Talaria's home folder. */
  home: string
  /** Folders in Talaria's home that commands may read: those of accepted skills. */
  readable: readonly string[]
  /** What else the person gave to this program. */
  given?: GivenPlaces | undefined
}

/** Files and folders that a person named for one program, which may write to `writable` too. With links resolved. */
export type GivenPlaces = { readable: readonly string[]; writable: readonly string[] }

/** A path that a confined command must not see. A `file` may also be a socket. */
export type HiddenPath = { path: string; kind: 'file' | 'folder' }

/** What the program that confines a command has to know about the folder of the chat. */
export type FolderFacts = {
  /** Files and folders with keys or passwords. */
  hidden: readonly HiddenPath[]
  /** The git folders in it: `.git` folders, bare repositories, and those that `.git` files in it lead to. */
  repositories: readonly string[]
  /** Files and links named `.git` in it, which lead to a git folder elsewhere. */
  gitFiles: readonly string[]
  /** The git folders that this folder belongs to and that lie outside it: of a parent folder or of a linked worktree. */
  outerGit: readonly string[]
  /** Files and folders in it that programs obey without being asked for (tier 1), those of git left out; links are resolved. */
  obeyed: readonly string[]
  /** The files and links of tier 1, and those that run when the person runs them (tier 2). Hidden ones are among them. */
  obeyedFiles: readonly string[]
  runFiles: readonly string[]
  /** The folders that were searched. */
  folders: readonly string[]
  /** False if the folder has more folders than may be searched. */
  isComplete: boolean
}

/** Whether a path is a folder itself or something inside it; both are absolute and have no `..`. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
