import { basename, dirname, join, resolve } from 'node:path'
import type { FolderFacts } from '../../profile.ts'
import { isGitFolder, readGitFile, submodulesIn } from '../../protect-git.ts'
import { followLinks, statOf } from '../follow-links.ts'
import { readSettings, readTextOf } from '../read-cached.ts'
import { nameOfSetting } from './read-git-config.ts'
import { allNamesIn } from '../list-closed-folder.ts'

/** A folder with a configuration of git: a repository, a submodule's or a linked worktree's part of one, a bare one. */
export type GitFolder = {
  path: string
  /** Where git starts its programs, so that relative paths begin there. */
  roots: ReadonlySet<string>
}

/** Worktrees of one repository at most, and folders above the chat's. */
const MAX_WORKTREES = 200

/**
 * All git folders that count in a folder: those in it, those that `.git` files and links in it or above it lead to, what they
 * share and hold. Nothing that they say is believed: a folder that is named wrongly is only looked at.
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
  // What is around the chat comes first, so that many others cannot push it beyond a limit.
  for (const file of written.flatMap(gitAbove)) addPlace(file)
  for (const bare of written.flatMap(bareAbove)) add(bare, [bare])
  for (const file of facts.gitFiles) addPlace(file)
  for (const git of [...facts.repositories, ...facts.outerGit])
    add(git, [basename(git) === '.git' ? dirname(git) : git])
  return [...all].map(([path, roots]) => ({ path, roots }))
}

/** A folder and those above it, the innermost first. */
function withParents(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...withParents(parent)]
}

/** What is named `.git` in a folder and above it, whether or not it belongs to this folder. */
export const gitAbove = (folder: string): string[] =>
  withParents(folder)
    .map(at => join(at, '.git'))
    .filter(path => statOf(path) !== undefined)

/** Bare repositories that a folder is or lies in. */
export const bareAbove = (folder: string): string[] => withParents(folder).filter(isGitFolder)

/** The text of a file that holds one path; empty if there is none. */
const lineOf = (file: string) => (readTextOf(file) ?? '').replace(/(?<![\r\n])[\r\n]+$/, '')
