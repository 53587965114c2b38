import { constants } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isLitter, createLedger } from './ledger.ts'
import { limits } from './limits.ts'
import type { Source, SourceFile } from './source.ts'
import { LINK } from './tell-left-out.ts'

/** A link may have taken the place of a file since it was listed, and a pipe would be waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The files of a folder and of the folders in it; links are not followed. Throws what the file system says. */
export async function fromFolder(folder: string, signal: AbortSignal): Promise<Source> {
  const ledger = createLedger<SourceFile>('This folder', { realFolder: true })
  const waiting = [{ within: '', depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { within, depth } = next
    for await (const entry of await opendir(join(folder, within))) {
      signal.throwIfAborted()
      const name = within === '' ? entry.name : `${within}/${entry.name}`
      if (isLitter(name)) continue
      // In a name of this system a backslash is no separator, and elsewhere it would be one.
      if (entry.name.includes('\\'))
        ledger.leaveOut(name, 'its name has characters that not every system allows')
      else if (entry.isSymbolicLink()) ledger.leaveOut(name, LINK)
      else if (entry.isDirectory() && depth === limits.depth) ledger.leaveOut(name, 'it lies too deep')
      else if (entry.isDirectory()) enter(name, depth + 1)
      else if (entry.isFile()) await list(name)
      else ledger.leaveOut(name, 'it is no file')
    }
  }

  function enter(name: string, depth: number) {
    ledger.takeFolder(name)
    waiting.push({ within: name, depth })
  }
  async function list(name: string) {
    const stats = await statsOf(join(folder, name))
    if (stats) ledger.take(name, { bytes: stats.size, isProgram: (stats.mode & 0o100) !== 0 })
    else ledger.leaveOut(name, 'it cannot be read')
  }

  return {
    from: { kind: 'folder', address: folder, commit: null },
    within: '',
    name: basename(folder),
    files: ledger.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: ledger.leftOut,
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

/** The content of a file, if it still is one, and no larger than a file may be. */
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
