import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder, renamePatiently } from '../../lib/disk/durable-files.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { skillFileAmong } from '../files/main-file.ts'

/** An entry of a folder. Folders are listed only when empty. `mode` has the nine permission bits. */
export type TreeEntry =
  | { kind: 'file'; bytes: Buffer; mode: number }
  | { kind: 'link'; target: string }
  | { kind: 'folder' }

/** Everything in a folder, by path with `/`. */
export type Tree = ReadonlyMap<string, TreeEntry>

export const EMPTY: Tree = new Map()
/** Default mode of a new file. */
export const PLAIN = 0o644

const MOST_BYTES = 256_000_000
const MOST_ENTRIES = 20_000

/** Thrown if a folder is too large to be changed as a whole. */
export class TooLarge extends Error {}

/** Read a folder; undefined if it does not exist. Throws file system errors and TooLarge. */
export function readTree(folder: string): Tree | undefined {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const tree = new Map<string, TreeEntry>()
  let bytes = 0
  const enter = (within: string) => {
    const names = readdirSync(join(folder, within)).toSorted()
    if (names.length === 0 && within !== '') tree.set(within, { kind: 'folder' })
    for (const name of names) {
      const path = within === '' ? name : `${within}/${name}`
      const full = join(folder, path)
      const stats = lstatSync(full)
      bytes += stats.isFile() ? stats.size : 0
      if (bytes > MOST_BYTES || tree.size > MOST_ENTRIES) throw new TooLarge(folder)
      if (stats.isDirectory()) enter(path)
      else if (stats.isSymbolicLink()) tree.set(path, { kind: 'link', target: readlinkSync(full) })
      else if (stats.isFile())
        tree.set(path, { kind: 'file', bytes: readFileSync(full), mode: stats.mode & 0o777 })
    }
  }
  enter('')
  return tree
}

/** Write a folder that does not exist yet, and sync it. */
export function writeTree(folder: string, tree: Tree, disk: Disk): void {
  const folders = new Set<string>([folder])
  disk.makeFolder(folder)
  for (const [path, entry] of tree) {
    const full = join(folder, path)
    const parent = entry.kind === 'folder' ? full : dirname(full)
    if (!folders.has(parent)) disk.makeFolder(parent)
    folders.add(parent)
    if (entry.kind === 'file') disk.write(full, entry.bytes, entry.mode)
    else if (entry.kind === 'link') disk.link(entry.target, full)
  }
  for (const each of folders) syncFolder(each)
}

/** Only the files, without links and `.git`: the parts that can be copied into another skill. */
export const filesOnly = (tree: Tree): Tree =>
  new Map([...tree].filter(([path, { kind }]) => kind === 'file' && !isOfGit(path)))

export const isOfGit = (path: string): boolean => /(^|\/)\.git(\/|$)/i.test(path)

/** The text of a file; undefined if it is not text. */
export const textOf = (entry: TreeEntry | undefined): string | undefined =>
  entry?.kind === 'file' && isUtf8(entry.bytes) && !entry.bytes.includes(0)
    ? entry.bytes.toString('utf8')
    : undefined

export const fileOf = (text: string, mode = PLAIN): TreeEntry => ({
  kind: 'file',
  bytes: Buffer.from(text),
  mode,
})

/** A tree with some entries replaced; null removes an entry. */
export function withEntries(tree: Tree, changes: Iterable<readonly [string, TreeEntry | null]>): Tree {
  const next = new Map(tree)
  for (const [path, entry] of changes) {
    if (entry) next.set(path, entry)
    else next.delete(path)
  }
  return next
}

/** The paths whose content differs. */
export function differingPaths(before: Tree, after: Tree): string[] {
  const paths = new Set([...before.keys(), ...after.keys()])
  return [...paths].filter(path => !isSameEntry(before.get(path), after.get(path)))
}

export function isSameEntry(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  if (a?.kind === 'file' && b?.kind === 'file') return a.bytes.equals(b.bytes)
  return a?.kind === b?.kind && (a?.kind !== 'link' || a.target === (b as typeof a).target)
}

export const digestOfBytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Digest of all paths and contents of a tree. */
export function digestOfTree(tree: Tree): string {
  const entries = [...tree].map(([path, entry]) => [
    path,
    entry.kind,
    entry.kind === 'file' ? digestOfBytes(entry.bytes) : entry.kind === 'link' ? entry.target : '',
  ])
  return digestOfBytes(Buffer.from(JSON.stringify(entries.toSorted(([a], [b]) => (a! < b! ? -1 : 1)))))
}

/** The path of SKILL.md, however it is spelt. */
export const mainOf = (tree: Tree): string =>
  skillFileAmong([...tree].flatMap(([path, { kind }]) => (kind === 'file' ? [path] : []))) ?? 'SKILL.md'

/** Every disk write of the skill editor. Tests of full disks and crashes replace it. */
export type Disk = {
  /** Write a file that must not exist yet, and sync it. */
  write(path: string, bytes: Uint8Array, mode: number): void
  link(target: string, path: string): void
  /** Make a folder and its missing parents. */
  makeFolder(path: string): void
  /** Rename within one file system, replacing an existing file. Durable once the folders are synced. */
  rename(from: string, to: string): void
  /** Remove a file, or a folder with its contents. A missing path is fine. */
  remove(path: string): void
}

/** The real disk. */
export const realDisk: Disk = {
  write(path, bytes, mode) {
    const file = openSync(path, 'wx', mode)
    try {
      writeFileSync(file, bytes)
      // The umask may have cleared permission bits.
      fchmodSync(file, mode)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  },
  link: (target, path) => symlinkSync(target, path),
  makeFolder: path => void mkdirSync(path, { recursive: true }),
  rename: (from, to) => renamePatiently(() => renameSync(from, to)),
  remove: path => rmSync(path, { recursive: true, force: true }),
}

/** The result of `work`; undefined on any error of the file system. */
export function tryFs<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}
