import { createWriteStream } from 'node:fs'
import { constants, open, lstat, readdir, realpath, stat } from 'node:fs/promises'
import { Transform, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { LeftOut } from '../../../shared/contract/data.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { MANIFEST, nameFlaw, MOST_FILES, type Manifest } from './manifest.ts'
import { join } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { isCredential, mayHoldKeys } from '../../files/paths/credential-paths.ts'
import { partOf, type InBackup } from '../home-parts.ts'

/** A file to put into a backup. */
type FoundFile = { name: string; path: string; bytes: number }

export type Wanted = {
  keys: boolean
  /** Whether to include the working folder and training data. */
  files: boolean
}

/** A file that is about to replace another one of ours (`lib/disk/durable-files.ts`). */
const TEMPORARY = /^\..+\.[0-9a-f]{12}\.tmp$/

/**
 * List the files of a home for a backup, without the database, and those left out with the reasons. Throws a
 * `bad_input` Fault if there are too many.
 */
export async function listFiles(
  home: string,
  wanted: Wanted,
): Promise<{ files: FoundFile[]; leftOut: LeftOut[] }> {
  const files: FoundFile[] = []
  const leftOut: LeftOut[] = []
  const leave = (path: string, why: string) => void leftOut.push({ path, why })
  const takes: Record<InBackup, boolean> = {
    always: true,
    files: wanted.files,
    keys: wanted.keys,
    never: false,
  }

  async function add(name: string): Promise<void> {
    const path = join(home, name)
    const flaw = nameFlaw(name)
    if (flaw !== undefined) return leave(name, flaw)
    // A link inside a part may lead to foreign files or in cycles, so only a whole part may be a link.
    const isInside = name.includes('/')
    const stats = await (isInside ? lstat(path) : stat(path))
    if (stats.isSymbolicLink()) return leave(name, 'it is a link')
    if (stats.isDirectory()) return addFolder(name)
    if (!stats.isFile()) return leave(name, 'it is not a file')
    if (isInside && !wanted.keys && (isCredential(name) || mayHoldKeys(name)))
      return leave(name, 'it may contain keys')
    files.push({ name, path: isInside ? path : await realpath(path), bytes: stats.size })
    if (files.length > MOST_FILES)
      throw new Fault(
        'bad_input',
        `There are more than ${MOST_FILES.toLocaleString('en')} files. Make the backup without the working folder.`,
      )
  }

  async function addFolder(name: string): Promise<void> {
    for (const entry of (await readdir(join(home, name))).toSorted())
      if (!TEMPORARY.test(entry)) await tried(`${name}/${entry}`)
  }

  async function tried(name: string): Promise<void> {
    try {
      await add(name)
    } catch (error) {
      if (error instanceof Fault) throw error
      const code = fileErrorCode(error)
      // A missing file was deleted a moment ago.
      if (code !== 'ENOENT') leave(name, `it cannot be read: ${reasonOf(code)}`)
    }
  }

  for (const name of (await readdir(home)).toSorted()) {
    if (TEMPORARY.test(name)) continue
    const part = partOf(name)
    if (!part) leave(name, 'it is not a Talaria file')
    else if (takes[part.inBackup]) await tried(name)
    else if (part.why !== undefined) leave(name, part.why)
  }
  return { files, leftOut }
}

/** The content of a file, its mode and the time of its last change. */
type Content = { stream: Readable; mode: number; mtime: Date }

/** A file to put into a zip. `open` resolves to an error code if it cannot be read. */
export type Source = { name: string; bytes: number; open(): Promise<Content | string> }

type Packing = {
  /** The path of the zip to write. */
  part: string
  sources: readonly Source[]
  /** Files that cannot be read are added to this list. */
  leftOut: LeftOut[]
  /** Builds the manifest from the packed files. */
  manifest(files: Manifest['files']): Manifest
  onProgress(share: number): void
  signal: AbortSignal
}

/** Return the name that a file or folder has until it is complete. */
export const partPath = (target: string): string => `${target}.part`

/**
 * Write files into a new zip as a stream, and the manifest last. Files that vanish in the meantime are left
 * out. Rejects with the file system's error, or if `signal` aborts; the unfinished zip stays.
 */
export async function packFiles(packing: Packing): Promise<void> {
  const leaving = new AbortController()
  const signal = AbortSignal.any([packing.signal, leaving.signal])
  const zip = new ZipFile()
  const broken = Promise.withResolvers<never>()
  zip.on('error', broken.reject)
  const file = createWriteStream(packing.part, { mode: 0o600, flush: true })
  const writing = Promise.race([pipeline(zip.outputStream, file, { signal }), broken.promise])
  // A failure is thrown where it is awaited.
  writing.catch(() => undefined)
  try {
    const files = await addFiles(zip, { ...packing, signal }, writing)
    zip.addBuffer(Buffer.from(JSON.stringify(packing.manifest(files))), MANIFEST, { mode: 0o100600 })
    zip.end()
    await writing
  } finally {
    leaving.abort()
  }
}

async function addFiles(
  zip: ZipFile,
  { sources, leftOut, onProgress, signal }: Packing,
  failing: Promise<unknown>,
): Promise<Manifest['files']> {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0)
  const packed: Manifest['files'] = []
  let done = 0
  for (const source of sources) {
    const { name } = source
    const content = await source.open()
    if (typeof content === 'string') {
      if (content !== 'ENOENT') leftOut.push({ path: name, why: `it cannot be read: ${reasonOf(content)}` })
      continue
    }
    let bytes = 0
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        bytes += chunk.length
        onProgress((done + bytes) / Math.max(1, total, done + bytes))
        next(null, chunk)
      },
    })
    const { stream, mode, mtime } = content
    zip.addReadStream(counted, name, { mode, mtime, compress: isPackable(name) })
    await Promise.race([Promise.all([pipeline(stream, counted, { signal }), finished(counted)]), failing])
    done += bytes
    packed.push({ name, bytes })
  }
  return packed
}

/** Return whether packing can make a file smaller. Files of these types are already compressed. */
const isPackable = (name: string) =>
  !/\.(zip|gz|zst|xz|bz2|7z|png|jpe?g|webp|gif|mp[34]|mov|pdf|gguf)$/i.test(name)

/** Return a file as a source. If a link has replaced the file, it is not followed. */
export const fileSource = ({ name, path, bytes }: FoundFile): Source => ({
  name,
  bytes,
  async open() {
    try {
      const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
      const { mode, mtime } = await file.stat()
      // Of the file's permissions, keep only the owner's right to execute it.
      return { stream: file.createReadStream(), mode: 0o100600 | (mode & 0o100), mtime }
    } catch (error) {
      return fileErrorCode(error)
    }
  },
})
