import { basename } from 'node:path'
import type { SkillState, StoredSkillRevision } from '../../db/learning/skill-tables.ts'
import type { Store } from '../../db/store.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import type { SkillBy, SkillRefusal } from '../skill-types.ts'
import type { Archive, Trace } from './archive.ts'
import { siblingFolder, placeTaken } from './skill-folders.ts'
import { entryBefore, lostArchive, statesBefore } from './undo-revision.ts'
import {
  filesOnly,
  isSameEntry,
  mainOf,
  PLAIN,
  withEntries,
  type Tree,
  type TreeEntry,
} from './folder-tree.ts'
import type { EditContext } from './edit-skill.ts'

type Parts = EditContext & { archive: Archive; store: Pick<Store['skills'], 'history'> }

const PAGE = 200

/**
 * Plan to restore all files of a skill as they were before or after a revision. The old version is rebuilt by
 * undoing every later change, starting from the current files.
 */
export function planRestore(
  revision: StoredSkillRevision,
  version: 'before' | 'after',
  by: SkillBy,
  parts: Parts,
): SkillRefusal | undefined {
  const { places, snapshot, archive, library } = parts
  const folder = places.folderOf(revision.skillId) ?? archive.trace(revision.archive)?.folder
  if (folder === undefined) return { refused: 'Talaria no longer reads the folder of this skill.' }
  const linked = places.refuseLinkedPlace(revision.skillId)
  if (linked) return linked
  const root = library.get(revision.skillId)?.found.root.kind
  if (by.actor !== 'you' && root !== 'own' && root !== undefined)
    return { refused: `Only the user restores versions of ${revision.name}.` }
  const now = snapshot.tree(folder)
  const past = walkBack(now, revision, version, parts)
  if (isRefusal(past)) return past
  const { tree, moved, went } = past
  if (!tree?.has(mainOf(tree))) {
    const when = version === 'before' ? 'Before' : 'After'
    return { refused: `${when} this change there was no skill ${revision.name} here.` }
  }
  const where = moved ?? { id: revision.skillId, key: revision.key, name: revision.name }
  const target = moved ? siblingFolder(folder, basename(moved.id)) : folder
  if (target !== folder && snapshot.tree(target)) return placeTaken(target)
  const change = { key: where.key, name: where.name, op: 'restore' as const, skillId: where.id, undoes: null }
  if (!now) {
    snapshot.add({
      kind: 'appeared',
      before: null,
      after: { folder: target, tree },
      revision: change,
      states: statesBefore(went, snapshot),
      copyOf: went?.copyOf ?? null,
    })
    return undefined
  }
  snapshot.add({
    kind: revision.skillId.startsWith('imported/') ? 'replaced' : 'edited',
    before: { folder, tree: now },
    after: { folder: target, tree: withLinksOf(now, tree) },
    revision: change,
    states: moved ? movedState(snapshot.state(revision.key), moved.key) : [],
    movedFrom: moved ? { id: revision.skillId, key: revision.key, name: revision.name } : null,
  })
  return undefined
}

type Past = {
  tree: Tree | undefined
  moved: Trace['movedFrom']
  /** The trace of its last removal, if the skill no longer exists. */ went: Trace | undefined
}

function walkBack(
  now: Tree | undefined,
  { id: target, key, skillId }: StoredSkillRevision,
  version: 'before' | 'after',
  { archive, store }: Parts,
): Past | SkillRefusal {
  const past: Past = { tree: now, moved: null, went: undefined }
  for (const revision of newestFirst(store, key)) {
    if (revision.id < target || (revision.id === target && version === 'after')) break
    if (revision.skillId !== (past.moved?.id ?? skillId)) continue
    const trace = archive.trace(revision.archive)
    if (revision.archive !== null && !trace) return lostArchive(revision)
    switch (trace?.kind ?? 'edited') {
      case 'switched':
        break
      case 'vanished':
      case 'replaced': {
        const kept = archive.tree(revision.archive)
        if (!kept) return lostArchive(revision)
        if (!now && trace?.kind === 'vanished') past.went ??= trace
        past.tree = kept
        break
      }
      case 'appeared':
        if (trace!.copyOf === null || revision.id !== target) past.tree = undefined
        else past.tree &&= undoneIn(past.tree, revision, trace, archive)
        break
      case 'edited':
        if (past.tree) {
          const tree = undoneIn(past.tree, revision, trace, archive)
          if (!tree) return lostArchive(revision)
          past.tree = tree
        }
        past.moved = trace?.movedFrom ?? past.moved
    }
  }
  return past
}

function* newestFirst(store: Parts['store'], key: string): Generator<StoredSkillRevision, void, void> {
  for (let before: number | undefined; ;) {
    const { revisions, more } = store.history({ key, limit: PAGE, ...(before !== undefined && { before }) })
    yield* revisions
    before = revisions.at(-1)?.id
    if (!more) return
  }
}

/** A tree with the files as they were before a revision; undefined if one of them is lost. */
function undoneIn(
  tree: Tree,
  { files }: StoredSkillRevision,
  trace: Trace | undefined,
  archive: Archive,
): Tree | undefined {
  const changes: [string, TreeEntry | null][] = []
  for (const file of files) {
    const now = tree.get(file.path)
    const mode = trace?.modes[file.path] ?? (now?.kind === 'file' ? now.mode : PLAIN)
    const entry = entryBefore(file, mode, archive)
    if (entry === undefined) return undefined
    changes.push([file.path, entry])
  }
  return withEntries(tree, changes)
}

/** Versions contain neither links nor `.git`, so those stay as they are. */
function withLinksOf(now: Tree, past: Tree): Tree {
  const files = filesOnly(past)
  const others = [...now].filter(([path, entry]) => !isSameEntry(filesOnly(now).get(path), entry))
  return withEntries(files, others)
}

const movedState = (state: SkillState, key: string): SkillState[] => [{ ...state, key }]
