import { basename } from 'node:path'
import type { SkillState } from '../../store/types.ts'
import { insideSkill } from '../library/inside-skill.ts'
import { digestOf } from '../library/parts.ts'
import { decodeText } from '../library/texts.ts'
import { readSkillText } from '../read/read-skill.ts'
import type { FoundSkill, Library, SkillBy, SkillRefusal } from '../types.ts'
import { isName, judge, refuseFile, refuseMain, refuseTwin } from './check-skill.ts'
import { blankState, type Scene } from './draft.ts'
import { beside, isChangedInPlace, refuseName, placeTaken, type Places } from './places.ts'
import { fileOf, filesOnly, mainOf, PLAIN, withEntries, type Tree, type TreeEntry } from './tree.ts'

export type Surroundings = { library: Library; places: Places; scene: Scene }
/** What was planned goes into the scene. */
export type Planned = { id: string } | SkillRefusal

/** The folders that files of a skill lie in, for checking paths before the skill has a folder. */
const FOLDERS = /^(references|templates|scripts|assets)\/./

/** Plan a new skill. */
export function draftNew(
  skill: { name: string; category: string; text: string; files?: readonly { path: string; text: string }[] },
  by: SkillBy,
  despite: boolean,
  { library, places, scene }: Surroundings,
): Planned {
  const { name, category, text, files = [] } = skill
  const refused = refuseName(library, name) ?? refuseMain(text, name)
  if (refused) return refused
  if (readSkillText(text, name).fields.name !== name)
    return { refused: `SKILL.md was not saved: its front matter must say “name: ${name}”.` }
  const place = places.fresh(category, name)
  if ('refused' in place) return place
  let tree: Tree = new Map([['SKILL.md', fileOf(text)]])
  for (const file of files) {
    // The home folder stands for a folder that is still to be made: what is asked is only whether the path is one.
    const inside = FOLDERS.test(file.path)
      ? insideSkill(places.home, file.path, { forWrite: true })
      : undefined
    if (!inside || 'refused' in inside) {
      const why = inside?.refused ?? 'Files lie below references/, templates/, scripts/ or assets/.'
      return { refused: `${file.path} was not saved. ${why}` }
    }
    const wrong = refuseFile(file.path, file.text) ?? refuseTwin(tree, file.path)
    if (wrong) return wrong
    tree = withEntries(tree, [[file.path, fileOf(file.text)]])
  }
  const judged = judge(tree, by, despite)
  if ('refused' in judged) return judged
  scene.add({
    kind: 'appeared',
    before: null,
    after: { folder: place.folder, tree },
    revision: { key: name, name, op: 'create', skillId: place.id, undoes: null },
    states: [{ key: name, enabled: null, accepted: null, author: authorOf(by), source: null }],
    accepts: judged.isDangerous ? name : undefined,
  })
  return { id: place.id }
}

/** Plan to write a file of a skill, or with `text` null to remove it. */
export function draftFile(
  found: FoundSkill,
  change: { path: string; text: string | null; expected?: string | null | undefined },
  by: SkillBy,
  despite: boolean,
  surroundings: Surroundings,
): Planned {
  const tree = surroundings.scene.tree(found.folder)
  if (!tree) return { refused: 'This skill is not there any more.', conflict: true }
  const { text, expected } = change
  const isMain = change.path.toLowerCase() === 'skill.md'
  const path = isMain ? mainOf(tree) : change.path
  const inside = insideSkill(found.folder, isMain ? 'SKILL.md' : path, { forWrite: text !== null })
  const verb = text === null ? 'removed' : 'saved'
  if ('refused' in inside) return { refused: `${path} was not ${verb}. ${inside.refused}` }
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
  const mode = now?.kind === 'file' ? now.mode : PLAIN
  const next = withEntries(tree, [[path, text === null ? null : fileOf(text, mode)]])
  return placeEdit(
    found,
    { tree, next, main: isMain ? text : null, despite, isLess: text === null },
    by,
    surroundings,
  )
}

function changedMeanwhile(path: string, now: TreeEntry | undefined, expected: string | null): SkillRefusal {
  const what = !now
    ? `${path} is not there any more.`
    : expected === null
      ? `${path} is there already.`
      : `${path} was changed meanwhile.`
  return { refused: `Not saved: ${what} Look at it as it is now, and then change that.`, conflict: true }
}

/** Put an edit where it belongs: in place, under another name, or into an edited copy. */
function placeEdit(
  found: FoundSkill,
  edit: { tree: Tree; next: Tree; main: string | null; despite: boolean; isLess: boolean },
  by: SkillBy,
  { library, places, scene }: Surroundings,
): Planned {
  const { tree, next, main } = edit
  const { key, root } = found
  const name = main === null ? found.name : readSkillText(main, found.name).fields.name
  const isRenamed = name !== found.name
  const inPlace = isChangedInPlace(found, by)
  // A foreign folder may have another name than its skill; then only a new name is a reason to move it.
  const label = isRenamed || (!inPlace && isName(name)) ? name : basename(found.folder)
  const refused =
    (main === null ? undefined : refuseMain(main, label === name ? name : undefined)) ??
    (isRenamed && root.kind !== 'project' ? refuseName(library, name, found) : undefined)
  if (refused) return refused
  const judged = judgeEdit(found, edit, by, scene)
  if ('refused' in judged) return judged

  if (inPlace) {
    // A folder that the configuration names stays where it is.
    const moves = isRenamed && !places.isRoot(found)
    const folder = moves ? beside(found.folder, label) : found.folder
    if (folder !== found.folder && scene.tree(folder)) return placeTaken(folder)
    const newKey = root.kind === 'project' ? `${root.key}/${name}` : name
    const id = folder === found.folder ? found.id : places.idIn(root.key, root.folder, folder)
    const state = scene.state(key)
    const left = hasOther(library, found) ? [] : [blankState(key)]
    const states = isRenamed ? [...left, { ...state, key: newKey }] : judged.isAccepted ? [state] : []
    scene.add({
      kind: 'edited',
      before: { folder: found.folder, tree },
      after: { folder, tree: next },
      revision: { key: newKey, name, op: 'edit', skillId: id, undoes: null },
      states,
      accepts: judged.isAccepted ? newKey : undefined,
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
  const place = places.fresh(found.category, label)
  if ('refused' in place) return place
  const copy = filesOnly(next)
  const state = scene.state(root.kind === 'project' ? name : key)
  scene.add({
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
    accepts: judged.isAccepted ? name : undefined,
    copyOf: found.id,
  })
  return { id: place.id }
}

/** Taking a file away makes nothing more dangerous: what was accepted stays so, and what was not does not become it. */
function judgeEdit(
  { key, folder }: FoundSkill,
  { next, despite, isLess }: { next: Tree; despite: boolean; isLess: boolean },
  by: SkillBy,
  scene: Scene,
): { isAccepted: boolean } | SkillRefusal {
  const { accepted } = scene.state(key)
  if (isLess) return { isAccepted: accepted !== null && accepted === digestOf(folder) }
  const judged = judge(next, by, despite)
  return 'refused' in judged ? judged : { isAccepted: judged.isDangerous }
}

/** Whether what is known under the key of a skill also concerns another, such as the original below an edited copy. */
export const hasOther = (library: Library, { key, id }: FoundSkill): boolean =>
  library.list().some(({ found }) => found.key === key && found.id !== id)

const authorOf = ({ actor }: SkillBy): SkillState['author'] =>
  actor === 'agent' || actor === 'review' ? 'agent' : 'you'
