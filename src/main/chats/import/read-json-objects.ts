import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { decodeText } from '../../lib/encodings/decode-text.ts'

/** The text of one object in a larger file, or the problem at its position. */
type FoundObject = { text: string } | { trouble: 'too long' | 'cut off' | 'no JSON' }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d
/** Bytes allowed between objects: an enclosing list, white space and a byte order mark. */
const BETWEEN = new Set(Buffer.from('\uFEFF[], \t\r\n'))

/** Decode an object. A text that is not UTF-8 is decoded in its legacy encoding if that is certain. */
function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  const read = decodeText(bytes)
  return read === undefined || read.isUnsure ? bytes.toString('utf8') : read.text
}

/** Convert to UTF-8 if the byte order mark says UTF-16, as PowerShell writes it. */
async function* inUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined
  let isFirst = true
  for await (const chunk of bytes) {
    const [first, second] = chunk
    if (isFirst && first === 0xff && second === 0xfe) decoder = new TextDecoder('utf-16le')
    if (isFirst && first === 0xfe && second === 0xff) decoder = new TextDecoder('utf-16be')
    isFirst = false
    yield decoder ? Buffer.from(decoder.decode(chunk, { stream: true })) : chunk
  }
}

/**
 * Stream the objects of a JSON list or of JSON lines, so that a file of any size never has to fit in memory.
 * Objects of more than `most` bytes are skipped. Objects are separated by their braces alone, so their text
 * may still be invalid JSON.
 */
export async function* readJsonObjects(
  bytes: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<FoundObject> {
  let depth = 0
  let inText = false
  let escaped = false
  let isStray = false
  let length = 0
  let parts: Uint8Array[] = []

  for await (const chunk of inUtf8(bytes)) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (inText) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) inText = false
      } else if (depth === 0) {
        if (byte === OPEN) {
          depth = 1
          from = at
        } else if (!BETWEEN.has(byte)) isStray = true
      } else if (byte === QUOTE) inText = true
      else if (byte === OPEN) depth++
      else if (byte === CLOSE && --depth === 0) {
        keep(chunk.subarray(from, at + 1))
        yield length > most ? { trouble: 'too long' } : { text: textOf(Buffer.concat(parts)) }
        parts = []
        length = 0
      }
    }
    if (depth > 0) keep(chunk.subarray(from))
  }
  if (depth > 0) yield { trouble: 'cut off' }
  else if (isStray) yield { trouble: 'no JSON' }

  function keep(part: Uint8Array) {
    length += part.length
    if (length > most) parts = []
    else parts.push(part)
  }
}
