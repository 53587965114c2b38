import { createReadStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { crc32, createInflateRaw } from 'node:zlib'

/** One file in a zip, as the zip's directory describes it. */
export type ZipEntry = {
  name: string
  size: number
  packed: number
  crc: number
  method: number
  isEncrypted: boolean
  /** The Unix mode of the file, including its type; 0 if it was packed on another system. */
  mode: number
  offset: number
}

/** A problem with a zip; its message continues “it …”. */
export class ZipTrouble extends Error {
  override readonly name = 'ZipTrouble'
}

const END = 0x06054b50
const END_BYTES = 22
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const LONGEST_COMMENT = 65_535
const MOST_ENTRIES = 200_000
const MOST_DIRECTORY_BYTES = 64_000_000
const STORED = 0
const DEFLATED = 8
const UNKNOWN_32 = 0xffff_ffff
/** The creator ids of archives from Unix and macOS. */
const MODED = new Set([3, 19])

/**
 * List the directory of a zip. Names are only compared, never used as paths, and nothing is unpacked to disk.
 * Throws a `ZipTrouble`, or the file system's error.
 */
export async function listZip(path: string): Promise<ZipEntry[]> {
  await using file = await open(path)
  const { size } = await file.stat()
  const { count, start, length } = await findDirectory(file, size)
  if (count > MOST_ENTRIES || length > MOST_DIRECTORY_BYTES) throw new ZipTrouble('holds far too many files')
  const bytes = await readAt(file, start, length)
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < count;) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw new ZipTrouble('is damaged')
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map(field => bytes.readUInt16LE(at + field))
    const nameAt = at + 46
    const extraAt = nameAt + nameBytes!
    const next = extraAt + extraBytes! + commentBytes!
    if (next > bytes.length) throw new ZipTrouble('is damaged')
    entries.push({
      name: bytes.toString('utf8', nameAt, extraAt),
      crc: bytes.readUInt32LE(at + 16),
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      mode: MODED.has(bytes[at + 5]!) ? bytes.readUInt16LE(at + 40) : 0,
      ...placeOf(bytes, at, bytes.subarray(extraAt, extraAt + extraBytes!)),
    })
    at = next
  }
  return entries
}

async function findDirectory(file: FileHandle, size: number) {
  const tailStart = Math.max(0, size - END_BYTES - LONGEST_COMMENT)
  const tail = await readAt(file, tailStart, size - tailStart)
  let end = tail.length - END_BYTES
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--
  if (end < 0) throw new ZipTrouble('is no zip, or only a part of one')
  const locator = end - 20
  if (locator >= 0 && tail.readUInt32LE(locator) === LOCATOR_64) {
    const record = await readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56)
    if (record.readUInt32LE(0) !== END_64) throw new ZipTrouble('is damaged')
    const [count, length, start] = [32, 40, 48].map(field => Number(record.readBigUInt64LE(field)))
    return { count: count!, start: start!, length: length! }
  }
  return {
    count: tail.readUInt16LE(end + 10),
    length: tail.readUInt32LE(end + 12),
    start: tail.readUInt32LE(end + 16),
  }
}

/** Return an entry's position and sizes; those beyond 32 bits are in extra field number 1. */
function placeOf(bytes: Buffer, at: number, extra: Buffer): Pick<ZipEntry, 'size' | 'packed' | 'offset'> {
  const wide = extraField(extra, 1)
  let used = 0
  const [size, packed, offset] = [24, 20, 42].map(field => {
    const short = bytes.readUInt32LE(at + field)
    if (short !== UNKNOWN_32 || !wide || used + 8 > wide.length) return short
    used += 8
    return Number(wide.readBigUInt64LE(used - 8))
  })
  return { size: size!, packed: packed!, offset: offset! }
}

function extraField(extra: Buffer, wanted: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length;) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === wanted) return extra.subarray(at + 4, at + 4 + length)
    at += 4 + length
  }
  return undefined
}

/** Yield the content of one file in a zip. Throws a `ZipTrouble` if it does not match the directory. */
export async function* unzipEntry(path: string, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const { method, size, packed, offset } = entry
  if (entry.isEncrypted) throw new ZipTrouble('is locked with a password')
  if (method !== STORED && method !== DEFLATED)
    throw new ZipTrouble('is packed in a way that is not known here')
  const start = await contentStart(path, offset)
  let read = 0
  let crc = 0
  if (packed > 0) {
    const raw = createReadStream(path, { start, end: start + packed - 1 })
    const content = method === DEFLATED ? raw.pipe(createInflateRaw()) : raw
    raw.on('error', error => content.destroy(error))
    try {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        read += chunk.length
        // A zip bomb declares a small size.
        if (read > size) throw new ZipTrouble('is damaged')
        crc = crc32(chunk, crc)
        yield chunk
      }
    } catch (error) {
      throw /^(Z_|ERR_)/.test((error as NodeJS.ErrnoException).code ?? '')
        ? new ZipTrouble('is damaged')
        : error
    } finally {
      raw.destroy()
      content.destroy()
    }
  }
  if (read !== size || crc !== entry.crc) throw new ZipTrouble('is damaged')
}

/** Return where a content starts: name and extra field are repeated before it, and may be longer there. */
async function contentStart(path: string, offset: number): Promise<number> {
  await using file = await open(path)
  const header = await readAt(file, offset, 30)
  if (header.readUInt32LE(0) !== LOCAL) throw new ZipTrouble('is damaged')
  return offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { size } = await file.stat()
  if (!(position >= 0 && length >= 0 && position + length <= size)) throw new ZipTrouble('is damaged')
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer
}
