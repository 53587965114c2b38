import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { listZip, unzipped, ZipTrouble, type ZipEntry } from '../../lib/zip.ts'
import { createLedger } from './ledger.ts'
import { limits } from './limits.ts'
import type { Source, SourceFile } from './source.ts'
import { LINK } from './tell-left-out.ts'

type Zipped = SourceFile & { entry: ZipEntry }

const KIND = 0o170000
const FOLDER = 0o040000
const SYMBOLIC_LINK = 0o120000
const FILE = 0o100000

/** The files in a zip; the zip itself is not unpacked. Throws a Fault in words, or what the file system says. */
export async function fromZip(path: string, signal: AbortSignal, address = path): Promise<Source<Zipped>> {
  const { size } = await stat(path)
  if (size > limits.zipBytes)
    throw new Fault(
      'bad_input',
      `This zip is larger than ${limits.zipBytes / 1e6} MB. Unpack it, and choose the folder.`,
    )
  const entries = await inWords(() => listZip(path))
  signal.throwIfAborted()
  const ledger = createLedger<Zipped>('This zip')
  for (const entry of entries) {
    const kind = entry.mode & KIND
    if (/[/\\]$/.test(entry.name) || kind === FOLDER) ledger.takeFolder(entry.name)
    else if (kind === SYMBOLIC_LINK) ledger.leaveOut(entry.name, LINK)
    else if (kind !== 0 && kind !== FILE) ledger.leaveOut(entry.name, 'it is no file')
    else if (entry.size > limits.ratioBytes && entry.size > entry.packed * limits.ratio)
      ledger.leaveOut(entry.name, 'it is packed so tightly that it looks like a trap')
    else ledger.take(entry.name, { bytes: entry.size, isProgram: (entry.mode & 0o100) !== 0, entry })
  }
  return {
    from: { kind: 'zip', address, commit: null },
    within: '',
    name: basename(address).replace(/\.(zip|skill)$/i, ''),
    files: ledger.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: ledger.leftOut,
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
  for await (const chunk of unzipped(path, entry)) {
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
      throw new Fault('bad_input', `This zip cannot be taken: it ${error.message}.`)
    throw error
  }
}
