import { constants } from 'node:fs'
import { open, opendir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { listZip, unzipEntry, ZipTrouble, type ZipEntry } from '../../lib/disk/zip.ts'
import { isLitter, createFileList, limits, LINK, type Source, type SourceFile } from './skill-source.ts'

/** After listing, a link may have replaced the file; and opening a pipe would block. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The files of a folder and its subfolders. Links are not followed. Throws file system errors. */
export async function fromFolder(folder: string, signal: AbortSignal): Promise<Source> {
  const list = createFileList<SourceFile>('This folder', { realFolder: true })
  const waiting = [{ within: '', depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { within, depth } = next
    for await (const entry of await opendir(join(folder, within))) {
      signal.throwIfAborted()
      const name = within === '' ? entry.name : `${within}/${entry.name}`
      if (isLitter(name)) continue
      // On this system a backslash is part of a name; elsewhere it is a separator.
      if (entry.name.includes('\\'))
        list.leaveOut(name, 'its name has characters that not every system allows')
      else if (entry.isSymbolicLink()) list.leaveOut(name, LINK)
      else if (entry.isDirectory() && depth === limits.depth) list.leaveOut(name, 'it lies too deep')
      else if (entry.isDirectory()) enter(name, depth + 1)
      else if (entry.isFile()) await addFile(name)
      else list.leaveOut(name, 'it is no file')
    }
  }

  function enter(name: string, depth: number) {
    list.checkFolder(name)
    waiting.push({ within: name, depth })
  }
  async function addFile(name: string) {
    const stats = await statsOf(join(folder, name))
    if (stats) list.add(name, { bytes: stats.size, isProgram: (stats.mode & 0o100) !== 0 })
    else list.leaveOut(name, 'it cannot be read')
  }

  return {
    from: { kind: 'folder', address: folder, commit: null },
    within: '',
    name: basename(folder),
    files: list.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: list.leftOut,
    async *read(files, abort) {
      for (const file of files) {
        abort.throwIfAborted()
        const bytes = await readFile(join(folder, file.path))
        if (bytes) yield { file, bytes }
      }
    },
  }
}

async function statsOf(path: string) {
  try {
    await using file = await open(path, FLAGS)
    return await file.stat()
  } catch (error) {
    if (isNoFile(error)) return undefined
    throw error
  }
}

/** The content of a file; undefined if it is no longer a file or is too large. */
async function readFile(path: string): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(path, FLAGS)
    const stats = await file.stat()
    if (!stats.isFile() || stats.size > limits.fileBytes) return undefined
    const { buffer, bytesRead } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0)
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    if (isNoFile(error)) return undefined
    throw error
  }
}

const isNoFile = (error: unknown) =>
  ['ENOENT', 'ELOOP', 'EACCES', 'EPERM', 'ENXIO', 'EISDIR', 'EMLINK'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  )

type Zipped = SourceFile & { entry: ZipEntry }

const KIND = 0o170000
const FOLDER = 0o040000
const SYMBOLIC_LINK = 0o120000
const FILE = 0o100000

/**
 * The files in a zip, read without unpacking it to disk. Throws a Fault with text for the user, or file
 * system errors.
 */
export async function fromZip(path: string, signal: AbortSignal, address = path): Promise<Source<Zipped>> {
  const { size } = await stat(path)
  if (size > limits.zipBytes)
    throw new Fault(
      'bad_input',
      `This zip is larger than ${limits.zipBytes / 1e6} MB. Unpack it, and choose the folder.`,
    )
  const entries = await inWords(() => listZip(path))
  signal.throwIfAborted()
  const list = createFileList<Zipped>('This zip')
  for (const entry of entries) {
    const kind = entry.mode & KIND
    if (/[/\\]$/.test(entry.name) || kind === FOLDER) list.checkFolder(entry.name)
    else if (kind === SYMBOLIC_LINK) list.leaveOut(entry.name, LINK)
    else if (kind !== 0 && kind !== FILE) list.leaveOut(entry.name, 'it is no file')
    else if (entry.size > limits.ratioBytes && entry.size > entry.packed * limits.ratio)
      list.leaveOut(entry.name, 'it is packed so tightly that it looks like a trap')
    else list.add(entry.name, { bytes: entry.size, isProgram: (entry.mode & 0o100) !== 0, entry })
  }
  return {
    from: { kind: 'zip', address, commit: null },
    within: '',
    name: basename(address).replace(/\.(zip|skill)$/i, ''),
    files: list.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: list.leftOut,
    async *read(files, abort) {
      for (const file of files) {
        abort.throwIfAborted()
        yield { file, bytes: await inWords(() => whole(path, file.entry, abort)) }
      }
    },
  }
}

async function whole(path: string, entry: ZipEntry, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of unzipEntry(path, entry)) {
    signal.throwIfAborted()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ZipTrouble)
      throw new Fault('bad_input', `This zip cannot be used: it ${error.message}.`)
    throw error
  }
}

type Kept = SourceFile & { content: Uint8Array }

/** Files already in memory: pasted text, or a folder dropped on a window. */
export function fromMemory(
  from: Source['from'],
  name: string,
  given: readonly { path: string; content: Uint8Array }[],
): Source<Kept> {
  const list = createFileList<Kept>('What was dropped')
  for (const { path, content } of given) list.add(path, { bytes: content.length, isProgram: false, content })
  return {
    from,
    within: '',
    name,
    files: list.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: list.leftOut,
    async *read(files) {
      for (const file of files) yield { file, bytes: file.content }
    },
  }
}
