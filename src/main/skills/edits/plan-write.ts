import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import type { NewSkillRevision, SkillState } from '../../db/learning/skill-tables.ts'
import type { SkillBy } from '../skill-types.ts'
import { type Trace, logFiles } from './archive.ts'
import type { Placed, PlannedChange } from './skill-snapshot.ts'
import { differingPaths, digestOfTree, EMPTY, type Tree } from './folder-tree.ts'

/**
 * One rename. One of its ends is a path unique to this change, which shows whether the step is done. `old` is
 * a copy of the file that `to` replaces, for rollback. Empty folders are removed up to `within`.
 */
export type RenameStep = {
  from: string
  to: string
  unique: 'from' | 'to'
  old: string | null
  within: string
}

/** A change as it is stored until it is complete; plain JSON. */
export type WritePlan = {
  id: string
  /** Folders next to the skills in which the new files are prepared. */
  areas: string[]
  /** Folders that do not exist yet, outermost first. */
  folders: string[]
  /** The folder of the change in the archive, if it has one. */
  archive: string | null
  steps: RenameStep[]
  revisions: NewSkillRevision[]
  states: SkillState[]
  /** States that will record the new content of a folder as accepted. */
  accepts: { key: string; folder: string }[]
}

/** Files to prepare before the first rename. */
export type PreparedFiles = {
  trees: { path: string; tree: Tree }[]
  files: { path: string; bytes: Buffer; mode: number }[]
  asides: { name: string; tree: Tree }[]
  keep: Buffer[]
  traces: Record<string, Trace>
}

/** Plan the files to prepare and the renames that carry out the changes. */
export function planWrite(
  changes: readonly PlannedChange[],
  by: SkillBy,
  { id, at, roots, archive }: { id: string; at: number; roots: readonly string[]; archive: string },
): { plan: WritePlan; load: PreparedFiles } {
  const areas = new Set<string>()
  const steps: RenameStep[] = []
  const load: PreparedFiles = { trees: [], files: [], asides: [], keep: [], traces: {} }
  let count = 0
  const unique = (folder: string) => {
    const area = join(dirname(folder), `.changing-${id}`)
    areas.add(area)
    return join(area, String(count++))
  }
  const put = (folder: string, tree: Tree) => {
    const from = unique(folder)
    load.trees.push({ path: from, tree })
    steps.push({ from, to: folder, unique: 'from', old: null, within: rootOf(folder) })
  }
  const take = (path: string, folder: string) => {
    const within = path === folder ? rootOf(folder) : folder
    steps.push({ from: path, to: unique(folder), unique: 'to', old: null, within })
  }
  /** Move a folder to the archive, or copy it if the archive is on another disk. */
  const setAside = ({ folder, tree }: Placed, name: string) => {
    if (diskOf(dirname(folder)) === diskOf(archive)) {
      const to = join(archive, name)
      steps.push({ from: folder, to, unique: 'to', old: null, within: rootOf(folder) })
    } else {
      load.asides.push({ name, tree })
      take(folder, folder)
    }
  }
  /** Folders of a project stay even when they become empty. */
  const rootOf = (folder: string) => roots.find(root => folder.startsWith(root + sep)) ?? dirname(folder)

  function edit(folder: string, before: Tree, after: Tree): void {
    for (const path of differingPaths(before, after)) {
      const [was, is] = [before.get(path), after.get(path)]
      const full = join(folder, path)
      if (is?.kind !== 'file') {
        if (was?.kind === 'file') take(full, folder)
        continue
      }
      const from = unique(folder)
      load.files.push({ path: from, bytes: is.bytes, mode: is.mode })
      const old = was?.kind === 'file' ? unique(folder) : null
      if (was?.kind === 'file') load.files.push({ path: old!, bytes: was.bytes, mode: was.mode })
      steps.push({ from, to: full, unique: 'from', old, within: folder })
    }
  }

  const revisions = changes.map((change, index): NewSkillRevision => {
    const { before, after, kind } = change
    const shown = change.shown ?? { before: before?.tree ?? EMPTY, after: after?.tree ?? EMPTY }
    const files = logFiles(shown.before, shown.after)
    const name = `${id}/${index}-${basename((before ?? after)?.folder ?? change.revision.key)}`
    const trace = traceOf(change, shown)
    if (trace) load.traces[basename(name)] = trace
    // An edit archives only what the log cannot hold.
    if (before && kind === 'edited')
      for (const file of files) {
        const entry = file.binary ? before.tree.get(file.path) : undefined
        if (entry?.kind === 'file') load.keep.push(entry.bytes)
      }
    if (before && after && kind === 'edited' && before.folder === after.folder)
      edit(after.folder, before.tree, after.tree)
    else {
      if (before && kind === 'edited') take(before.folder, before.folder)
      else if (before) setAside(before, name)
      if (after) put(after.folder, after.tree)
    }
    return { ...change.revision, ...by, at, files, archive: trace ? name : null }
  })

  const states = new Map(
    changes.flatMap(each => (each.states ?? []).map(state => [state.key, state] as const)),
  )
  return {
    plan: {
      id,
      areas: [...areas],
      folders: missingFolders([...areas].map(area => dirname(area))),
      archive: Object.keys(load.traces).length > 0 ? id : null,
      steps,
      revisions,
      states: [...states.values()],
      accepts: changes.flatMap(({ accepts, after }) =>
        accepts !== undefined && after ? [{ key: accepts, folder: after.folder }] : [],
      ),
    },
    load,
  }
}

/** The effects of a change that the log does not show; undefined if there are none. */
function traceOf(change: PlannedChange, shown: { before: Tree; after: Tree }): Trace | undefined {
  const { kind, before, after, states = [], statesBefore, movedFrom = null, copyOf = null } = change
  const modes = Object.fromEntries(
    [...shown.before, ...shown.after].flatMap(([path, entry]) =>
      entry.kind === 'file' && (entry.mode & 0o111) !== 0 ? [[path, entry.mode]] : [],
    ),
  )
  const changed = differingPaths(shown.before, shown.after)
  const isPlain = kind === 'edited' && states.length === 0 && !movedFrom
  if (isPlain && !changed.some(path => path in modes)) return undefined
  return {
    kind,
    folder: (after ?? before)?.folder ?? '',
    movedFrom,
    copyOf,
    digest: after && kind !== 'edited' ? digestOfTree(after.tree) : null,
    modes,
    states: states.map((known, index) => ({ before: statesBefore[index]!, after: known })),
  }
}

/** Those of the folders and their parents that do not exist, outermost first. */
function missingFolders(folders: readonly string[]): string[] {
  const missing = new Set<string>()
  for (const folder of folders)
    for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.add(at)
  return [...missing].toSorted((a, b) => a.length - b.length)
}

/** The device number of the disk that a folder is on, or will be on. */
function diskOf(folder: string): number {
  const stats = statSync(folder, { throwIfNoEntry: false })
  return stats ? stats.dev : diskOf(dirname(folder))
}
