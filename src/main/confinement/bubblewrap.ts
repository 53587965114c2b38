import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { obeyedByName } from './obeyed/obeyed-names.ts'
import {
  isWithin,
  type Confinement,
  type FolderFacts,
  type HiddenPath,
  type MayWriteObeyed,
  type Surroundings,
} from './profile.ts'
import { findGitObeyed } from './obeyed/git/git-obeyed.ts'
import { partsToCover } from './obeyed/git/git-files.ts'

/** Everything that bubblewrap needs to know for one command. */
export type BubblewrapParts = {
  confinement: Confinement
  surroundings: Surroundings
  /** The paths to hide or protect in the folder of the chat. */
  facts: FolderFacts
  /** The paths to hide everywhere. */
  hidden: readonly HiddenPath[]
  /** An empty file without any rights; it covers hidden files. */
  cover: string
  /** The folder that commands see as `/tmp`. */
  temporary: string
  /** A folder for caches of package managers, and a git configuration without programs. */
  caches: string
  gitConfig: string
  /** The program that runs in place of an editor. */
  noEditor: string
}

/** System folders that programs need; none of them has files of the user. */
const PROGRAMS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store']
/** Files in `/etc` that programs read for names, languages, certificates and libraries. */
const SYSTEM_FILES = [
  ['alternatives', 'ca-certificates', 'fonts', 'group', 'hostname', 'hosts', 'inputrc', 'ld.so.cache'],
  [
    'ld.so.conf',
    'ld.so.conf.d',
    'locale.alias',
    'locale.conf',
    'localtime',
    'magic',
    'magic.mime',
    'mime.types',
  ],
  [
    'nsswitch.conf',
    'os-release',
    'passwd',
    'pki',
    'protocols',
    'services',
    'shells',
    'ssl',
    'terminfo',
    'timezone',
  ],
]
  .flat()
  .map(name => `/etc/${name}`)

const ISOLATION = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  // Namespaces created inside could undo masks.
  '--disable-userns',
  '--die-with-parent',
  // Keeps a command from pushing input into the terminal that Talaria was started from.
  '--new-session',
  '--cap-drop',
  'ALL',
]

/**
 * Build the arguments of bubblewrap (0.8 or later) before the command. Mounts apply in order, so hidden or
 * protected paths come after the folders that contain them. Reads the file system only to follow links of
 * system folders and to find what git obeys.
 */
export function bubblewrapArguments(parts: BubblewrapParts): string[] {
  const { confinement, surroundings } = parts
  const mounts = confinement.profile === 'look' ? lookMounts(parts) : workMounts(parts, confinement)
  const isOnline = confinement.profile === 'work' && confinement.network
  return [
    ...ISOLATION,
    ...(isOnline ? [] : ['--unshare-net']),
    ...mounts,
    '--chdir',
    surroundings.cwd,
    // bubblewrap reports here whether the command started.
    '--json-status-fd',
    '3',
    '--',
  ]
}

function lookMounts({ surroundings, facts, hidden, cover, noEditor }: BubblewrapParts): string[] {
  const { folder, userHome } = surroundings
  return [
    ...PROGRAMS.flatMap(bindSystemFolder),
    ...SYSTEM_FILES.flatMap(path => ['--ro-bind-try', path, path]),
    ...FRESH,
    ...tmpfs('/dev/shm'),
    ...tmpfs('/tmp'),
    '--dir',
    userHome,
    ...[...facts.outerGit, folder].flatMap(bindReadOnly),
    ...hidden
      .filter(({ path }) => path !== folder && isWithin(folder, path))
      .flatMap(each => coverPath(each, cover)),
    ...facts.hidden.flatMap(each => coverPath(each, cover)),
    // If the folder of the chat contains Talaria's home, the program would be hidden with it.
    ...(isWithin(folder, noEditor) ? [] : bindReadOnly(noEditor)),
    ...remountReadOnly('/'),
  ]
}

/** Bind a system folder. On most systems `/bin` is a link into `/usr`, which programs expect. */
function bindSystemFolder(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return []
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

function workMounts(
  parts: BubblewrapParts,
  { network, obeyed }: Extract<Confinement, { profile: 'work' }>,
): string[] {
  const { surroundings, facts, hidden, cover, temporary, caches, gitConfig, noEditor } = parts
  const { folder, given = { readable: [], writable: [] } } = surroundings
  const written = [folder, ...given.writable]
  // A git folder that contains the folder of the chat must not make it read-only.
  const outerGit = facts.outerGit.filter(path => !written.some(each => isWithin(path, each)))
  // The rest is readable anyway. Given places are mounted before masks over their parts, given keys after.
  const places = given.readable.filter(isEmptyInside)
  const keys = given.readable.filter(path => hidden.some(each => isWithin(each.path, path)))
  const read = [...surroundings.readable, ...keys, ...outerGit]
  const shown = [...written, caches, gitConfig, noEditor, ...read, ...places].filter(path => existsSync(path))
  const isAround = ({ path, kind }: HiddenPath) =>
    kind === 'folder' && shown.some(each => isWithin(path, each))
  // A home folder below /tmp is shown again if a chat works in it.
  const elsewhere = hidden.filter(
    ({ path }) => !isEmptyInside(path) || shown.some(each => isWithin(each, path)),
  )
  const around = elsewhere.filter(isAround).map(({ path }) => path)
  return [
    ...bindReadOnly('/'),
    ...FRESH,
    ...tmpfs('/dev/shm'),
    ...tmpfs('/run'),
    ...tmpfs('/var/tmp'),
    '--bind',
    temporary,
    '/tmp',
    ...(network ? nameServers() : []),
    ...places.flatMap(bindReadOnly),
    // These stay empty except for the paths shown again below.
    ...around.filter(path => isWithin(path, folder)).flatMap(tmpfs),
    // The whole file system is never writable, even if a chat works there.
    ...written.filter(path => path !== '/').flatMap(bind),
    // Mounted before the masks, because a folder that agents obey may hold keys.
    ...readOnlyFor(facts, obeyed).slice(0, MOST_BOUND).flatMap(bindReadOnly),
    ...(obeyed === 'nothing' ? protectGit(parts, written) : []),
    ...around.filter(path => !isWithin(path, folder)).flatMap(tmpfs),
    ...elsewhere.filter(each => !isAround(each)).flatMap(each => coverPath(each, cover)),
    ...bind(caches),
    ...shown.filter(path => ![...written, ...places, caches].includes(path)).flatMap(bindReadOnly),
    ...facts.hidden
      .filter(({ path }) => !given.readable.includes(path))
      .flatMap(each => coverPath(each, cover)),
    ...around.filter(path => path !== folder).flatMap(remountReadOnly),
  ]
}

/** Maximum number of git folders that are protected from renaming. */
const MOST_KEPT = 100

/**
 * Mount what git obeys read-only. Binding a git folder onto itself prevents renaming, which would get around
 * the protection of its parts. Mounted before the masks, because these mounts would show hidden files again.
 */
function protectGit({ facts, surroundings }: BubblewrapParts, written: readonly string[]): string[] {
  const obeyed = findGitObeyed(facts, { written, userHome: surroundings.userHome })
  const isInside = (git: string) => written.some(folder => folder !== git && isWithin(folder, git))
  const isAround = (git: string) => written.some(folder => isWithin(git, folder))
  const kept = facts.repositories.filter(git => isInside(git) && !isAround(git))
  // A mount over a link would cover the target of the link.
  return [...kept.slice(0, MOST_KEPT).flatMap(bind), ...partsToCover(obeyed).flatMap(bindReadOnly)]
}

/** The obeyed files and folders that a command may not write. */
export function readOnlyFor({ obeyed }: FolderFacts, may: MayWriteObeyed): readonly string[] {
  if (may === 'nothing') return obeyed
  return may === 'all' ? [] : obeyed.filter(path => obeyedByName(path)?.by !== 'git')
}

/** Maximum number of protected paths, since bubblewrap takes 9,000 words. Others are compared afterwards. */
export const MOST_BOUND = 2_000

/** A `/dev` with the usual devices only, and a `/proc` of this namespace. */
const FRESH = ['--dev', '/dev', '--proc', '/proc']
/** Mount an empty folder in memory, limited to 512 MB. */
const tmpfs = (path: string) => ['--size', `${512 * 2 ** 20}`, '--tmpfs', path]
const remountReadOnly = (path: string) => ['--remount-ro', path]
const bind = (path: string) => ['--bind', path, path]
const bindReadOnly = (path: string) => ['--ro-bind', path, path]
const coverPath = ({ path, kind }: HiddenPath, cover: string): string[] =>
  kind === 'file' ? ['--ro-bind', cover, path] : ['--perms', '0000', '--size', '65536', '--tmpfs', path]

/** Whether a place is empty for confined commands anyway. */
const isEmptyInside = (path: string) =>
  ['/run', '/tmp', '/var/tmp', '/dev', '/proc'].some(place => isWithin(place, path))

/** Show `/etc/resolv.conf`, which is often a link into the hidden `/run`. */
function nameServers(): string[] {
  try {
    const path = realpathSync('/etc/resolv.conf')
    return isWithin('/run', path) ? ['--dir', dirname(path), '--ro-bind', path, path] : []
  } catch {
    return []
  }
}
