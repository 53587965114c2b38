import { basename, join } from 'node:path'
import type { FoundSkill, SkillRoot } from '../types.ts'
import { isAsRead, readEntry, type Entry, type Reader } from './entry.ts'
import { walkRoots, type FolderNode, type SkillFolder, type Walk } from './walk-roots.ts'

export type Listed = { found: FoundSkill; entry: Entry }

/** The result of reading all roots. */
export type Index = Walk & {
  /** By precedence, then by path. */
  skills: Listed[]
  /** Something differs from the previous index. */
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
    index.unreadable.some(({ path }, at) => path !== before.unreadable[at]!.path) ||
    index.skills.some(({ found }, at) => found.id !== before.skills[at]!.found.id)
  return index
}

function addSkill({ root, folder, node, within }: SkillFolder, index: Index, reader: Reader): void {
  const file = node.file!
  const path = join(folder, file)
  const id = [root.key, ...(within.length > 0 ? within : [basename(folder)])].join('/')
  if (id.length > LONGEST_ID) {
    index.unreadable.push({ path, reason: 'its path is too long' })
    return
  }
  const known = node.entry
  let entry = known
  if (!entry || entry.file !== file || !isAsRead(folder, entry, node.stamp)) {
    const read = readEntry(folder, file, reader)
    index.isRead = true
    if ('reason' in read) {
      node.entry = undefined
      index.unreadable.push({ path, reason: read.reason })
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
  { text, parts, bytes, tokens, hasScripts, updatedAt }: Entry,
): FoundSkill {
  const { name } = text.fields
  return {
    id,
    key: root.kind === 'project' ? `${root.key}/${name}` : name,
    root,
    folder,
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
