import {
  lstatSync,
  readdirSync,
  realpathSync,
  type Stats,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join, sep, dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { fileErrorCode, reasonOf, parseJson } from '../../lib/expected-errors.ts'
import { skillFileAmong } from '../files/main-file.ts'
import type { SkillRoot, Unreadable } from '../skill-types.ts'
import { isSettled, type CachedSkill } from './cached-skill.ts'
import { stampOf } from './walk-skill.ts'
import { renamePatiently } from '../../lib/disk/durable-files.ts'

/** Cached data about one folder. Plain JSON. */
export type FolderNode = {
  stamp: string
  settled: boolean
  /** The name of its SKILL.md; null for categories and other folders. */
  file: string | null
  /** Whether that file is a link. */
  isLink?: true | undefined
  /** The relevant folders and links in it. */
  names: string[]
  entry?: CachedSkill | undefined
}

/**
 * A folder with a SKILL.md. `within` is its path from the root as walked, with links unresolved. `main` is
 * the real file if SKILL.md is a link that may be followed.
 */
export type SkillFolder = {
  root: SkillRoot
  folder: string
  node: FolderNode
  within: readonly string[]
  main: string | undefined
}

/** The result of a walk besides the skills. */
export type Walk = {
  /** Folder data by real path. */
  nodes: Map<string, FolderNode>
  unreadable: Unreadable[]
  /** Whether anything was read from the disk. */
  isRead: boolean
}

const DEEPEST = 6
const MOST_SKILLS = 10_000
const MOST_FOLDERS = 30_000

type Way = {
  root: SkillRoot
  before: ReadonlyMap<string, FolderNode>
  walk: Walk
  folders: number
  skills: number
}

/**
 * Walk all roots, one folder per step. Each step yields the skill in the folder, or undefined. The listing of
 * an unchanged folder comes from `before`. A folder with several paths is walked once, under the first path.
 */
export function* walkRoots(
  roots: readonly SkillRoot[],
  before: ReadonlyMap<string, FolderNode>,
  walk: Walk,
): Generator<SkillFolder | undefined, void, void> {
  for (const given of roots) {
    const root = realRoot(given, walk)
    if (root) yield* enter({ root, before, walk, folders: 0, skills: 0 }, root.folder, [])
  }
}

/**
 * A root with its real paths; undefined if it does not exist. A project must not extend its trust to a
 * folder outside.
 */
function realRoot(root: SkillRoot, { unreadable }: Walk): SkillRoot | undefined {
  try {
    const folder = realpathSync(root.folder)
    if (root.project === undefined) return { ...root, folder }
    const project = realpathSync(root.project)
    if (isWithin(project, folder)) return { ...root, folder, project }
    unreadable.push({ path: root.folder, reason: 'it is a link that leads out of the project' })
  } catch (error) {
    const code = fileErrorCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR')
      unreadable.push({ path: root.folder, reason: reasonOf(code) })
  }
  return undefined
}

/** Whether a real path is the real folder or inside it. */
export const isWithin = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

function* enter(
  way: Way,
  given: string,
  within: readonly string[],
): Generator<SkillFolder | undefined, void, void> {
  const { root, walk } = way
  const there = follow(way, given)
  if (!there || walk.nodes.has(there.folder)) return
  if (++way.folders > MOST_FOLDERS || way.skills >= MOST_SKILLS) return tellFull(way)
  const node = nodeOf(there.folder, there.stats, way)
  if (!node) return
  walk.nodes.set(there.folder, node)
  // A misplaced SKILL.md in one of Talaria's own roots must not hide everything below it.
  if (node.file !== null && (within.length > 0 || root.kind === 'folder')) {
    const main = node.isLink ? followMain(way, join(there.folder, node.file)) : undefined
    if (main?.isRefused) return
    way.skills++
    yield { root, folder: there.folder, node, within, main: main?.real }
    return
  }
  yield
  for (const name of node.names) {
    const path = join(there.folder, name)
    if (within.length < DEEPEST) yield* enter(way, path, [...within, name])
    else walk.unreadable.push({ path, reason: `it lies more than ${DEEPEST} folders deep` })
  }
}

/** The real path of a folder. Links out of the root are followed only to targets the user agreed to. */
function follow({ root, walk }: Way, given: string): { folder: string; stats: Stats } | undefined {
  try {
    const stats = lstatSync(given)
    if (stats.isDirectory()) return { folder: given, stats }
    if (!stats.isSymbolicLink()) return undefined
    const folder = realpathSync(given)
    const target = lstatSync(folder)
    if (!target.isDirectory()) return undefined
    if (mayFollow(root, folder)) return { folder, stats: target }
    walk.unreadable.push(leadsOut(root, given, folder))
    return undefined
  } catch (error) {
    // The folder was removed in the meantime, or the link is broken.
    fileErrorCode(error)
    return undefined
  }
}

/** The target of a linked SKILL.md. Without `real`, it is read as a link and therefore refused. */
function followMain({ root, walk }: Way, given: string): { real?: string; isRefused?: boolean } {
  try {
    const real = realpathSync(given)
    if (root.links === undefined || !lstatSync(real).isFile()) return {}
    if (mayFollow(root, real)) return { real }
    walk.unreadable.push(leadsOut(root, given, real))
    return { isRefused: true }
  } catch (error) {
    // The link is broken or circular.
    fileErrorCode(error)
    return {}
  }
}

const mayFollow = (root: SkillRoot, real: string): boolean =>
  isWithin(root.folder, real) ||
  (isOpen(root, real) && (root.links?.allowed.some(each => isWithin(each, real)) ?? false))

/** Whether the user may allow a link to lead there: not into, or to a parent of, Talaria's own folders. */
const isOpen = ({ folder, links }: SkillRoot, real: string): boolean =>
  links !== undefined &&
  !isWithin(real, folder) &&
  !links.never.some(each => isWithin(each, real) || isWithin(real, each))

function leadsOut(root: SkillRoot, path: string, real: string): Unreadable {
  const reason = 'it is a link that leads out of the folder of skills'
  return isOpen(root, real) ? { path, reason, target: real } : { path, reason }
}

function tellFull({ root, walk }: Way): void {
  const reason = 'it holds more than is looked at; the rest is left out'
  const isTold = walk.unreadable.some(each => each.path === root.folder && each.reason === reason)
  if (!isTold) walk.unreadable.push({ path: root.folder, reason })
}

function nodeOf(folder: string, stats: Stats, { before, walk }: Way): FolderNode | undefined {
  const known = before.get(folder)
  if (known?.settled && known.stamp === stampOf(stats)) return known
  try {
    walk.isRead = true
    return { ...listing(folder, stats), entry: known?.entry }
  } catch (error) {
    const code = fileErrorCode(error)
    if (code !== 'ENOENT') walk.unreadable.push({ path: folder, reason: reasonOf(code) })
    return undefined
  }
}

function listing(folder: string, stats: Stats): FolderNode {
  const entries = readdirSync(folder, { withFileTypes: true })
  const file = skillFileAmong(entries.filter(each => !each.isDirectory()).map(each => each.name)) ?? null
  const isLink = entries.some(each => each.name === file && each.isSymbolicLink()) || undefined
  const names = entries
    .filter(each => each.isDirectory() || each.isSymbolicLink())
    .map(each => each.name)
    .filter(name => !name.startsWith('.') && name !== 'node_modules')
    .toSorted()
  const settled = isSettled(stats.ctimeMs)
  return { stamp: stampOf(stats), settled, file, names, isLink }
}

/**
 * Format version; files of other versions are ignored. Increase it when `FolderNode` or the data read from a
 * skill changes.
 */
const VERSION = 2

/**
 * Load the data of the previous process; empty if the file is missing, damaged, or from another version or
 * edition.
 */
export function loadCache(path: string, edition: string): Map<string, FolderNode> {
  const text = read(path)
  const end = text.indexOf('\n')
  const json = text.slice(end + 1)
  if (end < 0 || text.slice(0, end) !== headOf(json, edition)) return new Map()
  const nodes = new Map(parseJson(json) as [string, FolderNode][])
  for (const { entry } of nodes.values()) if (entry) entry.text.more = withoutPrototypes(entry.text.more)
  return nodes
}

/** Save the cache. Losing it is harmless, so the write is not synced to disk. */
export function saveCache(path: string, edition: string, nodes: ReadonlyMap<string, FolderNode>): void {
  const json = JSON.stringify([...nodes])
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(`${path}.tmp`, `${headOf(json, edition)}\n${json}`, { mode: 0o600 })
  renamePatiently(() => renameSync(`${path}.tmp`, path))
}

const headOf = (json: string, edition: string) =>
  JSON.stringify({ version: VERSION, edition, crc: crc32(json) })

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    fileErrorCode(error)
    return ''
  }
}

/**
 * Restore objects without prototypes, so that names such as `constructor` exist only if a skill defines them.
 */
function withoutPrototypes<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const each of Object.values(value)) withoutPrototypes(each)
  return Array.isArray(value) ? value : Object.setPrototypeOf(value, null)
}
