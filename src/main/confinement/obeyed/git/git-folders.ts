import { basename, dirname, join, resolve } from 'node:path'
import type { FolderFacts } from '../../profile.ts'
import { isGitFolder, readGitFile, submodulesIn } from '../../protect-git.ts'
import { followLinks, statOf } from '../follow-links.ts'
import { readSettings, readTextOf } from '../read-cached.ts'
import { nameOfSetting } from './read-git-config.ts'
import { allNamesIn } from '../list-closed-folder.ts'

/** A folder with a git configuration: a repository, or its part for a submodule or a linked worktree. */
export type GitFolder = {
  path: string
  /** The folders where git starts its programs, to which relative paths refer. */
  roots: ReadonlySet<string>
}

/** Maximum number of worktrees of one repository, and of folders above the chat's. */
const MAX_WORKTREES = 200

/**
 * Collect all git folders that matter for a folder: those inside, those that `.git` files and links in it or
 * above it lead to, and those that these share and contain. Their statements are not trusted: naming a wrong
 * folder only adds a folder to look at.
 */
export function collectGitFolders(
  facts: Pick<FolderFacts, 'repositories' | 'gitFiles' | 'outerGit'>,
  written: readonly string[],
): GitFolder[] {
  const all = new Map<string, Set<string>>()
  const add = (path: string, roots: Iterable<string>) => {
    const known = all.get(path)
    const fresh = [...roots].filter(root => !known?.has(root))
    if (known && fresh.length === 0) return
    all.set(path, new Set([...(known ?? []), ...fresh]))
    const common = lineOf(join(path, 'commondir'))
    if (common !== '') add(resolve(path, common), fresh)
    if (known) return
    for (const setting of readSettings(join(path, 'config')) ?? [])
      if (nameOfSetting(setting) === 'core.worktree') add(path, [resolve(path, setting.value)])
    for (const inner of submodulesIn(path)) add(inner, [])
    for (const name of allNamesIn(join(path, 'worktrees')).slice(0, MAX_WORKTREES)) {
      const inner = join(path, 'worktrees', name)
      const file = lineOf(join(inner, 'gitdir'))
      add(inner, file === '' ? [] : [dirname(resolve(inner, file))])
    }
  }
  const addPlace = (file: string) => add(readGitFile(file) ?? followLinks(file).end, [dirname(file)])
  // The repositories around the chat come first, so that many others cannot push them past a limit.
  for (const file of written.flatMap(gitAbove)) addPlace(file)
  for (const bare of written.flatMap(bareAbove)) add(bare, [bare])
  for (const file of facts.gitFiles) addPlace(file)
  for (const git of [...facts.repositories, ...facts.outerGit])
    add(git, [basename(git) === '.git' ? dirname(git) : git])
  return [...all].map(([path, roots]) => ({ path, roots }))
}

/** A folder and its parents, the innermost first. */
function withParents(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...withParents(parent)]
}

/** The paths named `.git` in a folder and above it, whether or not they belong to this folder. */
export const gitAbove = (folder: string): string[] =>
  withParents(folder)
    .map(at => join(at, '.git'))
    .filter(path => statOf(path) !== undefined)

/** Bare repositories that are or contain this folder. */
export const bareAbove = (folder: string): string[] => withParents(folder).filter(isGitFolder)

/** The text of a file that holds one path; empty if there is none. */
const lineOf = (file: string) => (readTextOf(file) ?? '').replace(/(?<![\r\n])[\r\n]+$/, '')
