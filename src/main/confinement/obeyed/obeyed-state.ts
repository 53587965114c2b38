import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  statSync,
  realpathSync,
  type BigIntStats,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { isWithin, type FolderFacts } from '../profile.ts'
import { sourcedByDirenv } from './direnv-sources.ts'
import { statOf } from './follow-links.ts'
import { findGitObeyed } from './git/git-obeyed.ts'
import { listGitFiles, partsToCover } from './git/git-files.ts'
import { obeyedByName, type Obeyed } from './obeyed-names.ts'
import { decidingParts, type Parts } from './deciding-parts.ts'
import { allNamesIn } from './list-closed-folder.ts'

/** An obeyed file or link at one moment. */
export type ObeyedEntry = Obeyed & {
  path: string
  /** Relative to the folder, with forward slashes; absolute if it is outside. */
  name: string
  kind: 'file' | 'link' | 'other'
  /** The identity of the file, how many names it has, and the ids of the folders that lead to it. */
  id: string
  links: number
  parents: string
  mode: number
  stamp: string
  /** When the file or its content last changed, in ms. */
  changedAt: number
  /** The parts that count; for a link, its target and the program there. */
  parts: Parts
  /** The target of a link, as written in it. */
  target?: string
  /** The bytes of a file that is small enough to be remembered. */
  content?: Uint8Array | undefined
}

/** The obeyed files of a folder, by path. */
export type ObeyedState = {
  root: string
  facts: FolderFacts
  /** Paths that git obeys: those that a confined command cannot write, and those that do not exist yet. */
  git: { held: string[]; missing: string[] }
  entries: ReadonlyMap<string, ObeyedEntry>
}

/** Maximum bytes to remember of one file, and of all files together. */
const MOST_BYTES = { file: 256 * 1024, all: 8 * 2 ** 20 }
/** Maximum number of files behind one link of tier 1. */
const MOST_LINKED = 200
/** A time stamp younger than this, in ms, may not change with the next write. */
const FRESH_MS = 50

/** Read the obeyed files in a folder. Files that are unchanged since `before` are not read again. */
export function readObeyed(
  facts: FolderFacts,
  root: string,
  before?: ObeyedState,
  userHome?: string,
): ObeyedState {
  const entries = new Map<string, ObeyedEntry>()
  const parents = parentIds(root)
  let bytes = 0
  const add = (path: string, obeyed: Obeyed | undefined) => {
    if (!obeyed || entries.has(path)) return
    const entry = readEntry(path, root, obeyed, before?.entries.get(path))
    if (!entry) return
    bytes += entry.content?.length ?? 0
    const isTooMuch = bytes > MOST_BYTES.all
    entries.set(path, { ...entry, parents: parents(path), ...(isTooMuch && { content: undefined }) })
  }
  const git = findGitObeyed(facts, { written: [root], ...(userHome !== undefined && { userHome }) })
  // A file that was obeyed still counts, even if git's configuration no longer names it.
  for (const { path, tier, by } of before?.entries.values() ?? []) add(path, { tier, by })
  const ofGit = listGitFiles(git)
  for (const { path, tier, by } of ofGit) if (tier === 1) add(path, { tier, by })
  for (const path of before?.git.missing ?? []) add(path, { tier: 1, by: 'git' })
  for (const path of sourcedByDirenv(root, facts.obeyedFiles)) add(path, { tier: 1, by: 'direnv' })
  for (const path of [...facts.obeyedFiles, ...facts.runFiles]) {
    // Judging a name takes longer than reading the file's stats, so do it only once.
    const obeyed = entries.get(path) ?? obeyedByPath(path, root)
    add(path, obeyed)
    if (obeyed?.tier === 1) for (const target of linkedFiles(path, root)) add(target, obeyed)
  }
  for (const { path, tier, by } of ofGit) if (tier === 2) add(path, { tier, by })
  return { root, facts, git: { held: partsToCover(git), missing: git.missing }, entries }
}

/** Return which program obeys a file, by its name. A name may also be that of a link to a folder. */
function obeyedByPath(path: string, root: string): Obeyed | undefined {
  const name = nameIn(root, path)
  return obeyedByName(name) ?? obeyedByName(`${name}/`)
}

/** The path to show: relative to the folder if it is inside. */
export const nameIn = (root: string, path: string): string =>
  isWithin(root, path) ? relative(root, path).replaceAll(sep, '/') : path

/** The files in the folder that a link of tier 1 leads to. */
function linkedFiles(path: string, root: string): string[] {
  if (!statOf(path)?.isSymbolicLink()) return []
  try {
    const found: string[] = []
    const walk = (at: string) => {
      if (found.length >= MOST_LINKED) return
      const stats = statOf(at)
      if (stats?.isDirectory()) for (const name of allNamesIn(at)) walk(join(at, name))
      else if (stats) found.push(at)
    }
    const real = realpathSync(path)
    if (real !== root && isWithin(root, real)) walk(real)
    return found
  } catch {
    return []
  }
}

/** Create a function that returns the inode numbers of the folders leading to a path, from the root on. */
export function parentIds(root: string): (path: string) => string {
  const known = new Map<string, string>()
  const idsOf = (folder: string): string => {
    const found = known.get(folder)
    if (found !== undefined) return found
    const stats = statOf(folder)
    const own = stats ? String(stats.ino) : ''
    const above = dirname(folder)
    const all = folder === root || above === folder ? own : `${idsOf(above)}/${own}`
    known.set(folder, all)
    return all
  }
  return path => idsOf(dirname(path))
}

function readEntry(
  path: string,
  root: string,
  obeyed: Obeyed,
  before: ObeyedEntry | undefined,
): ObeyedEntry | undefined {
  const stats = statOf(path)
  if (!stats || stats.isDirectory()) return undefined
  const isFresh = Date.now() - Number(stats.ctimeMs) < FRESH_MS
  // For a program in `node_modules/.bin`, the target of its link counts.
  const program = obeyed.tier === 2 && stats.isSymbolicLink() ? programAt(path) : ''
  const stamp = isFresh
    ? ''
    : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs, stats.mode, stats.nlink, program].join(
        ':',
      )
  if (before && !isFresh && before.stamp === stamp) return before
  const facts = {
    ...obeyed,
    path,
    name: nameIn(root, path),
    id: `${stats.dev}:${stats.ino}`,
    links: Number(stats.nlink),
    parents: '',
    mode: Number(stats.mode) & 0o7777,
    stamp,
    changedAt: Number(stats.ctimeMs),
  }
  try {
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(path)
      const content = program === '' ? '' : programIn(path, program)
      return { ...facts, kind: 'link', target, parts: new Map([['', `${target} ${content}`]]) }
    }
    if (!stats.isFile()) return { ...facts, kind: 'other', parts: new Map([['', 'other']]) }
    const content = readFew(path, stats)
    if (!content) return { ...facts, kind: 'file', parts: stampParts(stats) }
    const parts = decidingParts(facts.name, content.toString('latin1'))
    return { ...facts, kind: 'file', parts, ...(obeyed.tier === 1 && { content }) }
  } catch {
    // The file has just been removed or cannot be read, so only its stamp counts.
    return { ...facts, kind: 'file', parts: stampParts(stats) }
  }
}

/** Parts for a file that is not read. A program can fake the modification time, but not ctime. */
const stampParts = ({ size, mtimeNs, ctimeNs }: BigIntStats): Parts =>
  new Map([['', `${size}:${mtimeNs}:${ctimeNs}`]])

/** The stamp of the file that a link leads to; empty if it does not lead to a file. */
function programAt(link: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(link, { bigint: true })
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`
  } catch {
    return ''
  }
}

/** Hash the program behind a link; a large one gives its stamp. npm rewrites rights, which do not count. */
function programIn(link: string, stamp: string): string {
  const path = realpathSync(link)
  const stats = statOf(path)
  const content = stats?.isFile() ? readFew(path, stats) : undefined
  return content ? createHash('sha256').update(content).digest('base64') : stamp
}

/** Read a small file, without waiting for a pipe and without following a link. */
function readFew(path: string, { size }: BigIntStats): Buffer | undefined {
  if (size > MOST_BYTES.file) return undefined
  const descriptor = openSync(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  )
  try {
    if (!fstatSync(descriptor).isFile()) return undefined
    // A file that grows meanwhile is read again the next time, because its stamp is young.
    const bytes = Buffer.alloc(Number(size))
    let length = 0
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSync(descriptor, bytes, length, bytes.length - length, null)
    return bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}
