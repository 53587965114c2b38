import { crc32, inflateRawSync } from 'node:zlib'
import { readSync, openSync, closeSync } from 'node:fs'
import { listZip, ZipTrouble, type ZipEntry } from '../lib/disk/zip.ts'
import { DocumentTrouble, type ZipMembers } from './document.ts'

/** Maximum unpacked bytes of one member, and of all. Beyond them, a zip is a bomb or too large. */
const MOST_MEMBER_BYTES = 80_000_000
const MOST_BYTES = 160_000_000
const LOCAL_HEADER = 30
const DEFLATED = 8

/** Open the directory of a zip. Throws `DocumentTrouble`. */
export async function openMembers(path: string): Promise<ZipMembers> {
  const entries = new Map<string, ZipEntry>()
  for (const entry of await listed(path)) if (!entries.has(entry.name)) entries.set(entry.name, entry)
  let total = 0
  function bytes(name: string): Buffer | undefined {
    const entry = entries.get(name)
    if (entry === undefined) return undefined
    if (entry.isEncrypted) throw new DocumentTrouble('is locked with a password', 'password')
    total += entry.size
    if (entry.size > MOST_MEMBER_BYTES || total > MOST_BYTES) throw new DocumentTrouble(TOO_BIG)
    return unpack(path, entry)
  }
  return {
    names: [...entries.keys()],
    has: name => entries.has(name),
    isLocked: [...entries.values()].some(each => each.isEncrypted),
    bytes,
    text(name) {
      const found = bytes(name)
      if (found === undefined) return undefined
      if (found[0] === 0xff && found[1] === 0xfe) return found.toString('utf16le', 2)
      return found.toString('utf8').replace(/^\ufeff/, '')
    },
  }
}

const TOO_BIG =
  'is far bigger inside than a document is (a zip bomb, or a very large file), so it was not unpacked'
const DAMAGED = 'is damaged, or only a part of a file'

async function listed(path: string): Promise<ZipEntry[]> {
  try {
    return await listZip(path)
  } catch (error) {
    if (error instanceof ZipTrouble || error instanceof RangeError) throw new DocumentTrouble(DAMAGED)
    throw error
  }
}

function unpack(path: string, { offset, packed, size, method, crc }: ZipEntry): Buffer {
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(LOCAL_HEADER)
    readSync(file, header, 0, LOCAL_HEADER, offset)
    const start = offset + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28)
    if (packed > MOST_MEMBER_BYTES) throw new DocumentTrouble(TOO_BIG)
    const raw = Buffer.alloc(packed)
    const read = readSync(file, raw, 0, packed, start)
    if (read < packed || (method !== 0 && method !== DEFLATED)) throw new DocumentTrouble(DAMAGED)
    const content = method === DEFLATED ? inflateBounded(raw, size) : raw
    if (content.length !== size || crc32(content) !== crc) throw new DocumentTrouble(DAMAGED)
    return content
  } finally {
    closeSync(file)
  }
}

/** Unpack a member, at most to its declared size: a zip bomb declares a small size but contains more. */
function inflateBounded(raw: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (/^(Z_|ERR_)/.test(code)) throw new DocumentTrouble(DAMAGED)
    throw error
  }
}
