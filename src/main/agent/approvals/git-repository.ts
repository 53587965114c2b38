import { lstatSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { firstOddKey } from '../../confinement/obeyed/git/git-keys.ts'
import { findGitObeyed } from '../../confinement/obeyed/git/git-obeyed.ts'
import { readIndex, type TrackedFile } from './git-index.ts'
import { namesIn } from '../../lib/expected-errors.ts'

const MAX_SUBMODULES = 40

/** Hooks that no reading verb runs. */
const OTHER_HOOKS =
  /^(applypatch-msg|pre-applypatch|post-applypatch|pre-commit|pre-merge-commit|prepare-commit-msg|commit-msg|post-commit|pre-rebase|post-checkout|post-merge|pre-push|pre-receive|update|post-receive|post-update|push-to-checkout|pre-auto-gc|post-rewrite|sendemail-validate|fsmonitor-watchman|_|.*\.sample|.*\.md)$/

/**
 * Why git must ask in a folder without confinement; undefined if its repository starts no program. The user's
 * own configuration, outside the repository, is trusted: tools cannot write it unasked.
 */
export function whyGitMustAsk(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git')
    const stats = lstatSync(git, { throwIfNoEntry: false })
    const reason = stats ? judgeGitFolder(git, at, { left: MAX_SUBMODULES }) : undefined
    if (reason !== undefined) return reason
    if (isBareRepository(at))
      return 'The folder is a git repository itself, whose configuration may start programs.'
    if (stats && isRepository(git)) return judgeOwnConfiguration(at)
    if (dirname(at) === at) return undefined
  }
}

/** Why the user's own configuration is unsafe here: a hook or file that it names is in the repository. */
function judgeOwnConfiguration(worktree: string): string | undefined {
  const { existing } = findGitObeyed(
    { repositories: [], gitFiles: [], outerGit: [] },
    { written: [worktree] },
  )
  const named = existing.find(path => !relative(worktree, path).split(sep).includes('.git'))
  return named && `Your own git configuration obeys what lies here: ${relative(worktree, named)}.`
}

/** A tracked file with keys. A command that shows contents may show it, even if it is masked on disk. */
export function trackedSecret(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git')
    if (lstatSync(git, { throwIfNoEntry: false }))
      return readIndex(join(gitFolderOf(git, at) ?? git, 'index'))?.secret
    if (dirname(at) === at) return undefined
  }
}

/** The repository of a folder, reduced to what commands of git are judged by. */
export type NearestRepository = {
  /** The root of the working tree. */
  root: string
  /** The tracked obeyed files; undefined if the index cannot be read here. */
  tracked: readonly TrackedFile[] | undefined
  hasBranch(name: string): boolean
  /** Whether a name such as `origin/main` is a branch of another repository, as of the last fetch. */
  hasRemoteBranch(name: string): boolean
  remotes: readonly string[]
}

/** Find the repository of a folder; undefined if there is none. */
export function nearestRepository(folder: string): NearestRepository | undefined {
  for (let root = folder; ; root = dirname(root)) {
    const git = join(root, '.git')
    if (lstatSync(git, { throwIfNoEntry: false })) {
      const own = gitFolderOf(git, root) ?? git
      const common = resolve(own, readSmall(join(own, 'commondir'))?.trim() ?? '.')
      const packed = readSmall(join(common, 'packed-refs')) ?? ''
      const hasRef = (ref: string) =>
        lstatSync(join(common, 'refs', ref), { throwIfNoEntry: false })?.isFile() ||
        packed.includes(` refs/${ref}\n`)
      const inPacked = Array.from(packed.matchAll(/ refs\/remotes\/([^/\n]+)\//g), ([, name]) => name!)
      return {
        root,
        tracked: readIndex(join(own, 'index'))?.obeyed,
        hasBranch: name => hasRef(`heads/${name}`),
        hasRemoteBranch: name => hasRef(`remotes/${name}`),
        remotes: [...new Set([...namesIn(join(common, 'refs', 'remotes')), ...inPacked])],
      }
    }
    if (dirname(root) === root) return undefined
  }
}

/** The folder that `.git` is or names; undefined if the file names none. */
function gitFolderOf(git: string, worktree: string): string | undefined {
  const pointer = readSmall(git)
  const named = pointer === undefined ? git : /^gitdir: (.+?)\s*$/.exec(pointer)?.[1]
  return named === undefined ? undefined : resolve(worktree, named)
}

const PARTS = ['HEAD', 'objects', 'refs']
const has = (folder: string, name: string) =>
  lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined
const isRepository = (path: string) => readSmall(path) !== undefined || PARTS.every(name => has(path, name))
const isBareRepository = (path: string) =>
  PARTS.every(name => has(path, name)) || (has(path, 'HEAD') && has(path, 'commondir'))

/** Judge a `.git` folder, or the folder that a `.git` file names, with the submodules of the worktree. */
function judgeGitFolder(git: string, worktree: string, submodules: { left: number }): string | undefined {
  const own = gitFolderOf(git, worktree)
  if (own === undefined) return ODD
  const common = readSmall(join(own, 'commondir'))
  const folders = common === undefined ? [own] : [own, resolve(own, common.trim())]
  for (const folder of folders) {
    const isOwnWorktree = (value: string) => resolve(folder, value) === worktree
    const reason =
      judgeConfig(join(folder, 'config'), isOwnWorktree) ??
      judgeConfig(join(folder, 'config.worktree'), isOwnWorktree) ??
      judgeHooks(join(folder, 'hooks'))
    if (reason !== undefined) return reason
  }
  const index = readIndex(join(own, 'index'))
  if (index === undefined) return 'The index of the repository cannot be read here.'
  for (const path of index.submodules) {
    const inner = join(worktree, path, '.git')
    if (!lstatSync(inner, { throwIfNoEntry: false })) continue
    if (--submodules.left < 0) return 'The repository has too many submodules to check.'
    const reason = judgeGitFolder(inner, join(worktree, path), submodules)
    if (reason !== undefined) return reason
  }
  return judgeModules(join(own, 'modules'), worktree, 0)
}

/** Judge the configurations of submodules, whether or not the index names them. */
function judgeModules(folder: string, worktree: string, depth: number): string | undefined {
  for (const name of namesIn(folder)) {
    const inner = join(folder, name)
    if (depth > 6) return ODD
    const below = has(inner, 'config') ? join(inner, 'modules') : inner
    const reason =
      judgeConfig(join(inner, 'config'), value => resolve(inner, value).startsWith(`${worktree}/`)) ??
      judgeModules(below, worktree, depth + 1)
    if (reason !== undefined) return reason
  }
  return undefined
}

const ODD = 'The git folder is not as git makes it.'

function judgeHooks(folder: string): string | undefined {
  const hook = namesIn(folder).find(name => !OTHER_HOOKS.test(name))
  return hook === undefined ? undefined : `The repository has a hook that reading may run: ${hook}.`
}

/** `isOwn`: whether a `core.worktree` is the one that belongs to this configuration, as in submodules. */
function judgeConfig(path: string, isOwn: (worktree: string) => boolean): string | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined
  const text = readSmall(path)
  if (text === undefined) return ODD
  const odd = firstOddKey(text, isOwn)
  return odd === undefined
    ? undefined
    : `The configuration of this git repository may start programs: ${odd}.`
}

/** The text of a file of normal size; undefined for everything else. */
function readSmall(path: string): string | undefined {
  try {
    const stats = lstatSync(path)
    if (!stats.isFile() && !stats.isSymbolicLink()) return undefined
    const text = readFileSync(path, 'utf8')
    return text.length > 1_000_000 ? undefined : text
  } catch {
    return undefined
  }
}
