import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isWithin } from './profile.ts'
import { namesIn } from '../lib/expected-errors.ts'
import { statOf } from './obeyed/follow-links.ts'

/** Maximum depth and number of submodules below `modules`, which have the same parts as a git folder. */
const MODULES = { depth: 4, count: 100 }

/** The git folders of submodules inside the git folder of their repository. */
export function submodulesIn(git: string): string[] {
  const found: string[] = []
  const search = (folder: string, depth: number) => {
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      if (found.length >= MODULES.count || !statOf(path)?.isDirectory()) continue
      // A folder with a HEAD is a submodule; its name may span several folders.
      if (statOf(join(path, 'HEAD'))) {
        found.push(path)
        search(join(path, 'modules'), depth + 1)
      } else if (depth < MODULES.depth) search(path, depth + 1)
    }
  }
  search(join(git, 'modules'), 0)
  return found
}

/**
 * Find the git folders of a chat in a subfolder of a repository, or in a linked worktree. A `.git` file may
 * name any folder, so it counts only if that folder names this worktree in turn.
 */
export function findOuterGit(folder: string): string[] {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git')
    const stats = statOf(git)
    if (stats?.isDirectory()) return at !== folder && isGitFolder(git) ? [git] : []
    if (stats?.isFile()) return linkedGit(git)
    if (dirname(at) === at) return []
  }
}

/** Whether git would take a folder for a repository, or for its part of a linked worktree. */
export const isGitFolder = (path: string): boolean =>
  isGitFolderOf(name => statOf(join(path, name)) !== undefined)

/** The same check for a folder whose names are known. */
export const isGitFolderOf = (has: (name: string) => boolean): boolean =>
  has('HEAD') && ((has('objects') && has('refs')) || has('commondir'))

/** Return the target of a `.git` file, without trusting its text; undefined for other files and links. */
export function readGitFile(file: string): string | undefined {
  const target = /^gitdir: ([^]+?)[\r\n]*$/.exec(readSmall(file))?.[1]
  return target === undefined ? undefined : resolve(dirname(file), target)
}

/** The git folders inside a folder that its `.git` files and links lead to, with links resolved. */
export function linkedInside(folder: string, gitFiles: readonly string[]): string[] {
  const found = gitFiles.flatMap(file => {
    try {
      const path = realpathSync(readGitFile(file) ?? file)
      return isWithin(folder, path) && isGitFolder(path) ? [path] : []
    } catch {
      // The link is broken.
      return []
    }
  })
  return [...new Set(found)]
}

function linkedGit(file: string): string[] {
  const own = readGitFile(file)
  if (own === undefined) return []
  const common = dirname(dirname(own))
  const isLinked =
    basename(dirname(own)) === 'worktrees' &&
    resolve(own, readSmall(join(own, 'gitdir')).trim()) === file &&
    isGitFolder(common)
  return isLinked ? [common] : []
}

function readSmall(path: string): string {
  try {
    const stats = statSync(path)
    // The same limit as in git.
    if (!stats.isFile() || stats.size > 2 ** 20) return ''
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
