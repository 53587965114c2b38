import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { VERSION } from '../../db/file/migrate.ts'
import { fileErrorCode, parseJson, reasonOf } from '../../lib/expected-errors.ts'
import { hashOf } from '../../lib/shown-hash.ts'
import { listZip, unzipEntry, ZipTrouble, type ZipEntry } from '../../lib/disk/zip.ts'
import { nameFlaw, AnyManifest, DATABASE, FORMAT, MANIFEST, Manifest } from './manifest.ts'

/**
 * A backup whose manifest was read and matches the file. Its contents were not read yet. `stamp` changes if
 * the file is replaced or written to.
 */
export type Backup = {
  path: string
  manifest: Manifest
  entries: readonly ZipEntry[]
  bytes: number
  stamp: string
}

const LARGEST_MANIFEST = 64_000_000
/** Maximum growth on unpacking. Real homes pack to a quarter or less; a zip bomb grows a thousandfold. */
const MOST_GROWTH = 400
const SMALL = 100_000_000
const KIND_OF_FILE = 0o170000
const REGULAR = 0o100000

/** Open a backup. Throws a `bad_input` Fault with the reason if it is cut, foreign, newer or hostile. */
export async function openBackup(path: string): Promise<Backup> {
  return explained(path, async () => {
    const stats = await stat(path)
    if (!stats.isFile()) throw refusal(path, `is ${kindOf(stats)}, not a backup`)
    const entries = await listZip(path)
    const manifest = await readManifest(path, entries)
    const flaw = flawOf(manifest, entries, stats.size)
    if (flaw !== undefined) throw refusal(path, `is not used, because ${flaw}`)
    return {
      path,
      manifest,
      entries,
      bytes: stats.size,
      stamp: hashOf({ file: await stampOf(path), manifest, entries }),
    }
  })
}

/** Identify a file and its last change, by a time that only an administrator can set. */
async function stampOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

/** Read a backup completely and compare every checksum. Throws a `bad_input` Fault if anything is damaged. */
export async function checkBackup(
  path: string,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Backup> {
  const backup = await openBackup(path)
  const total = sizeOf(backup.entries)
  let read = 0
  for (const entry of backup.entries)
    for await (const chunk of readEntry(backup, entry)) {
      signal.throwIfAborted()
      read += chunk.length
      onProgress(read / Math.max(1, total))
    }
  return backup
}

/** Yield the content of one file of a backup. Throws a `bad_input` Fault if it is damaged. */
export async function* readEntry({ path }: Backup, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  try {
    yield* unzipEntry(path, entry)
  } catch (error) {
    if (!(error instanceof ZipTrouble)) throw error
    throw refusal(path, `is damaged: “${entry.name}” in it ${error.message}`)
  }
}

/** Return the total size of all files, unpacked, in bytes. */
export const sizeOf = (entries: readonly ZipEntry[]): number =>
  entries.reduce((sum, { size }) => sum + size, 0)

const refusal = (path: string, why: string) => new Fault('bad_input', `${basename(path)} ${why}.`)

const kindOf = (stats: Stats): string =>
  stats.isDirectory() ? 'a folder' : stats.isFIFO() ? 'a pipe' : stats.isSocket() ? 'a socket' : 'a device'

async function explained<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault) throw error
    if (error instanceof ZipTrouble)
      throw refusal(path, `cannot be used: it ${error.message}. If it was copied, copy it again`)
    const code = fileErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Fault('bad_input', `There is nothing at ${path}.`)
    throw new Fault('bad_input', `${path} cannot be read: ${reasonOf(code)}.`)
  }
}

async function readManifest(path: string, entries: readonly ZipEntry[]): Promise<Manifest> {
  const [entry, second] = entries.filter(({ name }) => name === MANIFEST)
  if (!entry || second || entry.size > LARGEST_MANIFEST) throw refusal(path, 'is not a backup of Talaria')
  const chunks: Uint8Array[] = []
  for await (const chunk of unzipEntry(path, entry)) chunks.push(chunk)
  const given = parseJson(Buffer.concat(chunks).toString('utf8'))
  const any = AnyManifest.safeParse(given).data
  if (!any) throw refusal(path, 'is not a backup of Talaria')
  if (any.format > FORMAT || any.database > VERSION)
    throw refusal(path, 'was made by a newer Talaria. Update Talaria and try again')
  const manifest = Manifest.safeParse(given).data
  if (!manifest) throw refusal(path, 'is damaged: its list of contents cannot be read')
  return manifest
}

/** Return a directory's flaw, as a phrase that continues “because …”; called before unpacking. */
function flawOf(manifest: Manifest, entries: readonly ZipEntry[], bytes: number): string | undefined {
  const listed = new Map(manifest.files.map(file => [file.name, file.bytes]))
  const files = entries.filter(({ name }) => name !== MANIFEST)
  for (const { name, mode, isEncrypted, size } of files) {
    const flaw = nameFlaw(name)
    if (flaw !== undefined) return `of a file in it, “${name.slice(0, 100)}”: ${flaw}`
    if (mode !== 0 && (mode & KIND_OF_FILE) !== REGULAR) return `“${name}” in it is a link or a device`
    if (isEncrypted) return `“${name}” in it is locked with a password`
    if (listed.get(name) !== size) return `“${name}” in it is not what its list of contents says`
  }
  if (new Set(files.map(({ name }) => name)).size !== files.length) return 'it contains a file twice'
  if (files.length !== listed.size) return 'a file from its list of contents is missing'
  if (!listed.has(DATABASE)) return 'it contains no chats'
  const packed = entries.reduce((sum, entry) => sum + entry.packed, 0)
  const unpacked = sizeOf(entries)
  if (packed > bytes || (unpacked > SMALL && unpacked > MOST_GROWTH * bytes))
    return 'unpacked, it would be far larger than a backup can be'
  return undefined
}
