const SAMPLE = 8_192

/** Return whether bytes look binary: null bytes or many control characters near the start. */
export function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE)
  if (sample.includes(0) || Buffer.from(sample.subarray(0, 5)).toString('latin1') === '%PDF-') return true
  return controlsIn(sample) > sample.length / 10
}

/** The first bytes of known binary formats, as Latin-1. */
const BEGINNINGS = [
  '\u0089PNG',
  'ÿØÿ',
  'GIF8',
  'PK\u0003\u0004',
  '\u001f\u008b',
  'MZ',
  '\u007fELF',
  'RIFF',
  'OggS',
  'ID3',
  '7z¼¯',
  'ý7zXZ',
  'BZh',
  'Êþº¾',
  'SQLite',
  '(µ/ý',
  'wOF',
  'ÐÏ\u0011à',
]

/**
 * Return whether bytes that are not UTF-8 look binary. In compressed data all bytes are equally frequent, so
 * four of 40 bytes are control characters; text has nearly none.
 */
export function isBinaryUnlessUtf8(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE)
  const start = Buffer.from(sample.subarray(0, 8)).toString('latin1')
  if (BEGINNINGS.some(each => start.startsWith(each))) return true
  return controlsIn(sample) > sample.length / 100
}

const controlsIn = (sample: Uint8Array): number =>
  sample.reduce(
    (count, byte) =>
      count + ((byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27) || byte === 127 ? 1 : 0),
    0,
  )
