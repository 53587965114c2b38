import { basename } from 'node:path'
import type { SkillFileChange } from '../../../shared/contract/learned/skills.ts'
import type { SkillState, StoredSkillRevision } from '../../db/learning/skill-tables.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import type { SkillRefusal } from '../skill-types.ts'
import { type Archive, type Trace, isAsLogged, loggedBytes } from './archive.ts'
import { refuseMain } from './refuse-edit.ts'
import type { SkillChange, Snapshot } from './skill-snapshot.ts'
import { refusePinned } from './manage-skill.ts'
import { mergeLines } from './merge-lines.ts'
import { siblingFolder, placeTaken } from './skill-folders.ts'
import {
  digestOfTree,
  EMPTY,
  filesOnly,
  mainOf,
  PLAIN,
  textOf,
  withEntries,
  type Tree,
  type TreeEntry,
} from './folder-tree.ts'
import type { EditContext } from './edit-skill.ts'

type Parts = EditContext & { archive: Archive }

/** Plan to undo a revision. Later changes are kept where possible. */
export function planUndo(revision: StoredSkillRevision, parts: Parts): SkillRefusal | undefined {
  const { archive, places, snapshot } = parts
  const trace = archive.trace(revision.archive)
  if (revision.archive !== null && !trace) return lostArchive(revision)
  const folder = places.folderOf(revision.skillId) ?? trace?.folder
  if (folder === undefined) return gone(revision)
  const change = inverse(revision, trace, folder, parts)
  if (isRefusal(change)) return change
  snapshot.add({ ...change, states: statesBefore(trace, snapshot) })
  return undefined
}

type Inverse = Omit<SkillChange, 'states'>
type Op = SkillChange['revision']['op']

const OPPOSITES: Partial<Record<Op, Op>> = {
  enable: 'disable',
  disable: 'enable',
  pin: 'unpin',
  unpin: 'pin',
}

function inverse(
  revision: StoredSkillRevision,
  trace: Trace | undefined,
  folder: string,
  parts: Parts,
): Inverse | SkillRefusal {
  const { archive, snapshot } = parts
  const { id: undoes, key, name, skillId } = revision
  const as = (op: Op) => ({ key, name, op, skillId, undoes })
  const kind = trace?.kind ?? 'edited'
  if (kind === 'switched')
    return { kind, before: null, after: null, revision: as(OPPOSITES[revision.op] ?? 'enable') }

  const linked = parts.places.refuseLinkedPlace(skillId)
  if (linked) return linked
  const tree = snapshot.tree(folder)
  if (kind === 'vanished') {
    if (tree) return placeTaken(folder)
    const rival = rivalOf(revision, parts)
    if (rival) return rival
    const kept = archive.tree(revision.archive)
    if (!kept) return lostArchive(revision)
    const original = originalOf(trace!, parts)
    return {
      kind: 'appeared',
      before: null,
      after: { folder, tree: kept },
      shown: { before: original, after: kept },
      revision: as('restore'),
      copyOf: trace!.copyOf,
    }
  }
  if (!tree) return gone(revision)
  const isAsItWas = trace?.digest != null && digestOfTree(tree) === trace.digest
  if (kind === 'appeared' && isAsItWas) {
    const pinned = trace.copyOf === null ? refusePinned(name, snapshot.state(key)) : undefined
    if (pinned) return pinned
    return {
      kind: 'vanished',
      before: { folder, tree },
      after: null,
      shown: { before: tree, after: originalOf(trace, parts) },
      revision: as(trace.copyOf === null ? 'delete' : 'reset'),
      copyOf: trace.copyOf,
    }
  }
  if (kind === 'replaced') {
    const kept = archive.tree(revision.archive)
    if (!kept) return lostArchive(revision)
    if (!isAsItWas) return changedSince(revision)
    return { kind, before: { folder, tree }, after: { folder, tree: kept }, revision: as('restore') }
  }
  // If an edited copy has been changed since, undo only this change.
  if (kind === 'appeared' && trace!.copyOf === null) return changedSince(revision)
  const back = withoutEdit(tree, revision, trace, archive)
  if (isRefusal(back)) return back
  const from = trace?.movedFrom
  const target = from ? siblingFolder(folder, basename(from.id)) : folder
  if (target !== folder && snapshot.tree(target)) return placeTaken(target)
  return {
    kind: 'edited',
    before: { folder, tree },
    after: { folder: target, tree: back.tree },
    revision: from ? { ...as('edit'), key: from.key, name: from.name, skillId: from.id } : as('edit'),
    movedFrom: from ? { id: skillId, key, name } : null,
  }
}

/** Refuse to restore a skill whose name another skill of the user has now. */
function rivalOf(
  { name, skillId }: StoredSkillRevision,
  { library, snapshot }: Parts,
): SkillRefusal | undefined {
  const rival = library
    .list()
    .map(({ found }) => found)
    .find(each => each.root.kind === 'own' && each.name === name && each.id !== skillId)
  if (!skillId.startsWith('own/') || !rival || !snapshot.tree(rival.folder)) return undefined
  return {
    refused: `Another skill is now called ${name} (${rival.id}). Rename one of them first.`,
    conflict: true,
  }
}

/** The files of the original under an edited copy, if it still exists. */
function originalOf({ copyOf }: Trace, { library, snapshot }: Parts): Tree {
  const original = copyOf === null ? undefined : library.get(copyOf)
  return filesOnly((original && snapshot.tree(original.found.folder)) ?? EMPTY)
}

/**
 * The tree without one edit. If a text has changed since, undo only this edit's lines, and only if no later
 * change touched them. So undoing an old change loses no newer one.
 */
function withoutEdit(
  tree: Tree,
  revision: StoredSkillRevision,
  trace: Trace | undefined,
  archive: Archive,
): { tree: Tree } | SkillRefusal {
  const changes: [string, TreeEntry | null][] = []
  let mergedMain: string | undefined
  for (const file of revision.files) {
    const now = tree.get(file.path)
    if (isAsLogged(now, file, file.before)) continue
    if (isAsLogged(now, file, file.after)) {
      const entry = entryBefore(file, trace?.modes[file.path] ?? modeOf(now), archive)
      if (entry === undefined) return lostArchive(revision)
      changes.push([file.path, entry])
      continue
    }
    const merged = mergedText(file, textOf(now))
    if (merged === undefined) return changedSince(revision, file.path)
    if (file.path === mainOf(tree)) mergedMain = merged
    changes.push([file.path, { kind: 'file', bytes: Buffer.from(merged), mode: modeOf(now) }])
  }
  if (mergedMain !== undefined && refuseMain(mergedMain)) return changedSince(revision)
  return { tree: withEntries(tree, changes) }
}

const mergedText = ({ binary, before, after }: SkillFileChange, now: string | undefined) =>
  binary || before === null || after === null || now === undefined
    ? undefined
    : mergeLines({ base: after, ours: now, theirs: before })

const modeOf = (entry: TreeEntry | undefined) => (entry?.kind === 'file' ? entry.mode : PLAIN)

/** A file as it was before a change; null if it did not exist, undefined if the archive lost it. */
export function entryBefore(
  file: SkillFileChange,
  mode: number,
  archive: Archive,
): TreeEntry | null | undefined {
  if (file.before === null) return null
  const bytes = loggedBytes(file, file.before, archive.bytes)
  return bytes && { kind: 'file', bytes, mode }
}

/** The states before a change. Only fields that still have the value from the change are reset. */
export function statesBefore(trace: Trace | undefined, snapshot: Snapshot): SkillState[] {
  return (trace?.states ?? []).map(({ before, after }) => {
    const now = snapshot.state(after.key)
    const isSame = (field: keyof SkillState) => JSON.stringify(now[field]) === JSON.stringify(after[field])
    return {
      key: after.key,
      enabled: isSame('enabled') ? before.enabled : now.enabled,
      author: isSame('author') ? before.author : now.author,
      source: isSame('source') ? before.source : now.source,
      pinned: isSame('pinned') ? (before.pinned ?? false) : now.pinned,
      // An acceptance applies to one exact content, which is being restored.
      accepted: before.accepted,
    }
  })
}

const gone = ({ name }: StoredSkillRevision): SkillRefusal => ({
  refused: `${name} has been deleted, renamed or moved since. Undo that first.`,
  conflict: true,
})
const changedSince = ({ name }: StoredSkillRevision, path?: string): SkillRefusal => ({
  refused: `${path === undefined ? name : `${path} of ${name}`} has been changed again since, in the same place. Undo the later change first, or restore a version from the history.`,
  conflict: true,
})
export const lostArchive = ({ name }: StoredSkillRevision): SkillRefusal => ({
  refused: `The earlier version of ${name} is no longer in the archive, so it cannot be restored.`,
})
