import { open, stat } from 'node:fs/promises'
import { decodeText } from '../encodings/decode-text.ts'
import { fileErrorCode } from '../expected-errors.ts'

/** Return the text of a file, cut to `limit` characters; undefined if it cannot be read as text. */
export async function readFileStart(path: string, limit: number): Promise<string | undefined> {
  try {
    // Check before opening, because opening a pipe would wait for a writer.
    if (!(await stat(path)).isFile()) return undefined
    const bytes = await readStart(path, limit * 4)
    const file = decodeText(bytes)
    if (file === undefined || file.text.includes('\0')) return undefined
    // If the encoding is uncertain, decode as UTF-8; callers that need exact text refuse U+FFFD.
    const text = file.isUnsure ? bytes.toString('utf8') : file.text
    return text.length > limit ? cutText(text, limit) : text
  } catch (error) {
    // Any file system error means that the file cannot be read.
    fileErrorCode(error)
    return undefined
  }
}

/** Return the first `most` bytes of a file. Throws errors of the file system. */
export async function readStart(path: string, most: number): Promise<Buffer> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0)
  return buffer.subarray(0, bytesRead)
}

/** Return the first `limit` characters of a longer text, with a note that says so. */
export const cutText = (text: string, limit: number): string =>
  `${text.slice(0, limit).toWellFormed()}\n[cut here: the file goes on]`
