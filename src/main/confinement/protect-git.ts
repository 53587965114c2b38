import { readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isWithin } from './profile.ts'
import { namesIn } from '../lib/expected-errors.ts'
import { statOf } from './obeyed/follow-links.ts'

/** Submodules have the same parts below `modules`, at most this deep and this many. */
const MODULES = { depth: 4, count: 100 }

/** The git folders of submodules that lie in the git folder of their repository. */
export function submodulesIn(git: string): string[] {
  const found: string[] = []
  const search = (folder: string, depth: number) => {
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      if (found.length >= MODULES.count || !statOf(path)?.isDirectory()) continue
      // A submodule is the folder with a HEAD; its name may consist of several folders.
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
 * The git folders of a chat in a subfolder of a repository, or in a linked worktree. A `.git` file may name any folder, so
 * only one that names this worktree in turn counts.
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

/** Whether git would take a folder for a repository, or for a linked worktree's part of one. */
export const isGitFolder = (path: string): boolean =>
  isGitFolderOf(name => statOf(join(path, name)) !== undefined)

/** The same for a folder whose names are known. */
export const isGitFolderOf = (has: (name: string) => boolean): boolean =>
  has('HEAD') && ((has('objects') && has('refs')) || has('commondir'))

/** Where a `.git` file leads, without trusting its text; undefined if it is something else, as a link to a folder. */
export function readGitFile(file: string): string | undefined {
  const target = /^gitdir: ([^]+?)[\r\n]*$/.exec(readSmall(file))?.[1]
  return target === undefined ? undefined : resolve(dirname(file), target)
}

/** Git folders inside a folder to which files and links named `.git` in it lead, with links resolved. */
export function linkedInside(folder: string, gitFiles: readonly string[]): string[] {
  const found = gitFiles.flatMap(file => {
    try {
      const path = realpathSync(readGitFile(file) ?? file)
      return isWithin(folder, path) && isGitFolder(path) ? [path] : []
    } catch {
      // It leads nowhere.
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
    // As much as git reads of it.
    if (!stats.isFile() || stats.size > 2 ** 20) return ''
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
