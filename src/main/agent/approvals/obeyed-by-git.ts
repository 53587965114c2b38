import { lstatSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { obeyedByName } from '../../confinement/obeyed/obeyed-names.ts'
import { isWithin } from '../../confinement/profile.ts'
import type { Invocation } from '../../shell-safety/shell-types.ts'
import type { TrackedFile } from './git-index.ts'
import { nearestRepository, type NearestRepository } from './git-repository.ts'
import { leadsOutside } from './obeyed-paths.ts'
import { findVerbRows } from './obeyed-verbs.ts'

/** An obeyed file, with its path in the folder of the chat and the programs that obey it. */
export type ObeyedFile = { path: string; by: string }

type Found = { may: 'git' | 'all'; files: readonly ObeyedFile[]; why: readonly string[] }

/** Options of git itself whose value is the next word. */
const VALUED = /^(-c|-C|--git-dir|--work-tree|--namespace|--exec-path|--config-env|--super-prefix)$/

/** The obeyed files that a git command, or another one that changes tracked files, may write. */
export function needOfGit(command: Invocation, workspace: string): Found[] {
  const { folder, words } = readVerb(command)
  const repository = nearestRepository(folder)
  const found: Found[] = []
  for (const { need, why } of findVerbRows(command.name, words)) {
    if (need === 'git') found.push({ may: 'git', files: [], why: [why] })
    else if (need === 'all') {
      if (!leadsOutside(command, workspace)) found.push({ may: 'all', files: [], why: [why] })
    } else if (repository) {
      if (!repository.tracked) {
        found.push({ may: 'all', files: [], why: ['the index of the repository cannot be read here'] })
        continue
      }
      const paths = pathsOf(words, folder, repository)
      const onlyChanged = need === 'changed' || (words[0] === 'checkout' && paths?.fromIndex === true)
      const files = repository.tracked
        .filter(file => !onlyChanged || isChanged(repository.root, file))
        .map(({ path }) => join(repository.root, path))
        .filter(path => !paths || paths.list.some(each => isWithin(each, path)))
        .flatMap(path => obeyedIn(workspace, path))
      if (files.length > 0) found.push({ may: 'all', files, why: [why] })
    }
  }
  const tracks = command.name === 'git' && repository && tracksBranch(words, repository)
  if (tracks) found.push({ may: 'git', files: [], why: ['the new branch follows one of another repository'] })
  return found
}

/** The words from the verb on, and the folder that git works in. */
function readVerb({ name, args, folder }: Invocation): { folder: string; words: string[] } {
  const words = args.map(({ text }) => text)
  if (name !== 'git') return { folder, words }
  let at = 0
  let here = folder
  while (words[at]?.startsWith('-')) {
    const option = words[at]!
    if (option === '-C') here = posix.resolve(here, words[at + 1] ?? '')
    at += VALUED.test(option) ? 2 : 1
  }
  return { folder: here, words: words.slice(at) }
}

function obeyedIn(workspace: string, path: string): ObeyedFile[] {
  if (!isWithin(workspace, path)) return []
  const name = relative(workspace, path)
  const obeyed = obeyedByName(name)
  return obeyed?.tier === 1 ? [{ path: name, by: obeyed.by }] : []
}

/** Whether a file differs from the index, judged by the size and time stored there. */
function isChanged(root: string, { path, size, modified }: TrackedFile): boolean {
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false })
  return stats?.size !== size || Math.floor(stats.mtimeMs / 1_000) !== modified
}

/**
 * The paths to which `checkout` or `restore` is limited; undefined for everything. `fromIndex`: the files
 * come from the index, so only changed files are affected.
 */
function pathsOf(
  [verb, ...words]: readonly string[],
  folder: string,
  { hasBranch, hasRemoteBranch }: NearestRepository,
): { list: string[]; fromIndex: boolean } | undefined {
  if (verb !== 'checkout' && verb !== 'restore') return undefined
  const end = words.indexOf('--')
  const before = (end < 0 ? words : words.slice(0, end)).filter(word => !word.startsWith('-'))
  const isPath = (word: string) =>
    !hasBranch(word) &&
    !hasRemoteBranch(word) &&
    lstatSync(posix.resolve(folder, word), { throwIfNoEntry: false }) !== undefined
  const states = verb === 'restore' ? [] : before.filter(word => !isPath(word))
  const paths = [...before.filter(word => !states.includes(word)), ...(end < 0 ? [] : words.slice(end + 1))]
  // Patterns and lists of paths may mean anything.
  if (paths.length === 0 || words.some(word => /[*?[:\uE000-\uE008]|^--pathspec/.test(word))) return undefined
  return { list: paths.map(path => posix.resolve(folder, path)), fromIndex: states.length === 0 }
}

/** Whether the command would create a branch that tracks a remote one, which writes configuration. */
function tracksBranch(words: readonly string[], repository: NearestRepository): boolean {
  const [verb = '', ...rest] = words
  if (!/^(checkout|switch|branch)$/.test(verb) || rest.includes('--no-track')) return false
  const operands = rest.filter(word => !word.startsWith('-'))
  if (operands.slice(1).some(word => repository.hasRemoteBranch(word))) return true
  // `git switch topic` creates the branch from the only `origin/topic`.
  const [name = ''] = operands
  const isNew =
    verb !== 'branch' &&
    operands.length === 1 &&
    !rest.some(word => /^-(b|B|c|C|-create|-orphan)$/.test(word))
  return (
    isNew &&
    !repository.hasBranch(name) &&
    repository.remotes.some(remote => repository.hasRemoteBranch(`${remote}/${name}`))
  )
}
