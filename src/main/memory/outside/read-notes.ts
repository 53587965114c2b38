import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs'
import { decodeText } from '../../lib/encodings/decode-text.ts'
import { fileErrorCode, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import { formatBytes, many } from '../../../shared/text/amounts.ts'
import { parseNotes } from '../note-files.ts'

/** The state of a memory file: its text, when it last changed, and whether it is missing. */
export type FoundNotes = { text: string; changedAt?: number; isMissing?: true }

/** Maximum size of a notes file; a larger one is not ours. */
const MAX_BYTES = 2_000_000
/** Maximum number of entries: each one is compared and rendered. */
const MAX_ENTRIES = 2_000

/**
 * The text of a file; empty if it does not exist. After a refusal it must not be overwritten. Only regular
 * files are opened, since a pipe would wait for a writer, and at most the size limit is read.
 */
export function readNotes(path: string, most = MAX_BYTES): FoundNotes | Refusal {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) return { refused: reasonOf('EISDIR') }
    if (!stats.isFile()) return { refused: 'it is no file, but a pipe, a device or the like' }
    if (stats.size > most) return tooLong(stats.size)
    const bytes = readUpTo(path, most)
    if (bytes === undefined) return tooLong(most + 1)
    const text = textOf(bytes)
    if (typeof text !== 'string') return text
    const count = parseNotes(text).length
    if (count > MAX_ENTRIES)
      return { refused: `it holds ${many(count, 'entry', 'entries')}, far too many for notes` }
    return { text, changedAt: stats.ctimeMs }
  } catch (error) {
    const code = fileErrorCode(error)
    if (code !== 'ENOENT') return { refused: reasonOf(code) }
    if (isThere(path)) return { refused: 'it is a link to something that is not there' }
    return { text: '', isMissing: true }
  }
}

const tooLong = (size: number): Refusal => ({
  refused: `it is far too long for notes (${formatBytes(size)})`,
})

/** The bytes of a file, which may grow during the read; undefined if there are more than allowed. */
function readUpTo(path: string, most: number): Buffer | undefined {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(Math.min(most, fstatSync(file).size) + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null)
    return length > most ? undefined : bytes.subarray(0, length)
  } finally {
    closeSync(file)
  }
}

/** Decode UTF-8, or an encoding shown by a mark or a certain guess. Refuse binary texts and NULs. */
function textOf(bytes: Buffer): string | Refusal {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8')
  const file = decodeText(bytes)
  if (file === undefined || file.text.includes('\0'))
    return { refused: 'it is not UTF-8 text: it holds bytes that no text has' }
  if (file.encoding === 'utf8' || !file.exact || file.isUnsure)
    return { refused: 'it is not UTF-8 text, and its encoding is not certain. Save it as UTF-8' }
  return file.text
}

/** Whether anything has this path. A broken link counts. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch (error) {
    fileErrorCode(error)
    return false
  }
}
