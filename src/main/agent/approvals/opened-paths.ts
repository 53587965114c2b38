import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, normalize, posix } from 'node:path'
import { isCredential, isEnvironmentFile, mayHoldKeys } from '../../files/paths/credential-paths.ts'
import type { Intent } from '../../tools/registry/tool.ts'
import { isWithin } from '../../confinement/profile.ts'
import { filesNamedBy } from '../../shell-safety/reads/confined-reads.ts'
import type { Check } from '../../shell-safety/compound/compound-values.ts'
import { readsOf } from '../../shell-safety/reads/plain-commands.ts'
import type { Invocation, Word } from '../../shell-safety/shell-types.ts'
import { matchesWildcard } from '../../shell-safety/floor/system-paths.ts'
import { trackedSecret, whyGitMustAsk } from './git-repository.ts'
import { namesIn } from '../../lib/expected-errors.ts'

const OUTSIDE = 'It reads outside the folder that this chat works in.'
const LEADS_OUTSIDE = 'It would follow a link out of the folder that this chat works in.'
const SECRET = 'It would read a file that may hold keys or passwords: '
const TOO_MANY = 'It reads more files than can be checked in advance.'
const ODD_NAME = 'A name in this folder would mean something else to a shell.'
/** Maximum entries of folders, words and links to check for one command line. */
const MAX_ENTRIES = 4_000
const MAX_WORDS = 500
const MAX_LINKS = 40

/** System information that anybody may know, and the system's programs. *Look* shows these paths. */
const SHOWN_IN_LOOK =
  /^\/(usr|bin|sbin|lib\w*|opt)(\/|$)|^\/etc\/(os-release|lsb-release|debian_version|timezone|localtime|shells|services|protocols|mime\.types)$|^\/proc\/(cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|mounts)$|^\/(tmp|dev\/(stdin|stdout|stderr|zero|urandom|random|tty))?$/

/**
 * Why a reading command must not run unasked, judged by what its words mean on this disk: a path outside the
 * chat's folder, a link out of it, or a file with keys. Undefined if it may run. Follows links and expands
 * wildcards as the shell will.
 */
export function whyNotUnasked(
  commands: readonly Invocation[],
  workspace: string,
  isConfined: boolean,
  checks: readonly Check[] = [],
): string | undefined {
  const root = realOf(workspace)
  let left = MAX_ENTRIES
  let leftWords = MAX_WORDS
  /** The entries of a folder; throws once there are too many in total. */
  const entriesOf = (folder: string) => {
    const entries = namesIn(folder)
    left -= entries.length
    if (left < 0) throw new TooMany()
    return entries
  }

  function judgePath(given: string, path: string, isPattern = false): string | undefined {
    if (path === '/dev/null' || (isConfined && SHOWN_IN_LOOK.test(path))) return undefined
    if (!isWithin(root, path)) {
      const isLink = isWithin(root, normalize(given)) || isWithin(workspace, normalize(given))
      return isLink ? LEADS_OUTSIDE : OUTSIDE
    }
    const named = [given, path].find(
      each => isCredential(each) || (isPattern ? isEnvironmentFile(each) : mayHoldKeys(each)),
    )
    return named === undefined ? undefined : `${SECRET}${named.slice(named.lastIndexOf('/') + 1)}.`
  }

  function judgeWord(word: Word, folder: string, isDeep: boolean, isPattern = false): string | undefined {
    if (word.text === '' || word.text === '-' || word.text.length > 4_000) return undefined
    // In *Look*, a value that is only known later cannot name anything hidden.
    if (/[\uE000\uE001]/.test(word.text)) return isConfined ? undefined : OUTSIDE
    const paths =
      /[*?[]/.test(word.text) && (word.glob || (isConfined && !word.literal))
        ? expandGlob(word.text, folder, entriesOf)
        : [word.text]
    for (const each of paths) {
      // `--include=*.ts` stays unchanged unless a file has that name.
      if (word.glob && each === word.text && each.startsWith('--')) continue
      if (!isConfined && word.glob && each.startsWith('-'))
        return 'A file whose name looks like a flag would change what it does.'
      const path = physicalPath(folder, each)
      const given = isAbsolute(each) ? each : join(folder, each)
      const reason =
        judgePath(given, path, isPattern) ?? (isDeep && !isConfined ? judgeTree(path) : undefined)
      if (reason !== undefined) return reason
    }
    return undefined
  }

  /** Judge everything below a folder. */
  function judgeTree(path: string): string | undefined {
    for (const name of entriesOf(path)) {
      const inner = join(path, name)
      const stats = lstatSync(inner, { throwIfNoEntry: false })
      const isFolder = stats?.isDirectory() ?? false
      const reason = judgePath(inner, stats?.isSymbolicLink() ? realOf(inner) : inner)
      const below = isFolder && inner !== join(root, '.git', 'objects') ? judgeTree(inner) : undefined
      if (reason ?? below) return reason ?? below
    }
    return undefined
  }

  /** Why the names that a program prints cannot be passed to another program. */
  function judgeNames({ folder, names }: Check): string | undefined {
    const { start, isWild, isFiles, pattern } = names
    if (!isWild) return areTame(start) ? judgeBelow(physicalPath(folder, start), pattern) : ODD_NAME
    for (const each of expandGlob(start, folder, entriesOf)) {
      const path = physicalPath(folder, each)
      if (!areTame(each)) return ODD_NAME
      if (isFiles && isFolder(path)) return 'What is in a folder would be told without its name.'
      const reason = judgePath(join(folder, each), path)
      if (reason !== undefined) return reason
    }
    return undefined
  }

  /** Judge everything below a folder that matches a pattern. */
  function judgeBelow(path: string, pattern: string | undefined): string | undefined {
    if (!isWithin(root, path)) return OUTSIDE
    if (!isFolder(path)) return judgePath(path, realOf(path))
    for (const name of entriesOf(path)) {
      const inner = join(path, name)
      const stats = lstatSync(inner, { throwIfNoEntry: false })
      const isInside = stats?.isDirectory() ?? false
      const isMeant = pattern === undefined || matchesWildcard(pattern, name)
      if ((isInside || isMeant) && !areTame(name)) return ODD_NAME
      const reason = isMeant ? judgePath(inner, stats?.isSymbolicLink() ? realOf(inner) : inner) : undefined
      const below =
        isInside && inner !== join(root, '.git', 'objects') ? judgeBelow(inner, pattern) : undefined
      if (reason ?? below) return reason ?? below
    }
    return undefined
  }

  try {
    for (const check of checks) {
      const reason = judgeNames({ ...check, folder: realOf(check.folder) })
      if (reason !== undefined) return reason
    }
    for (const command of commands) {
      const folder = realOf(command.folder)
      if (!isWithin(root, folder)) return OUTSIDE
      const known = isConfined ? undefined : readsOf(command.name, command.args)
      const inputs = command.redirects.filter(({ op }) => op === '<').map(({ target }) => target)
      const words = isConfined ? filesNamedBy(command) : [...inputs, ...(known?.opens ?? [])]
      leftWords -= words.length
      if (leftWords < 0) return TOO_MANY
      const pattern = command.name === 'git' ? patternOfGit(command.args) : undefined
      for (const word of words) {
        const reason = judgeWord(word, folder, known?.isDeep ?? false, word.text === pattern)
        if (reason !== undefined) return reason
      }
      const shown =
        command.name === 'git'
          ? judgeShown(
              command.args.map(word => word.text),
              folder,
            )
          : undefined
      if (shown !== undefined) return shown
      if (isConfined) continue
      if (command.name === 'cd' && !isFolder(join(folder, command.args[0]?.text ?? '')))
        return 'It would run in another folder if this one is missing.'
      if (isShadowed(command.name, root))
        return 'A folder of this chat is where the shell looks for programs.'
      const reason = command.name === 'git' ? whyGitMustAsk(folder) : undefined
      if (reason !== undefined) return reason
    }
    return undefined
  } catch (error) {
    if (error instanceof TooMany) return TOO_MANY
    throw error
  }
}

/** The pattern of a `git grep`: in a pattern, a word such as `password` is not a file name. */
function patternOfGit(args: readonly Word[]): string | undefined {
  const words = args.map(({ text }) => text).filter(text => !text.startsWith('-'))
  return words[0] === 'grep' ? words[1] : undefined
}

/** Whether no part of a path has characters that the shell splits at or expands, or looks like a flag. */
const areTame = (path: string): boolean =>
  path.split('/').every(part => part === '' || /^[\p{L}\p{N}_.][\p{L}\p{N}_.,@%+-]*$/u.test(part))

/** Names that a git pattern may match although no such file exists now. */
const KEY_NAMES = [
  '.env',
  '.env.local',
  '.env.production',
  'id_rsa',
  'id_ed25519',
  '.npmrc',
  '.netrc',
  'server.pem',
  'server.key',
]

/** Why git would show the content that a file with keys has or had; undefined if it would not. */
function judgeShown(words: readonly string[], folder: string): string | undefined {
  const pattern = words.find(word => {
    const last = word.slice(word.lastIndexOf('/') + 1)
    return (
      /[*?[]/.test(last) && KEY_NAMES.some(name => matchesWildcard(last.replace(/\[.*\]|\[.*/, '*'), name))
    )
  })
  const isPatch = words.some(word => /^(-p|-u|-U.*|--patch|--unified.*|-[LSG].*|--cc|-c)$/.test(word))
  const verb = words.find(word => !word.startsWith('-')) ?? ''
  const isContent =
    /^(diff|grep|stash|whatchanged|diff-\w+)$/.test(verb) ||
    (verb === 'show' && !words.some(word => word.includes(':'))) ||
    (isPatch && /^(log|reflog|rev-list)$/.test(verb))
  if (isPatch || isContent) if (pattern !== undefined) return `${SECRET}${pattern}.`
  const tracked =
    isContent && !words.some(word => /^--(stat|name-only|name-status|shortstat|numstat|no-patch)$/.test(word))
      ? trackedSecret(folder)
      : undefined
  return tracked === undefined
    ? undefined
    : `The repository tracks a file that may hold keys or passwords: ${tracked}.`
}

/** Whether the search path leads into the chat's folder, as for `npm run`, to a program of this name. */
const isShadowed = (name: string, root: string) =>
  (process.env['PATH'] ?? '')
    .split(':')
    .some(
      each =>
        !isAbsolute(each) ||
        (isWithin(root, realOf(each)) && lstatSync(join(each, name), { throwIfNoEntry: false })),
    )

/**
 * Whether a command may refer to a path outside the folder of its chat, by its words alone. When in doubt the
 * answer is yes, and an *allow* rule then does not count.
 */
export function mayLeaveFolder(
  { folder, workspace = folder, inWorkspace }: Intent,
  commands: readonly Invocation[],
): boolean {
  const isOutside = (path: string) => path !== '/dev/null' && !isWithin(workspace, path)
  return (
    !inWorkspace ||
    commands.some(({ program, args, redirects, folder: at }) => {
      const words = [...(program ? [program] : []), ...args, ...redirects.map(({ target }) => target)]
      if (isOutside(at) || !words.every(word => word.literal || word.glob)) return true
      const texts = words.flatMap(({ text }) => [text, text.replace(/^[^=]*=/, ''), text.replace(/^-\w/, '')])
      return texts.some(text => /^\/|(^|\/)\.\.(\/|$)/.test(text) && isOutside(posix.resolve(at, text)))
    })
  )
}

class TooMany extends Error {
  override readonly name = 'TooMany'
}

/** The path that the system opens: links are followed before `..`. A missing part counts as a plain name. */
function physicalPath(folder: string, given: string): string {
  let at = isAbsolute(given) ? '/' : folder
  for (const part of given.split('/')) {
    if (part === '' || part === '.') continue
    at = part === '..' ? dirname(at) : realOf(join(at, part))
  }
  return at
}

/** The path with links followed, even a dangling one; the path itself if nothing exists there. */
function realOf(path: string, links = 0): string {
  try {
    return realpathSync(path)
  } catch {
    const target = linkAt(path)
    if (target === undefined)
      return dirname(path) === path
        ? path
        : join(realOf(dirname(path), links), path.slice(dirname(path).length).replace(/^\//, ''))
    // A circular link leads nowhere, but is not known to stay inside either.
    return links >= MAX_LINKS
      ? '/'
      : realOf(isAbsolute(target) ? target : join(dirname(path), target), links + 1)
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

/** The paths that a wildcard matches, or more: a bracket counts as `*`. The pattern itself if none match. */
function expandGlob(pattern: string, folder: string, entriesOf: (folder: string) => string[]): string[] {
  const parts = pattern.split('/')
  let found = [pattern.startsWith('/') ? '/' : '']
  for (const part of parts.filter(each => each !== '')) {
    if (!/[*?[]/.test(part)) {
      found = found.map(each => `${each}${part}/`)
      continue
    }
    const simple = part.replace(/\[.*\]|\[.*/, '*')
    found = found.flatMap(each =>
      // `.*` also matches `.` and `..`.
      [
        ...(part.startsWith('.') ? ['.', '..'] : []),
        ...entriesOf(isAbsolute(each) ? each : join(folder, each)),
      ]
        .filter(name => (!name.startsWith('.') || /^[.[]/.test(part)) && matchesWildcard(simple, name))
        .map(name => `${each}${name}/`),
    )
  }
  return found.length === 0 ? [pattern] : found.map(each => each.replace(/\/$/, ''))
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
