import { existsSync, readdirSync, readFileSync, statSync, type Dirent } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { fileErrorCode } from '../lib/expected-errors.ts'

/** `name` is the path below the walked folder, with forward slashes. */
export type Entry = { path: string; name: string; kind: 'file' | 'folder' | 'link' }
/** Why a walk leaves something out, such as `ignored` by `.gitignore`. `deep`: it is below the last level. */
export type WalkReason = 'ignored' | 'hidden' | 'modules' | 'git' | 'deep' | 'unreadable'
export type WalkOptions = {
  /** How many levels to walk; 1 is the folder's own entries. */
  depth: number
  /** Whether to include names that begin with a dot. */
  hidden: boolean
  /** Whether the caller named an entry, so that it is included even if ignored, hidden or of modules. */
  isNamed?(name: string): boolean
  /** Whether to enter a folder; others are skipped without a report. */
  isWanted?(name: string): boolean
  onLeftOut?(name: string, reason: WalkReason, isFolder: boolean): void
}

/** Folders to skip, because they contain many files that are rarely searched for. */
const MODULES = new Set(['.hg', '.svn', 'node_modules'])
const MOST_IGNORE_BYTES = 1_000_000
/** Whether names are compared without case, like in the file system. */
const ignorecase = process.platform !== 'linux'

/** The rules of one `.gitignore`. Names become `above` plus what follows their first `cut` characters. */
type Rules = { rules: Ignore; above: string; cut: number; ignoresAll: boolean }
/** The settings that apply in a folder. */
type Setting = { rules: readonly Rules[]; hidden: boolean; modules: boolean }

/**
 * Walk a folder and its subfolders, folders first and by name, without entries that `.gitignore` excludes.
 * The folder itself is walked even if it is ignored. Links are listed but not followed. Unreadable folders
 * count as empty.
 */
export function* walkFolder(folder: string, options: WalkOptions): Generator<Entry> {
  const above = rulesAbove(folder)
  const setting: Setting = {
    rules: rulesWithin(isIgnored('', true, above) ? [] : above, rulesOf(folder), true),
    hidden: options.hidden || basename(folder).startsWith('.'),
    modules: folder.split(sep).some(name => MODULES.has(name)),
  }
  yield* inside(folder, '', 1, setting, options)
}

function* inside(
  folder: string,
  prefix: string,
  depth: number,
  setting: Setting,
  options: WalkOptions,
): Generator<Entry> {
  for (const each of entriesOf(folder, prefix, options)) {
    const path = join(folder, each.name)
    const name = prefix + each.name
    const isFolder = each.isDirectory()
    if (isFolder && options.isWanted?.(name) === false) continue
    if (each.name === '.git') {
      options.onLeftOut?.(name, 'git', isFolder)
      continue
    }
    const isNamed = options.isNamed?.(name) ?? false
    const isHidden = !setting.hidden && each.name.startsWith('.')
    const ignored = isIgnored(name, isFolder, setting.rules)
    if ((isHidden || ignored) && !isNamed) {
      options.onLeftOut?.(name, MODULES.has(each.name) ? 'modules' : ignored ? 'ignored' : 'hidden', isFolder)
      continue
    }
    if (each.isSymbolicLink()) yield { path, name, kind: 'link' }
    else if (each.isFile()) yield { path, name, kind: 'file' }
    else if (isFolder) {
      yield { path, name, kind: 'folder' }
      const isModules = MODULES.has(each.name)
      if (depth >= options.depth) options.onLeftOut?.(name, 'deep', true)
      else if (isModules && !setting.modules && !isNamed) options.onLeftOut?.(name, 'modules', true)
      else {
        const rules = rulesWithin(ignored ? [] : setting.rules, rulesOf(path, `${name}/`.length), isNamed)
        const within = { rules, hidden: setting.hidden || isHidden, modules: setting.modules || isModules }
        yield* inside(path, `${name}/`, depth + 1, within, options)
      }
    }
  }
}

/** The rules inside a folder; none if it was named and its own rules ignore everything. */
const rulesWithin = (above: readonly Rules[], own: readonly Rules[], isNamed: boolean): readonly Rules[] =>
  own.length === 0 ? above : isNamed && own.some(each => each.ignoresAll) ? [] : [...above, ...own]

function entriesOf(folder: string, prefix: string, { onLeftOut }: WalkOptions): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted(
      (a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1),
    )
  } catch (error) {
    // A folder that has just been removed is not unreadable.
    if (fileErrorCode(error) !== 'ENOENT') onLeftOut?.(prefix.slice(0, -1) || '.', 'unreadable', true)
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
  return folders.flatMap(each =>
    rulesOf(each).map(rules => ({ ...rules, above: `${withSlashes(relative(each, folder))}/` })),
  )
}

function rulesOf(folder: string, cut = 0): Rules[] {
  const path = join(folder, '.gitignore')
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > MOST_IGNORE_BYTES) return []
    const text = readFileSync(path, 'utf8')
    const ignoresAll = /^\/?\*{1,2}\s*$/m.test(text) && !/^!(?!\/?\.gitignore)/m.test(text)
    return [{ rules: ignore({ ignorecase }).add(text), above: '', cut, ignoresAll }]
  } catch (error) {
    fileErrorCode(error)
    return []
  }
}

/** Whether rules exclude a name. The nearest `.gitignore` decides, as in git. Empty: the walked folder. */
function isIgnored(name: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (let at = rules.length - 1; at >= 0; at -= 1) {
    const { rules: each, above, cut } = rules[at]!
    const path = name === '' ? above.slice(0, -1) : above + name.slice(cut)
    const { ignored, unignored } = each.test(path + (isFolder ? '/' : ''))
    if (ignored || unignored) return ignored
  }
  return false
}

/** Convert a path to forward slashes. */
export const withSlashes = (path: string): string => path.split(sep).join('/')
