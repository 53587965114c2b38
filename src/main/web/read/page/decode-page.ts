import { isUtf8 } from 'node:buffer'
import { decodeText } from '../../../lib/encodings/decode-text.ts'

/** A decoded page. `isUnsure`: its encoding was guessed, and may be another. */
export type DecodedPage = { text: string; encoding: string; isUnsure: boolean }

const HEAD_BYTES = 4_096

/** Decode a page as browsers do: by byte order mark, else HTTP header, else the page itself, else a guess. */
export function decodePage(bytes: Uint8Array, contentType: string): DecodedPage | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const marked = markOf(buffer)
  if (marked !== undefined) return decodeAs(buffer, marked)
  const start = buffer.subarray(0, HEAD_BYTES).toString('latin1')
  const said = [
    /charset\s*=\s*["']?([\w:.+-]+)/i.exec(contentType)?.[1],
    /<meta[^>]+charset\s*=\s*["']?\s*([\w:.+-]+)/i.exec(start)?.[1],
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:.+-]+)/i.exec(start)?.[1],
  ].flatMap(name => labelOf(name) ?? [])
  // Many servers declare Latin-1 or nothing for UTF-8. Text of another encoding is hardly ever valid UTF-8.
  if (isUtf8(wholeSigns(buffer)) && !said.some(label => /^(?:utf-16|iso-2022)/.test(label)))
    return decodeAs(buffer, 'utf-8')
  for (const label of said) {
    if (label === 'utf-8' && !isNearlyUtf8(buffer)) continue
    // A page that declares UTF-16 in one-byte letters is not UTF-16.
    if (label.startsWith('utf-16') && !buffer.subarray(0, 64).includes(0)) continue
    return decodeAs(buffer, label)
  }
  const guessed = decodeText(buffer)
  if (guessed) return { text: guessed.text, encoding: guessed.encoding, isUnsure: guessed.isUnsure === true }
  return said.length > 0 ? decodeAs(buffer, said[0]!) : undefined
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** The name of an encoding as decoders know it; undefined for an unknown one. */
function labelOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  try {
    return new TextDecoder(name).encoding
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const decodeAs = (bytes: Buffer, label: string): DecodedPage => ({
  text: new TextDecoder(label).decode(bytes),
  encoding: label,
  isUnsure: false,
})

/** Cut off an incomplete character at the end, where a page was cut. */
function wholeSigns(bytes: Buffer): Buffer {
  let end = bytes.length
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      end = bytes.length - back
      break
    }
  }
  return bytes.subarray(0, end)
}

function isNearlyUtf8(bytes: Buffer): boolean {
  const text = bytes.subarray(0, 200_000).toString('utf8')
  const wrong = text.split('\ufffd').length - 1
  return (text.match(/[\u0080-\ufffc]/g)?.length ?? 0) >= wrong
}
