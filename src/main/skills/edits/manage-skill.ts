import { basename, join } from 'node:path'
import type { SkillState } from '../../store/types.ts'
import { readSkillText } from '../read/read-skill.ts'
import type { FoundSkill, LibrarySkill, SkillBy, SkillRefusal, Workshop } from '../types.ts'
import { blankState } from './draft.ts'
import { placeTaken } from './places.ts'
import { EMPTY, filesOnly, mainOf, textOf, type Tree, type TreeEntry } from './tree.ts'
import { hasOther, type Planned, type Surroundings } from './write-skill.ts'

/** Plan to delete a skill; its folder lives on in the archive. */
export function draftRemoval(
  { found }: LibrarySkill,
  by: SkillBy,
  { library, scene }: Surroundings,
): SkillRefusal | undefined {
  const { root, name, key } = found
  if (root.kind === 'bundled')
    return { refused: `${name} ships with Talaria and cannot be deleted. Switch it off instead.` }
  if (root.kind !== 'own' && by.actor === 'review')
    return { refused: `${name} was not made by the agent. Only the person can delete it.` }
  if ((root.kind === 'project' || root.kind === 'folder') && by.actor !== 'you')
    return { refused: `${name} lies in ${root.folder}, where only the person changes skills.` }
  const tree = scene.tree(found.folder)
  if (!tree) return { refused: `${name} is not there any more.`, conflict: true }
  const state = scene.state(key)
  scene.add({
    kind: 'vanished',
    before: { folder: found.folder, tree },
    after: null,
    revision: { key, name, op: 'delete', skillId: found.id, undoes: null },
    // What was decided about it must not hold for whatever has its name next.
    states: [hasOther(library, found) ? withoutCopy(state, found) : blankState(key)],
  })
  return undefined
}

/** Plan to go back to the original below an edited copy. */
export function draftReset(
  { skill, found: given }: LibrarySkill,
  { library, scene }: Surroundings,
): SkillRefusal | undefined {
  const all = library.list().map(each => each.found)
  const copy = given.root.kind === 'own' ? given : all.find(each => isCopy(each) && each.key === given.key)
  const original = all.find(each => each.root.kind !== 'own' && each.key === copy?.key)
  if (!copy || !original)
    return { refused: `${skill.name} is no edited copy: there is nothing to go back to.` }
  const tree = scene.tree(copy.folder)
  if (!tree) return { refused: `${skill.name} is not there any more.`, conflict: true }
  scene.add({
    kind: 'vanished',
    before: { folder: copy.folder, tree },
    after: null,
    shown: { before: filesOnly(tree), after: filesOnly(scene.tree(original.folder) ?? EMPTY) },
    revision: { key: copy.key, name: copy.name, op: 'reset', skillId: copy.id, undoes: null },
    states: [withoutCopy(scene.state(copy.key), copy)],
    copyOf: original.id,
  })
  return undefined
}

const isCopy = ({ root }: FoundSkill) => root.kind === 'own'
/** Of an original it does not matter who wrote the copy above it. */
const withoutCopy = (state: SkillState, { root }: FoundSkill): SkillState =>
  root.kind === 'own' ? { ...state, author: null } : state

/** Plan to put a fetched folder into the library, in place of an imported skill of that name if there is one. */
export function draftInstall(
  fetched: Parameters<Workshop['install']>[0],
  { library, places, scene }: Surroundings,
): Planned {
  const { name, source, on, accept } = fetched
  const imported = places.folderOf('imported/')!
  if (!isSafeFolder(name)) return { refused: `“${name}” cannot be the name of a folder.` }
  const given = scene.tree(fetched.folder)
  const main = given && textOf(given.get(mainOf(given)))
  if (!given || main === undefined)
    return { refused: `What was fetched as ${name} has no readable SKILL.md.` }
  const tree: Tree = new Map([...filesOnly(given)].map(([path, entry]) => [path, asInstalled(entry)]))
  const key = readSkillText(main, name).fields.name
  const before = library
    .list()
    .find(({ found }) => found.root.kind === 'imported' && found.key === key)?.found
  const folder = before?.folder ?? join(imported, name)
  const present = scene.tree(folder)
  if (present && !before) return placeTaken(folder)
  const id = before?.id ?? places.idIn('imported', imported, folder)
  scene.add({
    kind: present ? 'replaced' : 'appeared',
    before: present ? { folder, tree: present } : null,
    after: { folder, tree },
    revision: { key, name: key, op: 'import', skillId: id, undoes: null },
    states: [{ ...scene.state(key), enabled: on, accepted: null, source }],
    accepts: accept ? key : undefined,
  })
  return { id }
}

/** Only what could be run before can be run. */
const asInstalled = (entry: TreeEntry): TreeEntry =>
  entry.kind === 'file' ? { ...entry, mode: (entry.mode & 0o100) !== 0 ? 0o755 : 0o644 } : entry

/** A name that is one folder on every system, and that the library looks at. */
const isSafeFolder = (name: string) =>
  name === basename(name) &&
  name.length <= 200 &&
  /^[\p{L}\p{N}_][\p{L}\p{M}\p{N} ._()-]*(?<![ .])$/u.test(name)
