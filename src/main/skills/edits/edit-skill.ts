import { basename } from 'node:path'
import type { SkillState } from '../../db/learning/skill-tables.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { resolveSkillPath } from '../library/resolve-skill-path.ts'
import { digestOf, decodeText } from '../library/skill-files.ts'
import { readSkillText } from '../files/read-skill.ts'
import type { Despite, FoundSkill, Library, SkillBy, SkillRefusal } from '../skill-types.ts'
import { isSkillName } from '../files/skill-name.ts'
import { checkSafety, refuseFile, refuseLinked, refuseMain, refuseTwin } from './refuse-edit.ts'
import { blankState, type Snapshot } from './skill-snapshot.ts'
import { siblingFolder, isChangedInPlace, refuseName, placeTaken, type Places } from './skill-folders.ts'
import { encodeLike } from './file-bytes.ts'
import { fileOf, filesOnly, mainOf, PLAIN, withEntries, type Tree, type TreeEntry } from './folder-tree.ts'

export type EditContext = { library: Library; places: Places; snapshot: Snapshot }
/** The plan was added to the snapshot. `note`: a further remark for the user or the model. */
export type Planned = { id: string; note?: string } | SkillRefusal

/** Paths that a skill's files may have. Also used for a new skill, which has no folder yet. */
const FOLDERS = /^(references|templates|scripts|assets)\/./

/** Plan a new skill. */
export function planNewSkill(
  skill: { name: string; category: string; text: string; files?: readonly { path: string; text: string }[] },
  by: SkillBy,
  despite: Despite,
  { library, places, snapshot }: EditContext,
): Planned {
  const { name, category, text, files = [] } = skill
  const refused = refuseName(library, name) ?? refuseMain(text, name)
  if (refused) return refused
  if (readSkillText(text, name).fields.name !== name)
    return { refused: `SKILL.md was not saved: its front matter must say “name: ${name}”.` }
  const place = places.newPlace(category, name)
  if (isRefusal(place)) return place
  let tree: Tree = new Map([['SKILL.md', fileOf(text)]])
  for (const file of files) {
    // The new folder does not exist yet. The home folder replaces it, because only the form of the path is
    // checked.
    const inside = FOLDERS.test(file.path)
      ? resolveSkillPath(places.home, file.path, { forWrite: true })
      : undefined
    if (!inside || isRefusal(inside)) {
      const why = inside?.refused ?? 'Files lie below references/, templates/, scripts/ or assets/.'
      return { refused: `${file.path} was not saved. ${why}` }
    }
    const wrong = refuseFile(file.path, file.text) ?? refuseTwin(tree, file.path)
    if (wrong) return wrong
    tree = withEntries(tree, [[file.path, fileOf(file.text)]])
  }
  const safety = checkSafety(tree, by, despite)
  if (isRefusal(safety)) return safety
  snapshot.add({
    kind: 'appeared',
    before: null,
    after: { folder: place.folder, tree },
    revision: { key: name, name, op: 'create', skillId: place.id, undoes: null },
    states: [{ ...blankState(name), author: authorOf(by) }],
    accepts: safety.isDangerous ? name : undefined,
  })
  return { id: place.id }
}

/** Plan to write a file of a skill, or with `text` null to remove it. */
export function planFileChange(
  found: FoundSkill,
  change: { path: string; text: string | null; expected?: string | null | undefined },
  by: SkillBy,
  despite: Despite,
  context: EditContext,
): Planned {
  const linked = refuseLinked(found)
  if (linked) return linked
  const tree = context.snapshot.tree(found.folder)
  if (!tree) return { refused: 'This skill is not there any more.', conflict: true }
  const { text, expected } = change
  const isMain = change.path.toLowerCase() === 'skill.md'
  const path = isMain ? mainOf(tree) : change.path
  const inside = resolveSkillPath(found.folder, isMain ? 'SKILL.md' : path, { forWrite: text !== null })
  const verb = text === null ? 'removed' : 'saved'
  if (isRefusal(inside)) return { refused: `${path} was not ${verb}. ${inside.refused}` }
  if (isMain && text === null)
    return { refused: 'SKILL.md is the skill itself. Delete the skill if it should go.' }
  const now = tree.get(path)
  const present = now ? (now.kind === 'file' ? decodeText(now.bytes) : undefined) : null
  if (expected !== undefined && expected !== present) return changedMeanwhile(path, now, expected)
  if (text === null && !now) return { refused: `${path} is not there any more.`, conflict: true }
  if (text === present) return { id: found.id }

  const wrong =
    text === null ? undefined : isMain ? undefined : (refuseFile(path, text) ?? refuseTwin(tree, path))
  if (wrong) return wrong
  const before = now?.kind === 'file' ? now : undefined
  const written = text === null ? undefined : encodeLike(path, text, before?.bytes)
  const entry: TreeEntry | null = written
    ? { kind: 'file', bytes: written.bytes, mode: before?.mode ?? PLAIN }
    : null
  const planned = placeEdit(
    found,
    { tree, next: withEntries(tree, [[path, entry]]), main: isMain ? text : null, despite, isLess: !written },
    by,
    context,
  )
  return written?.note === undefined || isRefusal(planned) ? planned : { ...planned, note: written.note }
}

function changedMeanwhile(path: string, now: TreeEntry | undefined, expected: string | null): SkillRefusal {
  const what = !now
    ? `${path} is not there any more.`
    : expected === null
      ? `${path} is there already.`
      : `${path} was changed meanwhile.`
  return { refused: `Not saved: ${what} Look at it as it is now, and then change that.`, conflict: true }
}

/** Apply an edit in place, under a new name, or to an edited copy. */
function placeEdit(
  found: FoundSkill,
  edit: { tree: Tree; next: Tree; main: string | null; despite: Despite; isLess: boolean },
  by: SkillBy,
  { library, places, snapshot }: EditContext,
): Planned {
  const { tree, next, main } = edit
  const { key, root } = found
  const name = main === null ? found.name : readSkillText(main, found.name).fields.name
  const isRenamed = name !== found.name
  const inPlace = isChangedInPlace(found, by)
  // A foreign folder may be named differently from its skill, so move it only if the skill is renamed.
  const label = isRenamed || (!inPlace && isSkillName(name)) ? name : basename(found.folder)
  const refused =
    (main === null ? undefined : refuseMain(main, label === name ? name : undefined)) ??
    (isRenamed && root.kind !== 'project' ? refuseName(library, name, found) : undefined)
  if (refused) return refused
  const safety = checkEditSafety(found, edit, by, snapshot)
  if (isRefusal(safety)) return safety

  if (inPlace) {
    // A configured folder is never moved.
    const moves = isRenamed && !places.isRoot(found)
    const folder = moves ? siblingFolder(found.folder, label) : found.folder
    if (folder !== found.folder && snapshot.tree(folder)) return placeTaken(folder)
    const newKey = root.kind === 'project' ? `${root.key}/${name}` : name
    const id = folder === found.folder ? found.id : places.idIn(root.key, root.folder, folder)
    const state = snapshot.state(key)
    const left = hasOther(library, found) ? [] : [blankState(key)]
    const states = isRenamed ? [...left, { ...state, key: newKey }] : safety.isAccepted ? [state] : []
    snapshot.add({
      kind: 'edited',
      before: { folder: found.folder, tree },
      after: { folder, tree: next },
      revision: { key: newKey, name, op: 'edit', skillId: id, undoes: null },
      states,
      accepts: safety.isAccepted ? newKey : undefined,
      movedFrom: isRenamed ? { id: found.id, key, name: found.name } : null,
    })
    return { id }
  }

  const above = library.list().find(other => other.found.root.kind === 'own' && other.found.key === name)
  if (above)
    return {
      refused: `There is an edited copy of this skill already (${above.found.id}). Change that one.`,
      conflict: true,
    }
  const place = places.newPlace(found.category, label)
  if (isRefusal(place)) return place
  const copy = filesOnly(next)
  const state = snapshot.state(root.kind === 'project' ? name : key)
  snapshot.add({
    kind: 'appeared',
    before: null,
    after: { folder: place.folder, tree: copy },
    shown: { before: filesOnly(tree), after: copy },
    revision: { key: name, name, op: 'edit', skillId: place.id, undoes: null },
    states: [
      {
        ...(isRenamed ? { ...state, enabled: null, accepted: null } : state),
        key: name,
        author: authorOf(by),
      },
    ],
    accepts: safety.isAccepted ? name : undefined,
    copyOf: found.id,
  })
  return { id: place.id }
}

/** Check the skill after an edit. Removing a file cannot make it more dangerous, so it stays accepted. */
function checkEditSafety(
  { key, folder }: FoundSkill,
  { next, despite, isLess }: { next: Tree; despite: Despite; isLess: boolean },
  by: SkillBy,
  snapshot: Snapshot,
): { isAccepted: boolean } | SkillRefusal {
  const { accepted } = snapshot.state(key)
  if (isLess) return { isAccepted: accepted !== null && accepted === digestOf(folder) }
  const safety = checkSafety(next, by, despite)
  return isRefusal(safety) ? safety : { isAccepted: safety.isDangerous }
}

/** Whether another skill shares this skill's state, such as the original under an edited copy. */
export const hasOther = (library: Library, { key, id }: FoundSkill): boolean =>
  library.list().some(({ found }) => found.key === key && found.id !== id)

const authorOf = ({ actor }: SkillBy): SkillState['author'] =>
  actor === 'agent' || actor === 'review' ? 'agent' : 'you'
