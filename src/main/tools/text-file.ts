import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { fileErrorCode, reasonOf, type Refusal } from '../lib/expected-errors.ts'
import { byCount } from '../../shared/amounts.ts'

type Encoding = 'utf8' | 'utf16le' | 'utf16be'

/**
 * The text of a file, and what is needed to write it back unchanged. A byte order mark is not part of the text. `exact`
 * is false when some bytes are invalid in the encoding, so that writing the text back would change them.
 */
export type TextFile = { text: string; encoding: Encoding; mark: boolean; exact: boolean }

const MOST_BYTES = 32_000_000
const MARKS: readonly [Encoding, readonly number[]][] = [
  ['utf8', [0xef, 0xbb, 0xbf]],
  ['utf16le', [0xff, 0xfe]],
  ['utf16be', [0xfe, 0xff]],
]

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

/** Decode bytes; undefined when they are binary. Invalid UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Buffer): TextFile | undefined {
  const found = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (!found && isBinary(bytes)) return undefined
  const [encoding, mark] = found ?? (['utf8', []] as const)
  const body = bytes.subarray(mark.length)
  if (encoding === 'utf8') {
    return { text: body.toString('utf8'), encoding, mark: mark.length > 0, exact: isUtf8(body) }
  }
  const even = Buffer.from(body.subarray(0, body.length - (body.length % 2)))
  const text = (encoding === 'utf16be' ? even.swap16() : even).toString('utf16le')
  return { text, encoding, mark: true, exact: even.length === body.length }
}

/** The bytes of a text in the encoding of the file it came from. */
export function encodeText({ text, encoding, mark }: Omit<TextFile, 'exact'>): Buffer {
  const whole = (mark ? '\ufeff' : '') + text
  if (encoding === 'utf8') return Buffer.from(whole, 'utf8')
  const bytes = Buffer.from(whole, 'utf16le')
  return encoding === 'utf16be' ? bytes.swap16() : bytes
}

/** Whether bytes look binary: null bytes or many control characters near the start. */
function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 8_192)
  if (sample.includes(0) || Buffer.from(sample.subarray(0, 5)).toString('latin1') === '%PDF-') return true
  const odd = sample.reduce(
    (count, byte) => count + (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27 ? 1 : 0),
    0,
  )
  return odd > sample.length / 10
}

/** Such as `20 bytes`, `1.2 kB` or `3.4 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return byCount(bytes, '1 byte', `${bytes} bytes`)
  if (bytes < 999_950) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 999_950_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}
