import { realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { hiddenPaths, privatePlaces } from '../../confinement/hidden-paths.ts'
import { obeyedByName } from '../../confinement/obeyed/obeyed-names.ts'
import { isWithin } from '../../confinement/profile.ts'

/** The home folders around a server: Talaria's and the user's. */
export type Homes = { home: string; userHome: string }

/** Places where no server may write, with links resolved if they exist. */
export type Around = Homes & { hidden: readonly string[]; secret: readonly string[] }

/** Why a server may not write to a place. `isGrave`: a project's entry that names the place is refused. */
type Verdict = { why: string; isGrave: boolean }

/** A path with links resolved, even if its end does not exist yet. */
export type Place = { path: string; kind: 'folder' | 'file' | 'other' | 'missing' }

/** System folders; this includes their content. */
const SYSTEM =
  `/bin /boot /dev /etc /lib /lib32 /lib64 /libx32 /nix /proc /run /sbin /sys /usr /var/run /private/etc /System /Library`.split(
    ' ',
  )
/** Folders shared by all programs. A server may get folders inside them, but not a whole one. */
const SHARED = ['/tmp', '/var', '/var/tmp', '/private/tmp', '/private/var', '/opt', '/srv', '/mnt', '/media']

/** Files in a home that the user's programs obey; see also `obeyed-names.ts`. Paths end with a slash. */
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
/** Folders in a home where shells find programs. */
const PROGRAMS_AT_HOME =
  /^\/((bin|\.local\/bin|\.(pyenv|rbenv|asdf|nodenv|jenv))\/|(go|\.(cargo|bun|deno|dotnet|volta|krew|npm-global|yarn))\/(bin\/.*)?$)/

/** Normalise case and accents, which many disks ignore. */
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

/** Look up the facts for judging places, only once at a time for any number of servers. */
export function lookAround({ home, userHome }: Homes): Around {
  const key = `${home}\n${userHome}`
  if (last?.key === key) return last.around
  const homes = { home: realOf(home), userHome: realOf(userHome) }
  const seen = hiddenPaths({ ...homes, folder: homes.home, cwd: homes.home, readable: [] }).map(
    each => each.path,
  )
  // A missing private place could be created.
  const secret = privatePlaces(homes.userHome)
  const hidden = [...seen, ...secret].filter(path => !isSame(path, homes.home))
  last = { key, around: { ...homes, hidden, secret } }
  setImmediate(() => (last = undefined)).unref()
  return last.around
}

/** The reason why a server may not write to a place, whose links are resolved; undefined if it may. */
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

/** The reason why the user's programs would obey what is written there. A folder counts for its content. */
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

/** The reason why no server runs in a project: its folder is or contains a home folder, or contains keys. */
export const whyNoProject = (path: string, around: Around): string | undefined =>
  whyTooWide(path, around) ?? (around.secret.some(each => isInside(each, path)) ? HIDDEN : undefined)

/** The reason why a folder is never given, whoever chose it: it is or contains a home folder. */
function whyTooWide(path: string, { home, userHome }: Homes): string | undefined {
  if (path === dirname(path)) return 'the whole file system'
  if (isSame(path, userHome)) return 'your home folder'
  if (isInside(path, userHome)) return 'a folder around your home folder'
  if (isSame(path, home)) return "Talaria's own folder"
  return isInside(path, home) ? "a folder around Talaria's own" : undefined
}

/** Whether the folder of a file is given with it, because programs keep no settings there. */
export const isOrdinary = (folder: string, around: Around): boolean =>
  whyNoPlace(folder, around) === undefined && !isAmongSettings(folder, around)

/** Whether a place in the home holds settings of the user's programs, many of which start programs. */
export function isAmongSettings(path: string, { userHome }: Around): boolean {
  if (!isInside(userHome, path)) return false
  const [first = ''] = relative(userHome, path).split(/[/\\]/)
  return /^(?:\..*|bin|snap|library|appdata)$/i.test(first)
}

/** Whether a path is this folder or inside it, ignoring case. */
export const isInFolder = isInside

/** A path for display, with `~` for the user's home folder. */
export const shortPlace = (path: string, { userHome }: Pick<Homes, 'userHome'>): string =>
  path !== userHome && isWithin(userHome, path) ? join('~', relative(userHome, path)) : path
