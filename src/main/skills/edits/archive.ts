import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SkillState } from '../../db/skill-tables.ts'
import { tryFs, type Disk } from './disk.ts'
import { digestOfBytes, readTree, writeTree, type Tree } from './tree.ts'

/** The former id, key and name of a skill. */
export type SkillLocation = { id: string; key: string; name: string }

/** What a change did to a skill beyond the files in the log. */
export type Trace = {
  /** `edited` includes moves; `switched` is on or off. */
  kind: 'appeared' | 'vanished' | 'replaced' | 'edited' | 'switched'
  /** The folder after the change, or before it when the skill vanished. */
  folder: string
  movedFrom: SkillLocation | null
  /** The id of the original of an edited copy. */
  copyOf: string | null
  /** Digest of the content after the skill appeared or was replaced. */
  digest: string | null
  /** Permission bits of files that can be run. */
  modes: Readonly<Record<string, number>>
  states: readonly { before: SkillState; after: SkillState }[]
}

/** Deleted and replaced files in `archive/skills`, so that every change can be undone. */
export type Archive = ReturnType<typeof openArchive>

/** Open the archive of a home folder. Archived files never change. */
export function openArchive(home: string, disk: Disk) {
  const root = join(home, 'archive', 'skills')
  const kept = (digest: string) => join(root, 'files', digest)

  return {
    root,
    /** Save the traces of one change under the names that its revisions use. */
    putTraces(change: string, traces: Readonly<Record<string, Trace>>) {
      disk.makeFolder(join(root, change))
      disk.write(
        join(root, change, 'change.json'),
        Buffer.from(`${JSON.stringify(traces, null, 2)}\n`),
        0o600,
      )
    },
    putTree: (name: string, tree: Tree) => writeTree(join(root, name), tree, disk),
    /** Save a binary file under its digest. Returns the path if the file is new. */
    putBytes(bytes: Uint8Array): string | undefined {
      const path = kept(digestOfBytes(bytes))
      if (tryFs(() => readFileSync(path))?.equals(bytes)) return undefined
      disk.makeFolder(dirname(path))
      disk.remove(path)
      disk.write(path, bytes, 0o600)
      return path
    },
    bytes(digest: string): Buffer | undefined {
      const bytes = tryFs(() => readFileSync(kept(digest)))
      return bytes && digestOfBytes(bytes) === digest ? bytes : undefined
    },
    /** The trace of a revision; undefined when it has none or the archive was emptied. */
    trace(name: string | null): Trace | undefined {
      if (name === null) return undefined
      const text = tryFs(() => readFileSync(join(root, dirname(name), 'change.json'), 'utf8'))
      return text === undefined ? undefined : (JSON.parse(text) as Record<string, Trace>)[basename(name)]
    },
    tree: (name: string | null): Tree | undefined => (name === null ? undefined : readTree(join(root, name))),
  }
}
