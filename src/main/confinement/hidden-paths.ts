import { lstatSync, realpathSync, statSync, type Dirent } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { isCredential, mayHoldKeys } from '../files/paths/credential-paths.ts'
import { isWithin, type HiddenPath, type Surroundings, type FolderFacts } from './profile.ts'
import { namesIn, readIfThere } from '../lib/expected-errors.ts'
import { sourcedByDirenv } from './obeyed/direnv-sources.ts'
import { obeyedByName } from './obeyed/obeyed-names.ts'
import { statOf } from './obeyed/follow-links.ts'
import { entriesIn } from './obeyed/list-closed-folder.ts'
import { isJudgedByContent } from './obeyed/deciding-parts.ts'
import { findOuterGit, isGitFolderOf, linkedInside } from './protect-git.ts'

/** Keys, logins, browser profiles and histories, relative to the home folder of the user. */
const PRIVATE_IN_HOME = [
  [
    '.ssh',
    '.gnupg',
    '.gpg',
    '.password-store',
    '.aws',
    '.azure',
    '.kube',
    '.docker',
    '.huggingface',
    '.vault-token',
  ],
  [
    '.netrc',
    '_netrc',
    '.pgpass',
    '.my.cnf',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pypirc',
    '.git-credentials',
  ],
  ['.s3cfg', '.boto', '.terraformrc', '.terraform.d', '.m2/settings.xml', '.m2/settings-security.xml'],
  ['.gradle/gradle.properties', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials'],
  [
    '.composer/auth.json',
    '.config/composer/auth.json',
    '.cache/huggingface/token',
    '.config/git/credentials',
  ],
  ['.config/gcloud', '.config/gh', '.config/glab-cli', '.config/hub', '.config/doctl', '.config/rclone'],
  ['.config/op', '.config/1Password', '.config/helm', '.config/containers', '.config/github-copilot'],
  [
    '.local/share/keyrings',
    '.local/share/kwalletd',
    '.local/share/containers/auth.json',
    '.local/share/helm',
  ],
  [
    '.mozilla',
    '.thunderbird',
    '.librewolf',
    '.config/google-chrome',
    '.config/chromium',
    '.config/BraveSoftware',
  ],
  ['.config/microsoft-edge', '.config/vivaldi', '.config/opera', 'snap', '.var/app'],
  ['.claude', '.claude.json', '.codex', '.gemini', '.config/Code/User/globalStorage', '.config/Signal'],
  ['.bash_history', '.zsh_history', '.zhistory', '.history', '.python_history', '.node_repl_history'],
  ['.psql_history', '.mysql_history', '.sqlite_history', '.rediscli_history', '.lesshst', '.viminfo'],
  ['.local/share/fish', '.local/state', '.local/share/recently-used.xbel'],
  ['Library/Keychains', 'Library/Cookies', 'Library/Messages', 'Library/Mail', 'Library/Safari'],
  ['Library/Application Support', 'Library/Containers', 'Library/Group Containers'],
].flat()

/** Folders that contain the home folders of other users. */
const HOMES = ['/home', '/Users', '/root']

/** The facts of the system that the search reads; tests replace them. */
export type HostSystem = {
  /** The text of `/proc/net/unix`, which names every bound Unix socket; empty if unknown. */
  sockets(): string
  isWsl: boolean
}

export const thisSystem: HostSystem = {
  sockets: () => readIfThere('/proc/net/unix'),
  isWsl: /microsoft/i.test(readIfThere('/proc/sys/kernel/osrelease')),
}

/**
 * Find the paths outside the folder of the chat that a command in *Work* must not see. Returns only existing
 * paths, with links resolved: a mask for a missing file would create it, and bubblewrap refuses one over a
 * link.
 */
export function hiddenPaths(surroundings: Surroundings, system: HostSystem = thisSystem): HiddenPath[] {
  const { userHome, home } = surroundings
  const candidates = [
    home,
    ...privatePlaces(userHome),
    ...otherHomes(userHome),
    ...(system.isWsl ? ['/mnt'] : []),
    ...socketPaths(system.sockets()),
  ]
  const found = new Map<string, HiddenPath>()
  for (const candidate of candidates) {
    const hidden = resolveHidden(candidate)
    if (hidden) found.set(hidden.path, hidden)
  }
  // A hidden folder also hides its content.
  const folders = [...found.values()].filter(({ kind }) => kind === 'folder').map(({ path }) => path)
  return [...found.values()].filter(
    ({ path }) => !folders.some(folder => folder !== path && isWithin(folder, path)),
  )
}

/** Paths in a home folder for keys, logins, browser profiles and histories, whether they exist or not. */
export const privatePlaces = (userHome: string): string[] => [
  ...PRIVATE_IN_HOME.map(name => join(userHome, name)),
  ...secretsDirectlyIn(userHome),
]

/** Keys directly in the home folder. */
function secretsDirectlyIn(userHome: string): string[] {
  return namesIn(userHome)
    .map(name => join(userHome, name))
    .filter(path => isCredential(path) || mayHoldKeys(path))
}

function otherHomes(userHome: string): string[] {
  return HOMES.flatMap(homes => {
    if (homes === userHome) return []
    if (!isWithin(homes, userHome)) return [homes]
    return namesIn(homes)
      .map(name => join(homes, name))
      .filter(path => !isWithin(path, userHome))
  })
}

/** List all sockets. A read-only mount does not prevent connecting, so each socket needs its own mask. */
function socketPaths(listing: string): string[] {
  const paths = listing.matchAll(/^[0-9a-f]+:(?:\s+\S+){6}\s+(\/.+)$/gm)
  return [...new Set([...paths].map(([, path = '']) => path))].slice(0, 500)
}

function resolveHidden(candidate: string): HiddenPath | undefined {
  try {
    const path = realpathSync(candidate)
    return { path, kind: lstatSync(path).isDirectory() ? 'folder' : 'file' }
  } catch {
    // What this process cannot reach, a command of the same user cannot reach either.
    return undefined
  }
}

/** Maximum number of folders to search. Each takes about 10 µs, as unchanged ones are not read again. */
const MAX_FOLDERS = 8_000
/** Folders too large to search, and unlikely to contain keys. */
const SKIPPED = new Set(['node_modules', '.venv', '__pycache__'])

/** A time stamp younger than this, in ms, may not change with the next entry: disk clocks are coarse. */
const FRESH_MS = 50

/** The content of one folder, and a stamp that changes with its entries. */
type Known = Omit<Found, 'outerGit'> & { stamp: string }
type Found = Record<
  'repositories' | 'gitFiles' | 'outerGit' | 'obeyed' | 'obeyedFiles' | 'runFiles' | 'folders',
  string[]
> & { hidden: HiddenPath[] }

const nothing = (): Omit<Found, 'outerGit'> => ({
  hidden: [],
  repositories: [],
  gitFiles: [],
  obeyed: [],
  obeyedFiles: [],
  runFiles: [],
  folders: [],
})

/**
 * Create a search for credentials, repositories and obeyed files in the folders of chats. It remembers each
 * folder. Added or removed entries change the time stamp of their folder, so the next search reads only
 * those.
 */
export function createFolderSearch(maxFolders = MAX_FOLDERS): (folder: string) => FolderFacts {
  // Results are kept per root, because a file is obeyed by its path relative to the searched folder.
  const knownIn = new Map<string, Map<string, Known>>()
  return root => {
    const known = knownIn.get(root) ?? new Map<string, Known>()
    knownIn.set(root, known)
    const all: Found = { ...nothing(), outerGit: isFolder(root) ? findOuterGit(root) : [] }
    // Many new folders must not push others past the limit: known and obeyed ones first, then the nearest.
    const first = [root]
    const later: string[] = []
    let taken = 0
    const next = () => first.pop() ?? later[taken++]
    let count = 0
    let isComplete = true
    for (let folder = next(); folder !== undefined; folder = next()) {
      isComplete = ++count <= maxFolders
      if (!isComplete) break
      const found = lookUp(root, folder, known)
      if (!found) continue
      all.hidden.push(...found.hidden)
      for (const key of LISTS) all[key].push(...found[key])
      all.folders.push(folder)
      for (const each of found.folders)
        (known.has(each) || isObeyedFolder(root, each) ? first : later).push(each)
    }
    // A hidden file cannot be written anyway.
    const isHidden = (path: string) => all.hidden.some(each => each.path === path)
    const sourced = sourcedByDirenv(root, all.obeyedFiles).filter(path => isFile(path) && !isHidden(path))
    const obeyed = [...new Set([...all.obeyed, ...sourced].flatMap(path => resolveInside(root, path)))]
    if (!isComplete) return { ...all, obeyed, isComplete }
    // Git folders inside a known `.git` folder were found with it. A folder that only looks like a bare
    // repository finds nothing.
    const linked = linkedInside(root, all.gitFiles).filter(
      git =>
        !all.repositories.some(each => each === git || (basename(each) === '.git' && isWithin(each, git))),
    )
    return { ...all, obeyed, repositories: [...all.repositories, ...linked], isComplete }
  }
}

/** Whether the root is a folder: a program may be given a single file to write. */
const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const isFile = (path: string) => statOf(path)?.isFile() === true

const isObeyedFolder = (root: string, path: string) =>
  obeyedByName(`${relative(root, path).replaceAll(sep, '/')}/`)?.tier === 1

const LISTS = ['repositories', 'gitFiles', 'obeyed', 'obeyedFiles', 'runFiles'] as const

/** Resolve an obeyed link to its target inside the folder, because nothing can be mounted over a link. */
function resolveInside(root: string, path: string): string[] {
  try {
    const real = realpathSync(path)
    return real !== root && isWithin(root, real) ? [real] : []
  } catch {
    // The link is broken, or has just been removed.
    return []
  }
}

function lookUp(root: string, folder: string, known: Map<string, Known>): Known | undefined {
  const stats = statOf(folder)
  if (!stats?.isDirectory()) {
    known.delete(folder)
    return undefined
  }
  const isFresh = Date.now() - Number(stats.ctimeMs) < FRESH_MS
  const stamp = isFresh ? '' : `${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`
  const before = known.get(folder)
  if (!isFresh && before?.stamp === stamp) return before
  const found: Known = { ...nothing(), stamp }
  const entries = entriesIn(folder)
  for (const entry of entries) sortInto(found, root, folder, entry)
  const names = new Set(entries.map(({ name }) => name))
  // A bare repository may also hold keys, so it is searched like any folder.
  if (isGitFolderOf(name => names.has(name))) found.repositories.push(folder)
  known.set(folder, found)
  return found
}

function sortInto(found: Known, root: string, folder: string, entry: Dirent): void {
  const path = join(folder, entry.name)
  if (entry.name === '.git') {
    if (entry.isDirectory()) found.repositories.push(path)
    // The target of a link is hidden at its own path, inside the folder or outside.
    else found.gitFiles.push(path)
    return
  }
  sortObeyed(found, root, path, entry)
  if (entry.isDirectory()) {
    if (isCredential(`${path}/`)) found.hidden.push({ path, kind: 'folder' })
    else if (!SKIPPED.has(entry.name)) found.folders.push(path)
    // Of packages, search only the programs. New ones do not change the stamp of this folder.
    else if (entry.name === 'node_modules') found.folders.push(join(path, '.bin'))
  } else if (entry.isFile() && (isCredential(path) || mayHoldKeys(path)))
    found.hidden.push({ path, kind: 'file' })
}

function sortObeyed(found: Known, root: string, path: string, entry: Dirent): void {
  const name = relative(root, path).replaceAll(sep, '/')
  const isFolder = entry.isDirectory()
  const obeyed =
    obeyedByName(isFolder ? `${name}/` : name) ??
    (entry.isSymbolicLink() ? obeyedByName(`${name}/`) : undefined)
  if (obeyed?.tier === 2 && !isFolder) found.runFiles.push(path)
  if (obeyed?.tier !== 1) return
  if (!isFolder) found.obeyedFiles.push(path)
  const isInObeyed = obeyedByName(name.slice(0, name.lastIndexOf('/') + 1))?.tier === 1
  const isMasked = entry.isFile() && (isCredential(path) || mayHoldKeys(path))
  if (!isInObeyed && !isMasked && !isJudgedByContent(name)) found.obeyed.push(path)
}
