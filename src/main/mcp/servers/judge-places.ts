import { realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { hiddenPaths, privatePlaces } from '../../confinement/hidden-paths.ts'
import { obeyedByName } from '../../confinement/obeyed/obeyed-names.ts'
import { isWithin } from '../../confinement/profile.ts'

/** The home folders around a server: Talaria's and the person's. */
export type Homes = { home: string; userHome: string }

/** What no server may write to, with links resolved where it exists. */
export type Around = Homes & { hidden: readonly string[]; secret: readonly string[] }

/** Why a place is not given to a server to write in. `isGrave`: an entry of a project that names it is refused. */
type Verdict = { why: string; isGrave: boolean }

/** A path with links resolved, also where its end does not exist yet. */
export type Place = { path: string; kind: 'folder' | 'file' | 'other' | 'missing' }

/** Folders of the system, and what is in them. */
const SYSTEM =
  `/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /nix /proc /run /sbin /sys /usr /var/run /private/etc /System /Library`.split(
    ' ',
  )
/** Folders that all programs share: what is in them may be given, but not all of it. */
const SHARED = ['/tmp', '/var', '/var/tmp', '/private/tmp', '/private/var', '/opt', '/srv', '/mnt', '/media']

/** What the person's programs obey in a home folder; what they obey everywhere is in `obeyed-names.ts`. Paths end with a slash. */
const OBEYED_AT_HOME: readonly (readonly [by: string, pattern: RegExp])[] = [
  [
    'your shell',
    /^\/(\.(oh-my-\w+|zsh|zinit|zplug|antigen|bash_it|nvm|sdkman)|\.config\/(zsh|fish|nushell|mise))\//,
  ],
  [
    'your desktop',
    /^\/(\.config\/(autostart|systemd|environment\.d|plasma-workspace|i3|sway|hypr|tmux)|\.local\/share\/(applications|systemd|dbus-1|nautilus|kio|flatpak)|library\/(launch\w+|application scripts)|\.xsession)\//,
  ],
  ['an editor', /^\/\.(emacs(\.d)?|vim|config\/(nvim|emacs|helix))\//],
  ['`python`', /^\/(\.local\/lib|library)\/python[^/]*\/|^\/\.ipython\//],
]
/** Where shells find programs, in a home folder. */
const PROGRAMS_AT_HOME =
  /^\/((bin|\.local\/bin|\.(pyenv|rbenv|asdf|nodenv|jenv))\/|(go|\.(cargo|bun|deno|dotnet|volta|krew|npm-global|yarn))\/(bin\/.*)?$)/

/** Many disks do not tell letters by their case, nor by how an accent is written. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase()
const isInside = (folder: string, path: string): boolean => isWithin(fold(folder), fold(path))
const isSame = (one: string, other: string): boolean => fold(one) === fold(other)

/** Resolve the links of a path as far as it exists. */
export function resolvePlace(given: string): Place {
  const path = realOf(resolve(given))
  try {
    const stats = statSync(path)
    return { path, kind: stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other' }
  } catch {
    return { path, kind: 'missing' }
  }
}

function realOf(path: string): string {
  let rest = ''
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), rest)
    } catch {
      if (at === dirname(at)) return path
      rest = join(basename(at), rest)
    }
  }
}

let last: { key: string; around: Around } | undefined

/** What to judge places by. Looked up once in a moment, however many servers are judged. */
export function lookAround({ home, userHome }: Homes): Around {
  const key = `${home}\n${userHome}`
  if (last?.key === key) return last.around
  const homes = { home: realOf(home), userHome: realOf(userHome) }
  const seen = hiddenPaths({ ...homes, folder: homes.home, cwd: homes.home, readable: [] }).map(
    each => each.path,
  )
  // What does not exist yet would be made.
  const secret = privatePlaces(homes.userHome)
  const hidden = [...seen, ...secret].filter(path => !isSame(path, homes.home))
  last = { key, around: { ...homes, hidden, secret } }
  setImmediate(() => (last = undefined)).unref()
  return last.around
}

/** Why a place with links resolved is not given to write in; undefined if it may be. */
export function whyNoPlace(path: string, around: Around): Verdict | undefined {
  const core = whyTooWide(path, around)
  if (core !== undefined) return { why: core, isGrave: true }
  const { home, hidden } = around
  if (isInside(home, path)) return { why: "in Talaria's own folder", isGrave: true }
  const secret = hidden.find(each => isInside(each, path))
  if (secret !== undefined) return { why: HIDDEN, isGrave: true }
  const inside = hidden.find(each => isInside(path, each))
  if (inside !== undefined)
    return { why: `a folder with hidden places, such as ${shortPlace(inside, around)}`, isGrave: true }
  const obeyed = whyObeyed(path, around)
  if (obeyed !== undefined) return { why: obeyed, isGrave: true }
  if (SYSTEM.some(each => isInside(each, path))) return { why: 'a folder of the system', isGrave: false }
  if ([...SHARED, realOf(tmpdir())].some(each => isSame(each, path)))
    return { why: 'a folder that all programs share', isGrave: false }
  return undefined
}

/** Why the programs of the person would obey what is written there. A folder counts for what would be in it. */
function whyObeyed(path: string, { userHome }: Around): string | undefined {
  const isAtHome = isInside(userHome, path)
  const names = relative(isAtHome ? userHome : '/', path).replaceAll('\\', '/')
  const known = [names, `${names}/`].map(obeyedByName).find(found => found?.tier === 1)
  if (known) return `what ${known.by} would obey`
  if (!isAtHome) return undefined
  const inHome = `/${fold(names)}/`
  if (PROGRAMS_AT_HOME.test(inHome)) return 'where your shell finds programs'
  const by = OBEYED_AT_HOME.find(([, pattern]) => pattern.test(inHome))?.[0]
  return by && `what ${by} would obey`
}

const HIDDEN = 'hidden from programs, because of keys, logins or other users'

/** Why no server is run in a project: its folder is, or contains, a home folder, or lies where keys are. */
export const whyNoProject = (path: string, around: Around): string | undefined =>
  whyTooWide(path, around) ?? (around.secret.some(each => isInside(each, path)) ? HIDDEN : undefined)

/** Why a folder is never given, whoever chose it: it is, or contains, a home folder. */
function whyTooWide(path: string, { home, userHome }: Homes): string | undefined {
  if (path === dirname(path)) return 'the whole file system'
  if (isSame(path, userHome)) return 'your home folder'
  if (isInside(path, userHome)) return 'a folder around your home folder'
  if (isSame(path, home)) return "Talaria's own folder"
  return isInside(path, home) ? "a folder around Talaria's own" : undefined
}

/** Whether the folder of a file is given with it: not one where programs of the person keep their settings. */
export const isOrdinary = (folder: string, around: Around): boolean =>
  whyNoPlace(folder, around) === undefined && !isAmongSettings(folder, around)

/** Whether a place in the home is one where programs of the person keep their settings, many of which start programs. */
export function isAmongSettings(path: string, { userHome }: Around): boolean {
  if (!isInside(userHome, path)) return false
  const [first = ''] = relative(userHome, path).split(/[/\\]/)
  return /^(?:\..*|bin|snap|library|appdata)$/i.test(first)
}

/** Whether a path is a folder itself or something in it, in any case of letters. */
export const isInFolder = isInside

/** A path as people write it: `~` stands for their home folder. */
export const shortPlace = (path: string, { userHome }: Pick<Homes, 'userHome'>): string =>
  path !== userHome && isWithin(userHome, path) ? join('~', relative(userHome, path)) : path
