import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isWithin, type FolderFacts } from './profile.ts'
import { collectGitFolders } from './obeyed/git/git-folders.ts'
import { includesOf } from './obeyed/git/git-includes.ts'
import { isGitFolder } from './protect-git.ts'
import { readSettings } from './obeyed/read-cached.ts'
import { splitSection } from './obeyed/git/read-git-config.ts'

const KINDS = ['filter', 'diff', 'merge', 'hook', 'submodule', 'man', 'browser'] as const
type Kind = (typeof KINDS)[number]
const isKind = (text: string): text is Kind => KINDS.some(kind => kind === text)

/** Names of the sections in git configurations that can start programs, by kind of section. */
export type GitPrograms = Record<Kind, string[]> & {
  /** Whether any section sets a key of this name. */
  has: Record<'external' | 'command' | 'textconv', boolean>
}

/** Maximum number of configuration files read for one command, and of names overridden. */
const MAX_FILES = 300
const MAX_NAMES = 300

/**
 * Find the programs named by the repositories around a command: in their configurations, in included files,
 * and in `.gitmodules`. Finds too many rather than too few. Undefined if there are more than can be
 * overridden.
 */
export function findGitPrograms(
  folder: string,
  cwd: string,
  facts: FolderFacts,
  userHome: string = homedir(),
): GitPrograms | undefined {
  const found = ofEachKind(() => new Set<string>())
  const has = { external: false, command: false, textconv: false }
  const seen = new Set<string>()
  const waiting = configurationsOf(folder, cwd, facts)
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const settings = seen.size > MAX_FILES ? undefined : readSettings(file)
    if (settings === undefined) return undefined
    for (const { section, key } of settings) {
      const { kind, name } = splitSection(section)
      if (name !== undefined && isKind(kind)) found[kind].add(name)
      has.external ||= key === 'external'
      has.command ||= key === 'command'
      has.textconv ||= key === 'textconv'
    }
    waiting.push(...includesOf(file, settings, userHome))
  }
  if (KINDS.reduce((sum, kind) => sum + found[kind].size, 0) > MAX_NAMES) return undefined
  return { ...ofEachKind(kind => [...found[kind]]), has }
}

const ofEachKind = <T>(make: (kind: Kind) => T) =>
  Object.fromEntries(KINDS.map(kind => [kind, make(kind)])) as Record<Kind, T>

function configurationsOf(folder: string, cwd: string, facts: FolderFacts): string[] {
  const here = bareAround(folder, cwd)
  const all = collectGitFolders({ ...facts, repositories: [...facts.repositories, ...here] }, [folder])
  return [
    ...all.flatMap(({ path }) => [join(path, 'config'), join(path, 'config.worktree')]),
    ...[...facts.repositories, ...facts.gitFiles].map(each => join(dirname(each), '.gitmodules')),
  ]
}

/** The repositories at and above the command's starting folder, within the chat's, even if not searched. */
function bareAround(folder: string, cwd: string): string[] {
  const found: string[] = []
  for (let at = cwd; isWithin(folder, at); at = dirname(at)) {
    found.push(...[at, join(at, '.git')].filter(isGitFolder))
    if (at === dirname(at)) break
  }
  return found
}
