import {
  decodeText,
  encodeText,
  encodingName,
  lackingIn,
  type TextFile,
} from '../../lib/encodings/decode-text.ts'

/** The bytes of a file with its new text. `note`: what is said of its encoding, when it does not keep that. */
export type NewBytes = { bytes: Buffer; note?: string }

/**
 * Encode the new text of a file as the file was: with its byte order mark, and in its older encoding where that is certain and has
 * all characters. Otherwise it becomes UTF-8, and the note says so.
 */
export function encodeLike(path: string, text: string, before: Buffer | undefined): NewBytes {
  const was = before && decodeText(before)
  if (!was || (was.encoding === 'utf8' && !was.mark)) return { bytes: Buffer.from(text) }
  // A mark is no part of the text, whoever wrote it there.
  const plain = text.replace(/^\uFEFF/, '')
  if (was.encoding === 'utf8') return { bytes: encodeText({ ...was, text: plain }) }
  const why = reasonAgainst(was, plain)
  if (why === undefined) return { bytes: encodeText({ ...was, text: plain }) }
  return { bytes: Buffer.from(plain), note: `${path} is in UTF-8 from now on: ${why}.` }
}

/** Why a text is not written in the encoding of its file, as the end of a sentence; undefined when it is. */
function reasonAgainst(was: TextFile, text: string): string | undefined {
  const name = encodingName(was.encoding)
  if (was.isUnsure || !was.exact) return `it was probably in ${name}, which is not certain`
  const lacking = lackingIn(text, was.encoding)
  if (lacking) return `it was in ${name}, which has no “${lacking.character}” (line ${lacking.line})`
  // With fewer letters than before, the next reader could no longer tell what it is.
  const again = decodeText(encodeText({ ...was, text }))
  const isTold = again !== undefined && !again.isUnsure && again.text === text
  return isTold ? undefined : `in ${name}, as it was, it could no longer be told apart from other encodings`
}
