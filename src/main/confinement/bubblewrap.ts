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

/** What bubblewrap needs beside the folders. */
export type BubblewrapParts = {
  confinement: Confinement
  surroundings: Surroundings
  /** What must not be seen or written in the folder of the chat. */
  facts: FolderFacts
  /** What must not be seen anywhere. */
  hidden: readonly HiddenPath[]
  /** An empty file without any rights; it covers hidden files. */
  cover: string
  /** A folder that is `/tmp` inside. */
  temporary: string
  /** A folder for caches of package managers, and a git configuration without programs. */
  caches: string
  gitConfig: string
  /** What stands for an editor. */
  noEditor: string
}

/** Names of system folders that programs need; nothing in them is the user's. */
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
  // Namespaces inside would undo masks.
  '--disable-userns',
  '--die-with-parent',
  // Against input that a command pushes into the terminal that Talaria was started from.
  '--new-session',
  '--cap-drop',
  'ALL',
]

/**
 * The arguments of bubblewrap (0.8 or later) before the command. Mounts apply in order, so what is hidden or protected
 * comes after what contains it. Reads the file system only to follow links of system folders and to
 * find what git obeys.
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
    // In a folder of the chat that holds Talaria's home, it would be hidden with it.
    ...(isWithin(folder, noEditor) ? [] : bindReadOnly(noEditor)),
    ...remountReadOnly('/'),
  ]
}

/** On most systems `/bin` is a link into `/usr`, which programs expect. */
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
  // A git folder around the folder of the chat must not make it read-only.
  const outerGit = facts.outerGit.filter(path => !written.some(each => isWithin(path, each)))
  // The rest of the file system can be read anyway. Places come before what hides parts of them, named keys after it.
  const places = given.readable.filter(isEmptyInside)
  const keys = given.readable.filter(path => hidden.some(each => isWithin(each.path, path)))
  const read = [...surroundings.readable, ...keys, ...outerGit]
  const shown = [...written, caches, gitConfig, noEditor, ...read, ...places].filter(path => existsSync(path))
  const isAround = ({ path, kind }: HiddenPath) =>
    kind === 'folder' && shown.some(each => isWithin(path, each))
  // A home folder below /tmp is shown again when a chat works in it.
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
    // Only what is shown again below appears in these.
    ...around.filter(path => isWithin(path, folder)).flatMap(tmpfs),
    // The whole file system is never writable, even if a chat works there.
    ...written.filter(path => path !== '/').flatMap(bind),
    // Before what hides parts of them: a folder that agents obey may hold keys.
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

/** Git folders that are kept from being renamed, at most. */
const MOST_KEPT = 100

/**
 * Read-only mounts over what git obeys. Binding a git folder onto itself keeps it from being renamed, which would lead around
 * the protection of its parts. They come before what is hidden, which they would show again.
 */
function protectGit({ facts, surroundings }: BubblewrapParts, written: readonly string[]): string[] {
  const obeyed = findGitObeyed(facts, { written, userHome: surroundings.userHome })
  const isInside = (git: string) => written.some(folder => folder !== git && isWithin(folder, git))
  const isAround = (git: string) => written.some(folder => isWithin(git, folder))
  const kept = facts.repositories.filter(git => isInside(git) && !isAround(git))
  // A mount over a link would be one over what it leads to.
  return [...kept.slice(0, MOST_KEPT).flatMap(bind), ...partsToCover(obeyed).flatMap(bindReadOnly)]
}

/** What programs obey without being asked for and a command may not write. */
export function readOnlyFor({ obeyed }: FolderFacts, may: MayWriteObeyed): readonly string[] {
  if (may === 'nothing') return obeyed
  return may === 'all' ? [] : obeyed.filter(path => obeyedByName(path)?.by !== 'git')
}

/** bubblewrap takes 9,000 words; what goes beyond is compared and put back afterwards. */
export const MOST_BOUND = 2_000

/** A `/dev` with the usual devices only, and a `/proc` of this namespace. */
const FRESH = ['--dev', '/dev', '--proc', '/proc']
/** What is written to these folders stays in memory, so it is limited: 512 MB each. */
const tmpfs = (path: string) => ['--size', `${512 * 2 ** 20}`, '--tmpfs', path]
const remountReadOnly = (path: string) => ['--remount-ro', path]
const bind = (path: string) => ['--bind', path, path]
const bindReadOnly = (path: string) => ['--ro-bind', path, path]
const coverPath = ({ path, kind }: HiddenPath, cover: string): string[] =>
  kind === 'file' ? ['--ro-bind', cover, path] : ['--perms', '0000', '--size', '65536', '--tmpfs', path]

/** Places that are empty inside anyway. */
const isEmptyInside = (path: string) =>
  ['/run', '/tmp', '/var/tmp', '/dev', '/proc'].some(place => isWithin(place, path))

/** `/etc/resolv.conf` is often a link into `/run`, which is hidden. */
function nameServers(): string[] {
  try {
    const path = realpathSync('/etc/resolv.conf')
    return isWithin('/run', path) ? ['--dir', dirname(path), '--ro-bind', path, path] : []
  } catch {
    return []
  }
}
