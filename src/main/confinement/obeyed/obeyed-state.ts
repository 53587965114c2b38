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

/** A file or link that somebody obeys, as it was at one moment. */
export type ObeyedEntry = Obeyed & {
  path: string
  /** In the folder, with forward slashes; absolute for what lies outside. */
  name: string
  kind: 'file' | 'link' | 'other'
  /** Which file it is, whether another name leads to it too, and which folders lead to it. */
  id: string
  links: number
  parents: string
  mode: number
  stamp: string
  /** When it or its content last changed, in ms. */
  changedAt: number
  /** What of it counts; for a link where it leads, and what is there. */
  parts: Parts
  /** Where a link leads, as it says. */
  target?: string
  /** Its bytes, where they are few enough to be remembered. */
  content?: Uint8Array | undefined
}

/** What is obeyed in a folder, by path. */
export type ObeyedState = {
  root: string
  facts: FolderFacts
  /** What git obeys of it: paths that a command without rights cannot write, and those that are not there yet. */
  git: { held: string[]; missing: string[] }
  entries: ReadonlyMap<string, ObeyedEntry>
}

/** Bytes of one file, and of all, that are remembered. */
const MOST_BYTES = { file: 256 * 1024, all: 8 * 2 ** 20 }
/** Files that a link of tier 1 leads to, at most. */
const MOST_LINKED = 200
/** A stamp this young may not change with the next write, in ms. */
const FRESH_MS = 50

/** Read what is obeyed in a folder. What has not changed since `before` is only looked up. */
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
  // What was obeyed stays so, whatever git is told now.
  for (const { path, tier, by } of before?.entries.values() ?? []) add(path, { tier, by })
  const ofGit = listGitFiles(git)
  for (const { path, tier, by } of ofGit) if (tier === 1) add(path, { tier, by })
  for (const path of before?.git.missing ?? []) add(path, { tier: 1, by: 'git' })
  for (const path of sourcedByDirenv(root, facts.obeyedFiles)) add(path, { tier: 1, by: 'direnv' })
  for (const path of [...facts.obeyedFiles, ...facts.runFiles]) {
    // A name is judged once: that takes longer than looking at the file.
    const obeyed = entries.get(path) ?? obeyedByPath(path, root)
    add(path, obeyed)
    if (obeyed?.tier === 1) for (const target of linkedFiles(path, root)) add(target, obeyed)
  }
  for (const { path, tier, by } of ofGit) if (tier === 2) add(path, { tier, by })
  return { root, facts, git: { held: partsToCover(git), missing: git.missing }, entries }
}

/** Who obeys a file of a folder, by its name. A name that leads to a folder counts as one. */
function obeyedByPath(path: string, root: string): Obeyed | undefined {
  const name = nameIn(root, path)
  return obeyedByName(name) ?? obeyedByName(`${name}/`)
}

/** A path as it is told: in the folder where it lies in it. */
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

/** A function that tells which folders lead to a path, from the root on, by their numbers. */
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
  // A program of `node_modules/.bin` is what its link leads to.
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
    // It has just gone, or cannot be read: then only its stamp counts.
    return { ...facts, kind: 'file', parts: stampParts(stats) }
  }
}

/** Instead of a content that is not read. Who writes to a file may set its time back, but not that of the change. */
const stampParts = ({ size, mtimeNs, ctimeNs }: BigIntStats): Parts =>
  new Map([['', `${size}:${mtimeNs}:${ctimeNs}`]])

/** What changes with the content of the file that a link leads to; empty if that is none. */
function programAt(link: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(link, { bigint: true })
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`
  } catch {
    return ''
  }
}

/** What the program is that a link leads to; of a large one the stamp must do. npm gives rights anew, which is no change. */
function programIn(link: string, stamp: string): string {
  const path = realpathSync(link)
  const stats = statOf(path)
  const content = stats?.isFile() ? readFew(path, stats) : undefined
  return content ? createHash('sha256').update(content).digest('base64') : stamp
}

/** The bytes of a small file. A pipe in its place is not waited for, and a link not followed. */
function readFew(path: string, { size }: BigIntStats): Buffer | undefined {
  if (size > MOST_BYTES.file) return undefined
  const descriptor = openSync(
    path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  )
  try {
    if (!fstatSync(descriptor).isFile()) return undefined
    // What grows meanwhile is read again the next time, because its stamp is young.
    const bytes = Buffer.alloc(Number(size))
    let length = 0
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSync(descriptor, bytes, length, bytes.length - length, null)
    return bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}
