import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isGitFolder, readGitFile, submodulesIn } from './protect-git.ts'
import { isWithin, type FolderFacts } from './profile.ts'

const KINDS = ['filter', 'diff', 'merge', 'hook', 'submodule'] as const
type Kind = (typeof KINDS)[number]

/** Names of the sections in git configurations that can start programs, by kind of section. */
export type GitPrograms = Record<Kind, string[]> & {
  /** Whether the word occurs in a configuration, as a setting or as anything else. */
  has: Record<'external' | 'command' | 'textconv', boolean>
}

/** Configuration files that are read for one command at most, and names that are overridden at most. */
const MAX_FILES = 300
const MAX_NAMES = 300
/** Larger configurations are not written by git or by people. */
const MAX_BYTES = 1_000_000

/**
 * The programs that repositories around a command name: in their configurations, with everything that these include, and
 * in `.gitmodules`. It finds too much rather than too little. Undefined if there is more than can be overridden.
 */
export function findGitPrograms(folder: string, cwd: string, facts: FolderFacts): GitPrograms | undefined {
  const found = ofEachKind(() => new Set<string>())
  const has = { external: false, command: false, textconv: false }
  const seen = new Set<string>()
  const waiting = configurationsOf(folder, cwd, facts)
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const text = seen.size > MAX_FILES ? undefined : readConfiguration(file)
    if (text === undefined) return undefined
    for (const [kind, name] of sectionsIn(text)) found[kind].add(name)
    has.external ||= /\bexternal\b/i.test(text)
    has.command ||= /\bcommand\b/i.test(text)
    has.textconv ||= /\btextconv\b/i.test(text)
    waiting.push(...includedBy(file, text))
  }
  if (KINDS.reduce((sum, kind) => sum + found[kind].size, 0) > MAX_NAMES) return undefined
  return { ...ofEachKind(kind => [...found[kind]]), has }
}

const ofEachKind = <T>(make: (kind: Kind) => T) =>
  Object.fromEntries(KINDS.map(kind => [kind, make(kind)])) as Record<Kind, T>

function configurationsOf(folder: string, cwd: string, facts: FolderFacts): string[] {
  const linked = facts.gitFiles.map(file => readGitFile(file) ?? file)
  const git = [...facts.repositories, ...facts.outerGit, ...linked, ...bareAround(folder, cwd)]
  return [
    ...git
      .flatMap(each => [each, ...submodulesIn(each), ...commonFolder(each)])
      .flatMap(each => [join(each, 'config'), join(each, 'config.worktree')]),
    ...[...facts.repositories, ...facts.gitFiles].map(each => join(dirname(each), '.gitmodules')),
  ]
}

/** The folder whose configuration a linked worktree shares. */
function commonFolder(git: string): string[] {
  const text = (readConfiguration(join(git, 'commondir')) ?? '').trim()
  return text === '' ? [] : [resolve(git, text)]
}

/** Bare repositories that git before 2.38 would use: where the command starts and above, within the folder of the chat. */
function bareAround(folder: string, cwd: string): string[] {
  const found: string[] = []
  for (let at = cwd; isWithin(folder, at); at = dirname(at)) {
    if (isGitFolder(at)) found.push(at)
    if (at === dirname(at)) break
  }
  return found
}

/** The text of a configuration; empty if there is none, undefined if it is too large. */
function readConfiguration(file: string): string | undefined {
  try {
    const stats = statSync(file)
    // A device or a pipe could block.
    if (!stats.isFile()) return ''
    return stats.size > MAX_BYTES ? undefined : readFileSync(file, 'utf8')
  } catch {
    // The command cannot read what this process cannot read.
    return ''
  }
}

/** `[filter "name"]`, `[filter.name]` or both together; see git-config(1), “Syntax”. */
const SECTION = /\[(filter|diff|merge|hook|submodule)(?:\.([\w.-]+))?(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?\]/gi

function sectionsIn(text: string): [Kind, string][] {
  return [...text.matchAll(SECTION)].flatMap(([, kind = '', dotted, quoted]): [Kind, string][] => {
    const name = [dotted?.toLowerCase(), quoted?.replace(/\\(.)/g, '$1')].filter(part => part !== undefined)
    return name.length === 0 ? [] : [[kind.toLowerCase() as Kind, name.join('.')]]
  })
}

/** Files that `include.path` and `includeIf.*.path` name. Paths in the home folder lead nowhere, because it is empty. */
function includedBy(file: string, text: string): string[] {
  const joined = text.replace(/\\\r?\n/g, '')
  return [...joined.matchAll(/\bpath[ \t]*=[ \t]*(.+)$/gim)].flatMap(([, value = '']) => {
    const path = readValue(value)
    return path === '' || path.startsWith('~') ? [] : [resolve(dirname(file), path)]
  })
}

/** A value without quotes, escapes and comments. */
function readValue(text: string): string {
  let value = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (letter === '"') isQuoted = !isQuoted
    else if (letter === '\\') value += text.charAt(++at)
    else if (!isQuoted && (letter === ';' || letter === '#')) break
    else value += letter
  }
  return value.trim()
}
