import { existsSync, readdirSync, readFileSync, statSync, type Dirent } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { fileErrorCode } from '../lib/expected-errors.ts'

export type Entry = { path: string; kind: 'file' | 'folder' | 'link' }
export type WalkOptions = {
  /** Levels to walk; 1 is the folder's own entries. */
  depth: number
  /** Whether to include names that begin with a dot. */
  hidden: boolean
  onIgnored?(path: string): void
}

/** Skipped folders: they hold many files that are rarely searched for. */
const NEVER_ENTERED = new Set(['.hg', '.svn', 'node_modules'])
const MOST_IGNORE_BYTES = 1_000_000

type Rules = { folder: string; rules: Ignore }

/**
 * The entries of a folder and its subfolders, folders first and by name, without entries that `.gitignore`
 * excludes. Links are listed but not followed; unreadable folders count as empty.
 */
export function* walkFolder(folder: string, options: WalkOptions): Generator<Entry> {
  yield* inside(folder, rulesAbove(folder), 1, options)
}

function* inside(
  folder: string,
  above: readonly Rules[],
  depth: number,
  options: WalkOptions,
): Generator<Entry> {
  const rules = [...above, ...rulesOf(folder)]
  for (const each of entriesOf(folder)) {
    const path = join(folder, each.name)
    if (each.name === '.git' || (each.name.startsWith('.') && !options.hidden)) continue
    if (isIgnored(path, each.isDirectory(), rules)) {
      options.onIgnored?.(path)
      continue
    }
    if (each.isSymbolicLink()) yield { path, kind: 'link' }
    else if (each.isFile()) yield { path, kind: 'file' }
    else if (each.isDirectory()) {
      yield { path, kind: 'folder' }
      const enter = depth < options.depth && !NEVER_ENTERED.has(each.name)
      if (enter) yield* inside(path, rules, depth + 1, options)
    }
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted(
      (a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1),
    )
  } catch (error) {
    fileErrorCode(error)
    return []
  }
}

/** The `.gitignore` rules of parent folders up to the root of the repository; empty outside a repository. */
function rulesAbove(folder: string): Rules[] {
  const folders: string[] = []
  for (let at = folder; !existsSync(join(at, '.git')); at = dirname(at)) {
    if (dirname(at) === at) return []
    folders.unshift(dirname(at))
  }
  return folders.flatMap(rulesOf)
}

function rulesOf(folder: string): Rules[] {
  const path = join(folder, '.gitignore')
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > MOST_IGNORE_BYTES) return []
    return [{ folder, rules: ignore().add(readFileSync(path, 'utf8')) }]
  } catch (error) {
    fileErrorCode(error)
    return []
  }
}

/** The `.gitignore` nearest to the path decides, as in git. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { folder, rules: each } of rules.toReversed()) {
    const { ignored, unignored } = each.test(withSlashes(relative(folder, path)) + (isFolder ? '/' : ''))
    if (ignored || unignored) return ignored
  }
  return false
}

/** A path with forward slashes on every system. */
export const withSlashes = (path: string): string => path.split(sep).join('/')
