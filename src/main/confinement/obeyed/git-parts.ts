import { lstatSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { namesIn } from '../../lib/expected-errors.ts'
import { isWithin, type FolderFacts } from '../profile.ts'
import { protectedParts, readGitFile } from '../protect-git.ts'
import { isObeyedByGit } from './obeyed-names.ts'

/** Files of git folders that are looked at, at most, and how deep. */
const MOST = { files: 5_000, depth: 8 }

/** The files and links of the git folders in and around a folder that git obeys, and the `.git` files that lead to others. */
export function gitFilesObeyed(facts: FolderFacts): string[] {
  const found: string[] = [...facts.gitFiles]
  const walk = (git: string, folder: string, depth: number) => {
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (!stats || found.length >= MOST.files) continue
      // Of its objects nothing is listed but what names other folders.
      if (basename(folder) === 'objects' && name !== 'info') continue
      const inGit = relative(git, path).replaceAll(sep, '/')
      const isObeyed = isObeyedByGit(inGit)
      if (!stats.isDirectory()) {
        if (isObeyed) found.push(path)
      } else if (depth < MOST.depth && (isObeyed || HOLDS_OBEYED.test(inGit))) walk(git, path, depth + 1)
    }
  }
  for (const git of new Set([...facts.repositories, ...facts.outerGit])) walk(git, git, 0)
  return found
}

/** Folders in which something is obeyed, though they themselves are not: other git folders, and where `alternates` lies. */
const HOLDS_OBEYED = /^(worktrees(\/[^/]+)?|modules|objects(\/info)?)$/

/** The paths of git folders that a command without rights cannot write, because something lies over them. */
export const gitPathsHeld = (facts: FolderFacts): string[] => protectedParts(facts.repositories)

/** Whether a change of a file that git obeys makes it run nothing. `written`: the folders that the command may write to. */
export function isHarmlessGitFile(
  path: string,
  before: string | undefined,
  after: string | undefined,
  { written }: { known: readonly string[]; written: readonly string[] },
): boolean {
  if (before !== undefined || after === undefined) return before === after
  const root = written[0]!
  if (basename(path) === '.git') return leadsInside(path, root)
  const at = path.lastIndexOf(`${sep}.git${sep}`)
  if (at < 0) return false
  const inGit = path.slice(at + 6).replaceAll(sep, '/')
  if (/(^|\/)hooks\/[\w.-]+\.sample$|(^|\/)info\/(exclude|sparse-checkout|refs|grafts)$/.test(inGit))
    return true
  if (/(^|\/)config$/.test(inGit)) return isHarmlessConfig(path)
  // What `git worktree add` writes.
  if (/^worktrees\/[^/]+\/commondir$/.test(inGit)) return readSmall(path).trim() === '../..'
  if (/^worktrees\/[^/]+\/gitdir$/.test(inGit)) {
    const target = resolve(dirname(path), readSmall(path).trim())
    return basename(target) === '.git' && isWithin(root, target)
  }
  return false
}

/** A `.git` file may stay if it leads to a worktree or submodule of a repository in the folder. */
function leadsInside(path: string, root: string): boolean {
  const target = readGitFile(path)
  return target !== undefined && isWithin(root, target) && /\/\.git\/(worktrees|modules)\/[^/]+/.test(target)
}

/** Keys of a new repository that say nothing about programs. */
const HARMLESS_KEYS =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)|extensions\.(objectformat|refstorage)|remote\..+\.(url|fetch|tagopt)|branch\..+\.(remote|merge|rebase)|user\.(name|email)|init\.defaultbranch|submodule\..+\.(url|active)|pull\.(rebase|ff)|push\.default)$/

function isHarmlessConfig(path: string): boolean {
  let section = ''
  for (const line of readSmall(path).split(/\r?\n/)) {
    const text = line.trim()
    if (text === '' || /^[#;]/.test(text)) continue
    const header = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]$/.exec(text)
    if (header) {
      section = header[2] === undefined ? header[1]! : `${header[1]!}.${header[2]}`
      continue
    }
    const [, key, value = ''] = /^([\w-]+)\s*(?:=\s*(.*))?$/.exec(text) ?? []
    if (key === undefined || value.endsWith('\\') || /^["']?(ext|fd)::/i.test(value)) return false
    if (!HARMLESS_KEYS.test(`${section.toLowerCase()}.${key.toLowerCase()}`)) return false
  }
  return true
}

function readSmall(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile() || stats.size > 50_000) return '\0'
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '\0'
  }
}
