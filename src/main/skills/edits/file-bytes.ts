import {
  decodeText,
  encodeText,
  encodingName,
  lackingIn,
  type TextFile,
} from '../../lib/encodings/decode-text.ts'

/** A file's new text as bytes. `note`: a remark if the encoding changes. */
export type NewBytes = { bytes: Buffer; note?: string }

/**
 * Encode a file's new text like its old bytes: with their byte order mark, and in their older encoding if
 * that is certain and has all characters. Otherwise encode it as UTF-8 and say so in `note`.
 */
export function encodeLike(path: string, text: string, before: Buffer | undefined): NewBytes {
  const was = before && decodeText(before)
  if (!was || (was.encoding === 'utf8' && !was.mark)) return { bytes: Buffer.from(text) }
  // A byte order mark is never part of the text.
  const plain = text.replace(/^\uFEFF/, '')
  if (was.encoding === 'utf8') return { bytes: encodeText({ ...was, text: plain }) }
  const why = reasonAgainst(was, plain)
  if (why === undefined) return { bytes: encodeText({ ...was, text: plain }) }
  return { bytes: Buffer.from(plain), note: `${path} is in UTF-8 from now on: ${why}.` }
}

/** The reason why a text cannot keep its file's encoding, as the end of a sentence; undefined if it can. */
function reasonAgainst(was: TextFile, text: string): string | undefined {
  const name = encodingName(was.encoding)
  if (was.isUnsure || !was.exact) return `it was probably in ${name}, which is not certain`
  const lacking = lackingIn(text, was.encoding)
  if (lacking) return `it was in ${name}, which has no “${lacking.character}” (line ${lacking.line})`
  // With fewer letters than before, the encoding might no longer be recognisable.
  const again = decodeText(encodeText({ ...was, text }))
  const isTold = again !== undefined && !again.isUnsure && again.text === text
  return isTold ? undefined : `in ${name}, as it was, it could no longer be told apart from other encodings`
}
