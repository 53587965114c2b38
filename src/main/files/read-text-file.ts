import { readFile, stat } from 'node:fs/promises'
import { fileErrorCode, reasonOf, type Refusal } from '../lib/expected-errors.ts'
import {
  decodeText,
  encodeText,
  encodingName,
  lackingIn,
  type TextFile,
} from '../lib/encodings/decode-text.ts'
import { byCount } from '../../shared/text/amounts.ts'

const MOST_BYTES = 32_000_000

/** Read a whole text file. Refuses binary and oversized files, with a reason that suggests an alternative. */
export async function readText(path: string, shown: string): Promise<TextFile | Refusal> {
  try {
    const { size } = await stat(path)
    if (size > MOST_BYTES) {
      return {
        refused: `${shown} is too big (${sizeInWords(size)}). Use search_files, or head and sed in terminal.`,
      }
    }
    return decodeText(await readFile(path)) ?? { refused: `${shown} is not text (${sizeInWords(size)}).` }
  } catch (error) {
    const code = fileErrorCode(error)
    return { refused: `${shown} cannot be read: ${reasonOf(code)}.` }
  }
}

/** Encode a new text for a file, or refuse if its encoding was only guessed or lacks a character. */
export function encodeFor(file: TextFile, text: string, shown: string): Buffer | Refusal {
  const name = encodingName(file.encoding)
  if (file.isUnsure || !file.exact) {
    const what = file.isUnsure
      ? `is not UTF-8, and its encoding is not sure (perhaps ${name})`
      : file.encoding === 'utf8'
        ? 'is not UTF-8 text: some of its bytes are damaged'
        : `is in ${name}, and cannot be written back without a change`
    return { refused: `${shown} ${what}, so a patch would damage it. ${TO_UTF8}` }
  }
  const lacking = lackingIn(text, file.encoding)
  if (lacking === undefined) return encodeText({ ...file, text })
  const { character, line } = lacking
  return {
    refused: `${shown} is in ${name}, which has no “${character}” (line ${line} of the new text), so nothing was written. Leave it out, or ask the user whether the file may become UTF-8. ${TO_UTF8}`,
  }
}

const TO_UTF8 =
  'To make it UTF-8, give all of its text to write_file with \\ufeff as the first character, or convert it with iconv in terminal.'

/** Name the encoding of a file in a line for the model; empty for UTF-8 or with a byte order mark. */
export function encodingNote({ encoding, mark, exact, isUnsure }: Omit<TextFile, 'text'>): string {
  if (encoding === 'utf8')
    return exact ? '' : '[some bytes of this file are not valid UTF-8; they are shown as \ufffd]'
  if (mark) return ''
  const name = encodingName(encoding)
  if (isUnsure)
    return `[this file is not UTF-8, and its encoding is not sure: it was read as ${name}, so signs may be wrong]`
  return `[this file is in ${name}, not UTF-8${exact ? '; patch_file and write_file keep that' : ''}]`
}

/** Format a size, such as `20 bytes`, `1.2 kB` or `3.4 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return byCount(bytes, '1 byte', `${bytes} bytes`)
  if (bytes < 999_950) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 999_950_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
