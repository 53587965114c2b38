import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SkillState } from '../../db/learning/skill-tables.ts'
import {
  tryFs,
  type Disk,
  digestOfBytes,
  readTree,
  writeTree,
  type Tree,
  differingPaths,
  isOfGit,
  mainOf,
  textOf,
  type TreeEntry,
} from './folder-tree.ts'
import type { SkillFileChange } from '../../../shared/contract/learned/skills.ts'

/** The former id, key and name of a skill. */
export type SkillLocation = { id: string; key: string; name: string }

/** The effects of a change on a skill that the log of files does not show. */
export type Trace = {
  /** `edited` includes moves; `switched` is on or off. */
  kind: 'appeared' | 'vanished' | 'replaced' | 'edited' | 'switched'
  /** The folder after the change, or before it if the skill vanished. */
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
    /** The trace of a revision; undefined if it has none or the archive was emptied. */
    trace(name: string | null): Trace | undefined {
      if (name === null) return undefined
      const text = tryFs(() => readFileSync(join(root, dirname(name), 'change.json'), 'utf8'))
      return text === undefined ? undefined : (JSON.parse(text) as Record<string, Trace>)[basename(name)]
    },
    tree: (name: string | null): Tree | undefined => (name === null ? undefined : readTree(join(root, name))),
  }
}

/** Longer texts, and texts beyond the total for one log entry, go to the archive like binary files. */
const MOST_CHARS = 1_000_000
const MOST_CHARS_IN_ALL = 8_000_000
/** Prefix of the digest of a file in the archive. */
const KEPT = 'sha256:'

/** The log entry of a change: texts in full, other files by digest. Links are not logged. */
export function logFiles(before: Tree, after: Tree): SkillFileChange[] {
  const main = new Set([mainOf(before), mainOf(after)])
  const paths = differingPaths(before, after).filter(
    path => !isOfGit(path) && [before.get(path), after.get(path)].some(entry => entry?.kind === 'file'),
  )
  let left = MOST_CHARS_IN_ALL
  return paths
    .toSorted((a, b) => Number(main.has(b)) - Number(main.has(a)) || (a < b ? -1 : 1))
    .map(path => {
      const was = filed(before.get(path))
      const is = filed(after.get(path))
      const [wasText, isText] = [textOf(was), textOf(is)]
      const chars = (wasText?.length ?? 0) + (isText?.length ?? 0)
      const binary =
        (was !== undefined && wasText === undefined) ||
        (is !== undefined && isText === undefined) ||
        chars > Math.min(MOST_CHARS * 2, left)
      if (binary) return { path, before: markOf(was), after: markOf(is), binary }
      left -= chars
      return { path, before: wasText ?? null, after: isText ?? null, binary }
    })
}

/** Whether a file matches the log; null means that it does not exist. */
export function isAsLogged(
  entry: TreeEntry | undefined,
  { binary }: SkillFileChange,
  content: string | null,
): boolean {
  const file = filed(entry)
  if (content === null || !file) return content === null && !entry
  return binary ? markOf(file) === content : textOf(file) === content
}

/** The bytes of a logged file; undefined if the archive does not have them. */
export function loggedBytes(
  { binary }: SkillFileChange,
  content: string,
  kept: (digest: string) => Buffer | undefined,
): Buffer | undefined {
  return binary ? kept(content.slice(KEPT.length)) : Buffer.from(content)
}

const filed = (entry: TreeEntry | undefined) => (entry?.kind === 'file' ? entry : undefined)
const markOf = (entry: (TreeEntry & { kind: 'file' }) | undefined) =>
  entry ? KEPT + digestOfBytes(entry.bytes) : null
