/** Sample size in bytes, minimum number of characters, and the share that must be of usual scripts. */
const SAMPLE_BYTES = 8_192
const LEAST_CHARACTERS = 4
const USUAL_SHARE = 0.95

/** Characters that are never in text: control characters, and code points that no standard assigns. */
// oxlint-disable-next-line no-control-regex -- text has no other control characters, a table of numbers has
const NEVER = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]|\p{Co}|\p{Cn}|\p{Cs}/u
const USUAL =
  /[\t\n\r -~\u00a0-\u024f\u0370-\u03ff\u0400-\u052f\u05d0-\u05ea\u0600-\u06ff\u0e00-\u0e7f\u2010-\u205e\u20ac\u3000-\u30ff\u4e00-\u9fa5\uac00-\ud7a3\uff00-\uff5e]/g
const BLANK_OR_ASCII = /[\t\n\r -~]/g

/**
 * Detect UTF-16 without a byte order mark, as some Windows programs write it. Only one byte order may give
 * text, and that text must have spaces, line ends or ASCII letters, which excludes a table of numbers.
 */
export function guessUtf16(bytes: Buffer): 'utf16le' | 'utf16be' | undefined {
  if (bytes.length < LEAST_CHARACTERS * 2 || bytes.length % 2 !== 0) return undefined
  const sample = Buffer.from(bytes.subarray(0, SAMPLE_BYTES))
  const little = isText(sample.toString('utf16le'))
  const big = isText(Buffer.from(sample).swap16().toString('utf16le'))
  if (little === big) return undefined
  return little ? 'utf16le' : 'utf16be'
}

function isText(sample: string): boolean {
  // The sample may end within a surrogate pair.
  const text = sample.replace(/[\ud800-\udbff]$/, '')
  if (NEVER.test(text)) return false
  const usual = text.match(USUAL)?.length ?? 0
  const plain = text.match(BLANK_OR_ASCII)?.length ?? 0
  return usual >= text.length * USUAL_SHARE && plain >= text.length / 50
}
