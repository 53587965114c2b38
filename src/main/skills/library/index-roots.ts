import { basename, join } from 'node:path'
import { createHash } from 'node:crypto'
import { isRefusal } from '../../lib/expected-errors.ts'
import type { FoundSkill, SkillRoot } from '../skill-types.ts'
import { isAsRead, readSkillEntry, type CachedSkill, type Reader } from './cached-skill.ts'
import { isWithin, walkRoots, type FolderNode, type SkillFolder, type Walk } from './walk-roots.ts'
import { realFolder } from './walk-skill.ts'

export type Listed = { found: FoundSkill; entry: CachedSkill }

/** The result of reading all roots. */
export type Index = Walk & {
  /** Ordered by precedence, then by path. */
  skills: Listed[]
  /** Whether anything differs from the previous index. */
  isNews: boolean
}

/** Longest id that the protocol allows. */
const LONGEST_ID = 600

export const emptyIndex = (nodes = new Map<string, FolderNode>()): Index => ({
  nodes,
  skills: [],
  unreadable: [],
  isNews: false,
  isRead: false,
})

/**
 * Index all roots, one folder per step so that the caller can yield between steps. Unchanged data comes from
 * the previous index.
 */
export function* indexRoots(
  roots: readonly SkillRoot[],
  before: Index,
  reader: Reader,
): Generator<void, Index, void> {
  const index = emptyIndex()
  for (const skill of walkRoots(roots, before.nodes, index)) {
    if (skill) addSkill(skill, index, reader)
    yield
  }
  index.isNews ||=
    index.skills.length !== before.skills.length ||
    index.unreadable.length !== before.unreadable.length ||
    index.unreadable.some(({ path, target }, at) => {
      const was = before.unreadable[at]!
      return path !== was.path || target !== was.target
    }) ||
    index.skills.some(({ found }, at) => found.id !== before.skills[at]!.found.id)
  return index
}

function addSkill({ root, folder, node, within, main }: SkillFolder, index: Index, reader: Reader): void {
  const file = node.file!
  const path = join(folder, file)
  const id = [root.key, ...(within.length > 0 ? within : [basename(folder)])].join('/')
  if (id.length > LONGEST_ID) {
    index.unreadable.push({ path, reason: 'its path is too long' })
    return
  }
  const known = node.entry
  let entry = known
  if (!entry || entry.file !== file || entry.main !== main || !isAsRead(folder, entry, node.stamp)) {
    const read = readSkillEntry(folder, file, reader, main)
    index.isRead = true
    if (isRefusal(read)) {
      node.entry = undefined
      index.unreadable.push({ path, reason: read.refused })
      return
    }
    entry = read
    const isSame = known !== undefined && known.stamps.join() === entry.stamps.join()
    // Use the old check result until a caller requires a current one.
    if (isSame) entry.looked = known.looked && { ...known.looked, settled: false }
    else index.isNews = true
    node.entry = entry
  }
  index.skills.push({ entry, found: foundOf(root, id, folder, within, entry) })
}

function foundOf(
  root: SkillRoot,
  id: string,
  folder: string,
  within: readonly string[],
  { file, text, parts, bytes, tokens, hasScripts, updatedAt, main }: CachedSkill,
): FoundSkill {
  const { name } = text.fields
  const linked = [folder, main].find(path => path !== undefined && !isWithin(root.folder, path))
  return {
    id,
    key: root.kind === 'project' ? `${root.key}/${name}` : name,
    root,
    folder,
    ...(linked !== undefined && { linked }),
    ...(main !== undefined && { main: { file, real: main } }),
    category: within.slice(0, -1).join('/'),
    name,
    text,
    parts,
    bytes,
    tokens,
    hasScripts,
    updatedAt,
  }
}

type Found = { found: FoundSkill }

/** The skills to use: the first with each name. The input is ordered by precedence. */
export function firstOfNames(skills: readonly Found[]): Map<string, FoundSkill> {
  const first = new Map<string, FoundSkill>()
  for (const { found } of skills) if (!first.has(found.name)) first.set(found.name, found)
  return first
}

/**
 * Hidden skills by id, with the id of the skill that is used under the same name. A project skill only
 * competes with the skills that chats in its project see, and does not affect other chats.
 */
export function hiddenByName(skills: readonly Found[]): Map<string, string> {
  const shadows = new Map<string, string>()
  const projects = new Set(skills.flatMap(({ found }) => found.root.project ?? []))
  for (const project of [undefined, ...projects]) {
    const first = firstOfNames(seenFrom(skills, project))
    for (const { found } of skills) {
      if (found.root.project !== project) continue
      const used = first.get(found.name)!
      if (used.id !== found.id) shadows.set(found.id, used.id)
    }
  }
  return shadows
}

/** The skills that chats in a project see; without `project`, those that chats outside any project see. */
export const seenFrom = <T extends Found>(skills: readonly T[], project: string | undefined): T[] =>
  skills.filter(({ found }) => found.root.project === undefined || found.root.project === project)

/** Folders in which projects keep skills. */
const IN_PROJECTS = ['.agents/skills', '.claude/skills', 'skills']
/** Unused skills are counted up to this number. */
const MOST_COUNTED = 2_000

/** The skill roots of a chat folder. */
export const rootsOfProject = (project: string): SkillRoot[] =>
  IN_PROJECTS.map((within): SkillRoot => {
    const folder = join(project, within)
    const key = createHash('sha256').update(folder).digest('hex').slice(0, 12)
    return { key: `project-${key}`, kind: 'project', folder, project }
  })

/** Chat folders with skills, and all trusted folders. In untrusted folders skills are only counted. */
export function projectsOf(
  folders: readonly string[],
  trusted: readonly string[],
  skills: readonly Listed[],
): { folder: string; trusted: boolean; skills: number }[] {
  const projects = new Map<string, { folder: string; trusted: boolean; skills: number }>()
  for (const [index, folder] of [...trusted, ...folders].entries()) {
    const real = realFolder(folder)
    if (projects.has(real)) continue
    const isTrusted = index < trusted.length
    const count = isTrusted ? skills.filter(({ found }) => found.root.project === real).length : countIn(real)
    if (isTrusted || count > 0) projects.set(real, { folder, trusted: isTrusted, skills: count })
  }
  return [...projects.values()]
}

function countIn(folder: string): number {
  let count = 0
  for (const skill of walkRoots(rootsOfProject(folder), new Map(), {
    nodes: new Map(),
    unreadable: [],
    isRead: false,
  })) {
    if (skill && ++count === MOST_COUNTED) break
  }
  return count
}
