import { lstatSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { setImmediate as macrotask } from 'node:timers/promises'
import type { Delegated } from '../../shared/contract/runs/delegation.ts'
import type { AroundCommand } from '../agent/turn-types.ts'
import { walkFolder, withSlashes } from '../files/walk-folder.ts'

/** Maximum entries in a folder, without those ignored by git. Watching a larger folder costs too much. */
const MOST_ENTRIES = 3_000
/** How many entries to read before yielding to other work. */
const AT_ONCE = 200
const MOST_NAMED = 50
const ANY_DEPTH = 30

/** The files of a folder at one moment: path in the folder, and a value that changes with the file. */
type Snapshot = ReadonlyMap<string, string>

type Changed = NonNullable<Delegated['changed']>

/**
 * Watch the folder of a sub-agent before and after each of its commands. `told` gets the changes of all its
 * commands so far. A change may come from somebody else who worked there at the same time.
 */
export function watchCommands(told: (changed: Changed) => void, most = MOST_ENTRIES): AroundCommand {
  const paths = new Set<string>()
  const known = new Set<string>()
  let isTooLarge = false
  const nothing = async () => {}
  const tell = () =>
    told({
      paths: [...paths].toSorted().slice(0, MOST_NAMED),
      more: Math.max(0, paths.size - MOST_NAMED),
      commands: known.size,
    })

  return async ({ call, folder, mayWrite }) => {
    const { action } = call.arguments
    // A background command may change files at any time.
    if (action !== undefined && action !== 'run') return nothing
    if (!mayWrite) {
      known.add(call.id)
      return async () => tell()
    }
    const before = isTooLarge ? undefined : await takeSnapshot(folder, most)
    if (!before) {
      isTooLarge = true
      return nothing
    }
    return async () => {
      const after = await takeSnapshot(folder, most)
      if (!after) return
      const changed = changesBetween(before, after)
      for (const path of changed) paths.add(path)
      // If the ignore rules changed, the two snapshots cover different files.
      if (!changed.some(path => basename(path) === '.gitignore')) known.add(call.id)
      tell()
    }
  }
}

/** The current files of a folder; undefined if there are too many. */
async function takeSnapshot(folder: string, most: number): Promise<Snapshot | undefined> {
  const files = new Map<string, string>()
  let count = 0
  for (const { path, kind } of walkFolder(folder, { depth: ANY_DEPTH, hidden: true })) {
    if (++count > most) return undefined
    if (count % AT_ONCE === 0) await macrotask()
    if (kind === 'folder') continue
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats)
      files.set(
        withSlashes(relative(folder, path)),
        `${stats.mtimeMs} ${stats.ctimeMs} ${stats.size} ${stats.ino}`,
      )
  }
  return files
}

function changesBetween(before: Snapshot, after: Snapshot): string[] {
  const written = [...after].filter(([path, now]) => before.get(path) !== now).map(([path]) => path)
  const gone = [...before.keys()].filter(path => !after.has(path))
  return [...written, ...gone]
}
