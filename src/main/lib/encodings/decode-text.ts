import { isUtf8 } from 'node:buffer'
import { decode, encode } from 'iconv-lite'
import { guessEncoding } from './guess-encoding.ts'
import { nameInLibrary } from './known-encodings.ts'
import { isBinary, isBinaryUnlessUtf8 } from './is-binary.ts'
import { guessUtf16 } from './guess-utf16.ts'

/**
 * The text of a file, and what is needed to write it back unchanged. A byte order mark is not part of the
 * text. `exact` is false if some bytes are invalid in the encoding, so that writing the text back would
 * change them. `isUnsure`: the encoding is only the likeliest one.
 */
export type TextFile = { text: string; encoding: string; mark: boolean; exact: boolean; isUnsure?: true }

const MARKS: readonly [string, readonly number[]][] = [
  ['utf8', [0xef, 0xbb, 0xbf]],
  ['UTF-32LE', [0xff, 0xfe, 0, 0]],
  ['UTF-32BE', [0, 0, 0xfe, 0xff]],
  ['utf16le', [0xff, 0xfe]],
  ['utf16be', [0xfe, 0xff]],
]

/**
 * Decode bytes by their byte order mark, else as UTF-8, else by a guess; undefined if they are binary.
 * Invalid bytes become U+FFFD.
 */
export function decodeText(bytes: Buffer): TextFile | undefined {
  const found = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))
  if (found) return decodeAs(bytes.subarray(found[1].length), found[0], true)
  if (bytes.includes(0)) {
    const wide = guessUtf16(bytes)
    if (wide !== undefined) return decodeAs(bytes, wide, false)
  }
  if (isBinary(bytes)) return undefined
  if (isUtf8(bytes)) return decodeJapaneseMail(bytes) ?? decodeAs(bytes, 'utf8', false)
  if (isBinaryUnlessUtf8(bytes)) return isMostlyUtf8(bytes) ? decodeAs(bytes, 'utf8', false) : undefined
  if (isMostlyUtf8(bytes)) return decodeAs(bytes, 'utf8', false)
  const { encoding, sure } = guessEncoding(bytes)
  const guessed = decodeAs(bytes, encoding, false)
  return sure ? guessed : { ...guessed, isUnsure: true }
}

function decodeAs(body: Buffer, encoding: string, mark: boolean): TextFile {
  if (encoding === 'utf8') return { text: body.toString('utf8'), encoding, mark, exact: isUtf8(body) }
  const text =
    encoding === 'utf16le' && body.length % 2 === 0
      ? body.toString('utf16le')
      : decode(body, nameOf(encoding), { stripBOM: false })
  const file = { text, encoding, mark }
  return { ...file, exact: encodeText({ ...file, mark: false }).equals(body) }
}

/** Encode a text in its file's encoding. Characters it lacks are lost: check `lackingIn` first. */
export function encodeText({ text, encoding, mark }: Omit<TextFile, 'exact'>): Buffer {
  const whole = (mark ? '\ufeff' : '') + text
  return encoding === 'utf8' ? Buffer.from(whole, 'utf8') : encode(whole, nameOf(encoding), { addBOM: false })
}

/** Return the first character of a text that an encoding lacks, with its line; undefined if it has all. */
export function lackingIn(text: string, encoding: string): { character: string; line: number } | undefined {
  if (encoding.startsWith('utf')) return undefined
  if (decode(encode(text, nameOf(encoding)), nameOf(encoding), { stripBOM: false }) === text) return undefined
  let line = 1
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (segment === '\n' || segment === '\r\n') line += 1
    else if (decode(encode(segment, nameOf(encoding)), nameOf(encoding)) !== segment)
      return { character: segment, line }
  }
  return { character: text.slice(0, 1), line: 1 }
}

/** Return the display name of an encoding. */
export function encodingName(encoding: string): string {
  if (encoding === 'utf8') return 'UTF-8'
  return encoding.startsWith('utf16') ? 'UTF-16' : encoding
}

function nameOf(encoding: string): string {
  if (encoding === 'utf16le') return 'utf-16le'
  return encoding === 'utf16be' ? 'utf-16be' : nameInLibrary(encoding)
}

/** Return whether bytes are UTF-8 with few errors: more valid multi-byte characters than invalid ones. */
function isMostlyUtf8(bytes: Buffer): boolean {
  const text = bytes.subarray(0, 100_000).toString('utf8')
  const wrong = text.split('\ufffd').length - 1
  return (text.match(/[\u0080-\ufffc]/g)?.length ?? 0) > wrong
}

/** Decode ISO-2022-JP, which is ASCII with escapes. It can be read, but not written here. */
function decodeJapaneseMail(bytes: Buffer): TextFile | undefined {
  if (!bytes.includes('\u001b$B') && !bytes.includes('\u001b$@')) return undefined
  try {
    const text = new TextDecoder('iso-2022-jp', { fatal: true }).decode(bytes)
    return { text, encoding: 'ISO-2022-JP', mark: false, exact: false }
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
