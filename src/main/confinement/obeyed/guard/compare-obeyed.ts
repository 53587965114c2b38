import { dirname, relative } from 'node:path'
import { isWithin } from '../../profile.ts'
import { obeyedByName } from '../obeyed-names.ts'
import { nameIn, type ObeyedEntry, type ObeyedState } from '../obeyed-state.ts'
import { differingParts } from '../deciding-parts.ts'

/** A difference in one obeyed file. `parts`: the names of the parts that differ. */
export type Difference = { parts: readonly string[] } & (
  | { how: 'new'; before?: never; after: ObeyedEntry; isMoved: boolean }
  | { how: 'changed'; before: ObeyedEntry; after: ObeyedEntry }
  | { how: 'gone'; before: ObeyedEntry; after?: never }
)

const EXECUTABLE = 0o111

/** List the new, changed and deleted files between two states of a folder, sorted by path. */
export function compareObeyed(before: ObeyedState, after: ObeyedState): Difference[] {
  const found: Difference[] = []
  // Files that are no longer at their path, even if another file is there now.
  const left = [...before.entries.values()].filter(({ path, id }) => after.entries.get(path)?.id !== id)
  const moved = new Set<ObeyedEntry>()
  const folders = new Set(before.facts.folders)
  for (const entry of after.entries.values()) {
    const old = before.entries.get(entry.path)
    if (!old) {
      // Renaming a folder moves the files in it.
      const from = left.find(
        each => each.id === entry.id && ownFolder(each) === ownFolder(entry) && isSame(each, entry),
      )
      if (from) moved.add(from)
      const parts = [...entry.parts.keys()]
      if (parts.length > 0 && (from || counts(entry, before, folders)))
        found.push({ how: 'new', after: entry, isMoved: from !== undefined, parts })
      continue
    }
    if (old === entry) continue
    const parts = differingParts(old.parts, entry.parts)
    if (parts.length > 0 || !isSame(old, entry))
      found.push({ how: 'changed', before: old, after: entry, parts })
  }
  for (const entry of left)
    if (!after.entries.has(entry.path) && !moved.has(entry) && entry.parts.size > 0)
      found.push({ how: 'gone', before: entry, parts: [...entry.parts.keys()] })
  return found.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1))
}

const pathOf = ({ before, after }: Difference) => (after ?? before).path
const ownFolder = ({ parents }: ObeyedEntry) => parents.slice(parents.lastIndexOf('/') + 1)

/** Whether two entries have the same effect. A hook runs only if it is executable. */
const isSame = (a: ObeyedEntry, b: ObeyedEntry) =>
  a.kind === b.kind &&
  (a.tier === 2 || a.kind !== 'file' || (a.mode & EXECUTABLE) === (b.mode & EXECUTABLE)) &&
  differingParts(a.parts, b.parts).length === 0

/**
 * Whether a new file counts. Files that the user runs count only in folders that existed before, because
 * users look before they run `make` in a new one. A program of a package is a link into it.
 */
function counts(entry: ObeyedEntry, { root }: ObeyedState, folders: ReadonlySet<string>): boolean {
  if (entry.tier === 1) return true
  // The state of an unfinished git operation is in the git folder, where nothing else is searched.
  if (/(^|\/)\.git\//.test(entry.name)) return true
  if (entry.name.includes('node_modules/.bin/')) return entry.kind !== 'link'
  let folder = dirname(entry.path)
  while (folder !== root && isWithin(root, folder) && obeyedByName(`${nameIn(root, folder)}/`))
    folder = dirname(folder)
  return relative(root, folder) === '' || folders.has(folder)
}
