import { basename, join } from 'node:path'
import type { SkillState } from '../../db/learning/skill-tables.ts'
import { readSkillText } from '../files/read-skill.ts'
import { digestOf, hashContent } from '../library/skill-files.ts'
import type { FoundSkill, LibrarySkill, SkillBy, SkillRefusal, SkillEditor } from '../skill-types.ts'
import { blankState } from './skill-snapshot.ts'
import { refuseLinked } from './refuse-edit.ts'
import { placeTaken } from './skill-folders.ts'
import { EMPTY, filesOnly, mainOf, textOf, type Tree, type TreeEntry } from './folder-tree.ts'
import { hasOther, type Planned, type EditContext } from './edit-skill.ts'

/** Plan to delete a skill; its folder moves to the archive. */
export function planRemoval(
  { found }: LibrarySkill,
  by: SkillBy,
  { library, snapshot }: EditContext,
): SkillRefusal | undefined {
  const { root, name, key } = found
  if (root.kind === 'bundled')
    return { refused: `${name} ships with Talaria and cannot be deleted. Switch it off instead.` }
  if (root.kind !== 'own' && by.actor === 'review')
    return { refused: `${name} was not made by the agent. Only the person can delete it.` }
  if ((root.kind === 'project' || root.kind === 'folder') && by.actor !== 'you')
    return { refused: `${name} lies in ${root.folder}, where only the person changes skills.` }
  const state = snapshot.state(key)
  const pinned = refusePinned(name, state)
  if (pinned) return pinned
  const linked = refuseLinked(found)
  if (linked) return linked
  const tree = snapshot.tree(found.folder)
  if (!tree) return { refused: `${name} is not there any more.`, conflict: true }
  snapshot.add({
    kind: 'vanished',
    before: { folder: found.folder, tree },
    after: null,
    revision: { key, name, op: 'delete', skillId: found.id, undoes: null },
    // Reset the state, so that it does not apply to a later skill with this name.
    states: [hasOther(library, found) ? withoutCopy(state, found) : blankState(key)],
  })
  return undefined
}

/** The refusal to delete a pinned skill. */
export const refusePinned = (
  name: string,
  { pinned }: Pick<SkillState, 'pinned'>,
): SkillRefusal | undefined =>
  pinned
    ? { refused: `${name} is pinned, so it is not deleted. Unpin it on the Skills page first.` }
    : undefined

/** Plan to pin a skill, or to unpin it. */
export function planPin(
  { found }: LibrarySkill,
  pinned: boolean,
  by: SkillBy,
  { snapshot }: EditContext,
): SkillRefusal | undefined {
  const { key, name, id: skillId } = found
  if (by.actor !== 'you') return { refused: 'Only the person pins and unpins skills.' }
  const state = snapshot.state(key)
  if (state.pinned === pinned) return undefined
  snapshot.add({
    kind: 'switched',
    before: null,
    after: null,
    revision: { key, name, op: pinned ? 'pin' : 'unpin', skillId, undoes: null },
    states: [{ ...state, pinned }],
  })
  return undefined
}

/** Plan to restore the original under an edited copy. */
export function planReset(
  { skill, found: given }: LibrarySkill,
  { library, snapshot }: EditContext,
): SkillRefusal | undefined {
  const all = library.list().map(each => each.found)
  const copy = given.root.kind === 'own' ? given : all.find(each => isCopy(each) && each.key === given.key)
  const original = all.find(each => each.root.kind !== 'own' && each.key === copy?.key)
  if (!copy || !original)
    return { refused: `${skill.name} is not an edited copy, so there is no original to restore.` }
  const linked = refuseLinked(copy)
  if (linked) return linked
  const tree = snapshot.tree(copy.folder)
  if (!tree) return { refused: `${skill.name} is not there any more.`, conflict: true }
  snapshot.add({
    kind: 'vanished',
    before: { folder: copy.folder, tree },
    after: null,
    shown: { before: filesOnly(tree), after: filesOnly(snapshot.tree(original.folder) ?? EMPTY) },
    revision: { key: copy.key, name: copy.name, op: 'reset', skillId: copy.id, undoes: null },
    states: [withoutCopy(snapshot.state(copy.key), copy)],
    copyOf: original.id,
  })
  return undefined
}

const isCopy = ({ root }: FoundSkill) => root.kind === 'own'
/** The original's state: the author of the edited copy does not apply to it. */
const withoutCopy = (state: SkillState, { root }: FoundSkill): SkillState =>
  root.kind === 'own' ? { ...state, author: null } : state

/** Plan to install a fetched folder. It replaces an imported skill of the same name. */
export function planInstall(
  fetched: Parameters<SkillEditor['install']>[0],
  { library, places, snapshot }: EditContext,
): Planned {
  const { name, source, on, accept } = fetched
  const imported = places.folderOf('imported/')!
  if (!isSafeFolder(name)) return { refused: `“${name}” cannot be the name of a folder.` }
  const given = snapshot.tree(fetched.folder)
  const main = given && textOf(given.get(mainOf(given)))
  if (!given || main === undefined)
    return { refused: `The files fetched as ${name} have no readable SKILL.md.` }
  const tree: Tree = new Map([...filesOnly(given)].map(([path, entry]) => [path, asInstalled(entry)]))
  const key = readSkillText(main, name).fields.name
  const before = library
    .list()
    .find(({ found }) => found.root.kind === 'imported' && found.key === key)?.found
  const folder = before?.folder ?? join(imported, name)
  const present = snapshot.tree(folder)
  if (present && !before) return placeTaken(folder)
  const id = before?.id ?? places.idIn('imported', imported, folder)
  snapshot.add({
    kind: present ? 'replaced' : 'appeared',
    before: present ? { folder, tree: present } : null,
    after: { folder, tree },
    revision: { key, name: key, op: 'import', skillId: id, undoes: null },
    states: [{ ...snapshot.state(key), enabled: on, accepted: null, source }],
    accepts: accept ? key : undefined,
  })
  return { id }
}

/** Only files that were executable stay executable. */
const asInstalled = (entry: TreeEntry): TreeEntry =>
  entry.kind === 'file' ? { ...entry, mode: (entry.mode & 0o100) !== 0 ? 0o755 : 0o644 } : entry

/** Whether a name is a single folder on every system and the library would read it. */
const isSafeFolder = (name: string) =>
  name === basename(name) &&
  name.length <= 200 &&
  /^[\p{L}\p{N}_][\p{L}\p{M}\p{N} ._()-]*(?<![ .])$/u.test(name)

/**
 * Plan to switch a skill on or off. A skill that the scan blocks needs the user to accept its current
 * content. Any later change must be accepted again.
 */
export function planSwitch(
  { skill, found }: LibrarySkill,
  enabled: boolean,
  by: SkillBy,
  { accept, seen }: { accept: boolean; seen: string | undefined },
  { library, snapshot }: EditContext,
): SkillRefusal | undefined {
  const state = snapshot.state(found.key)
  if (accept && by.actor !== 'you' && by.actor !== 'import')
    return { refused: `Only the person can accept what the scan found in ${skill.name}.` }
  // The scan may not have run yet, so run it before reading `blocked`.
  const scan = enabled && !accept && isForeign(skill) ? library.scan(found.id) : undefined
  const { blocked = null } = (scan && library.get(found.id)?.skill) ?? {}
  if (scan && blocked !== null) {
    return {
      refused: `${skill.name} is kept from the model: ${blocked} Read what the scan found, and accept it if it is harmless.`,
      scan,
    }
  }
  if (scan && library.policy(found.id).policy === 'ask')
    return {
      refused: `${skill.name} asks first: ${scan.findings.find(({ severity }) => severity === 'high')?.reason ?? 'the scan found lines that need caution.'} Read what the scan found, and accept it if it is harmless.`,
      scan,
    }
  const digest = enabled && accept ? digestOf(found.folder, found.main) : undefined
  if (digest !== undefined && seen !== undefined && seen !== hashContent(found.id, digest))
    return {
      refused: `${skill.name} has changed since it was shown, so nothing was done. Read the new findings, and decide again.`,
      conflict: true,
    }
  const accepted = digest ?? state.accepted
  if (skill.enabled === enabled && accepted === state.accepted) return undefined
  snapshot.add({
    kind: 'switched',
    before: null,
    after: null,
    revision: {
      key: found.key,
      name: found.name,
      op: enabled ? 'enable' : 'disable',
      skillId: found.id,
      undoes: null,
    },
    states: [{ ...state, enabled, accepted }],
  })
  return undefined
}

const isForeign = ({ origin }: LibrarySkill['skill']) => origin !== 'builtin' && origin !== 'user'
