import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SkillState } from '../../store/types.ts'
import { reasonlessly } from './reasonlessly.ts'
import type { Disk } from './disk.ts'
import { digestOfBytes, readTree, writeTree, type Tree } from './tree.ts'

/** Where a skill was, and what it was known under. */
export type Whereabouts = { id: string; key: string; name: string }

/** What a change did to a skill, as far as the log does not say. */
export type Trace = {
  /** The skill came, went, was replaced as a whole, was edited in place or moved, or was switched on or off. */
  kind: 'appeared' | 'vanished' | 'replaced' | 'edited' | 'switched'
  /** Where it lay after the change, or before when it went. */
  folder: string
  movedFrom: Whereabouts | null
  /** The id of the original that an edited copy was made of, or lay over. */
  copyOf: string | null
  /** Tells the content that it had after it came or was replaced. */
  digest: string | null
  /** Permission bits of files that can be run. */
  modes: Readonly<Record<string, number>>
  states: readonly { before: SkillState; after: SkillState }[]
}

/** What changes put aside, in `archive/skills`, so that nothing is ever lost. */
export type Archive = ReturnType<typeof openArchive>

/** Open the archive of a home folder. What is put aside there never changes. */
export function openArchive(home: string, disk: Disk) {
  const root = join(home, 'archive', 'skills')
  const kept = (digest: string) => join(root, 'files', digest)

  return {
    root,
    /** Keep the traces of one change, by the names that its revisions have for them. */
    putTraces(change: string, traces: Readonly<Record<string, Trace>>) {
      disk.makeFolder(join(root, change))
      disk.write(
        join(root, change, 'change.json'),
        Buffer.from(`${JSON.stringify(traces, null, 2)}\n`),
        0o600,
      )
    },
    putTree: (name: string, tree: Tree) => writeTree(join(root, name), tree, disk),
    /** Keep a file that is no text under what tells its bytes; returns the path when it was not there before. */
    putBytes(bytes: Uint8Array): string | undefined {
      const path = kept(digestOfBytes(bytes))
      if (reasonlessly(() => readFileSync(path))?.equals(bytes)) return undefined
      disk.makeFolder(dirname(path))
      disk.remove(path)
      disk.write(path, bytes, 0o600)
      return path
    },
    bytes(digest: string): Buffer | undefined {
      const bytes = reasonlessly(() => readFileSync(kept(digest)))
      return bytes && digestOfBytes(bytes) === digest ? bytes : undefined
    },
    /** The trace that a revision names, or undefined when it has none or the archive was emptied. */
    trace(name: string | null): Trace | undefined {
      if (name === null) return undefined
      const text = reasonlessly(() => readFileSync(join(root, dirname(name), 'change.json'), 'utf8'))
      return text === undefined ? undefined : (JSON.parse(text) as Record<string, Trace>)[basename(name)]
    },
    tree: (name: string | null): Tree | undefined => (name === null ? undefined : readTree(join(root, name))),
  }
}
