import { findOrientation, readDirectory } from './tiff-fields.ts'

/** Formats that Talaria decodes. */
export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'bmp' | 'tiff' | 'avif' | 'ico'

/** Properties of a picture from its first bytes, before anything is decoded. */
export type PictureHeader = {
  format: PictureFormat
  width: number
  height: number
  /** The EXIF orientation; 1 is upright. */
  orientation: number
  /** Bytes per decoded pixel. */
  pixelBytes: number
  /** Its samples have two bytes each. */
  isWide?: true
  /** It has several frames or pages, of which the first is used. */
  more?: 'frames' | 'pages'
}

/** A picture that cannot be decoded here, by the name of its format. */
type NamedOnly = { unread: string }

/**
 * Find the format of a file from its content, not its name. Undefined if it is not a picture, or if its
 * header is cut off or invalid.
 */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | NamedOnly | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const found = readers.map(read => read(view)).find(each => each !== undefined)
    if (!found || 'unread' in found) return found
    return found.width > 0 && found.height > 0 ? found : undefined
  } catch (error) {
    // The header points beyond its end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const MAGIC =
  /^(?:\x89PNG\r\n.\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|II\*\0|MM\0\*|BM.{4}\0{4}.{4}[\f(4@lx|]\0\0\0|.{4}ftyp(?:avi[fs]|hei[cxms]|hev[cx]|mif1|msf1))/s

/** Whether a file with these first bytes counts as a picture. An SVG does not: it is read as text. */
export function isPictureStart(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const named = readNamed(view)
  return (
    readIco(view) !== undefined ||
    MAGIC.test(lettersAt(view, 0, 64)) ||
    (named !== undefined && 'unread' in named && named.unread !== 'SVG')
  )
}

type Reader = (view: DataView) => PictureHeader | NamedOnly | undefined

/** The characters at a position, as many as exist. */
const lettersAt = (view: DataView, at: number, length: number): string => {
  const from = Math.min(at, view.byteLength)
  const bytes = new Uint8Array(view.buffer, view.byteOffset + from, Math.min(length, view.byteLength - from))
  return String.fromCharCode(...bytes)
}

const PNG_SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 }

const readPng: Reader = view => {
  if (lettersAt(view, 0, 8) !== '\x89PNG\r\n\x1a\n' || lettersAt(view, 12, 4) !== 'IHDR') return undefined
  const depth = view.getUint8(24)
  const isIndexed = view.getUint8(25) === 3
  // A palette may have transparent colours.
  const samples = isIndexed ? 4 : (PNG_SAMPLES[view.getUint8(25)] ?? 4)
  let isAnimated = false
  let orientation = 1
  for (let at = 33; at + 8 <= view.byteLength;) {
    const [length, name] = [view.getUint32(at), lettersAt(view, at + 4, 4)]
    if (name === 'acTL') isAnimated = true
    if (name === 'eXIf') orientation = findOrientation(view, at + 8, length)
    if (name === 'IDAT') break
    at += length + 12
  }
  return {
    format: 'png',
    width: view.getUint32(16),
    height: view.getUint32(20),
    orientation,
    pixelBytes: samples * (depth === 16 ? 2 : 1),
    ...(depth === 16 && { isWide: true as const }),
    ...(isAnimated && { more: 'frames' as const }),
  }
}

/** JPEG markers that start a frame: C0 to CF, except tables and arithmetic conditioning. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

const readJpeg: Reader = view => {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined
  let orientation = 1
  for (let at = 2; ;) {
    while (view.getUint8(at) !== 0xff) at++
    while (view.getUint8(at) === 0xff) at++
    const marker = view.getUint8(at)
    at++
    if (marker === 0xd9 || marker === 0xda) return undefined
    // Markers without a length: restarts and the like.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue
    const length = view.getUint16(at)
    if (marker === 0xe1 && lettersAt(view, at + 2, 6) === 'Exif\0\0')
      orientation = findOrientation(view, at + 8, length - 8)
    if (isFrame(marker))
      return {
        format: 'jpeg',
        height: view.getUint16(at + 3),
        width: view.getUint16(at + 5),
        orientation,
        pixelBytes: view.getUint8(at + 7),
      }
    at += length
  }
}

const readGif: Reader = view => {
  if (!/^GIF8[79]a$/.test(lettersAt(view, 0, 6))) return undefined
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  const isAnimated = countGifFrames(view, 2) > 1
  return {
    format: 'gif',
    ...size,
    orientation: 1,
    pixelBytes: 4,
    ...(isAnimated && { more: 'frames' as const }),
  }
}

/** Count the frames of a GIF, up to `most`. Blocks are skipped by their lengths. */
function countGifFrames(view: DataView, most: number): number {
  const tableAt = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)
  const skipBlocks = (from: number) => {
    let at = from
    for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += length + 1
    return at + 1
  }
  let frames = 0
  try {
    for (let at = 13 + tableAt(view.getUint8(10)); frames < most;) {
      const kind = view.getUint8(at)
      if (kind === 0x21) at = skipBlocks(at + 2)
      else if (kind === 0x2c) {
        frames++
        at = skipBlocks(at + 11 + tableAt(view.getUint8(at + 9)))
      } else break
    }
  } catch (error) {
    // The file is cut off. The decoder reports how much of it is left.
    if (!(error instanceof RangeError)) throw error
  }
  return frames
}

const readWebp: Reader = view => {
  if (lettersAt(view, 0, 4) !== 'RIFF' || lettersAt(view, 8, 4) !== 'WEBP') return undefined
  const base = { format: 'webp' as const, orientation: 1, pixelBytes: 4 }
  const kind = lettersAt(view, 12, 4)
  if (kind === 'VP8 ')
    return {
      ...base,
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
    }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { ...base, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8X') return undefined
  const threeBytes = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000 + 1
  let { orientation } = base
  for (let at = 12; at + 8 <= view.byteLength;) {
    const length = view.getUint32(at + 4, true)
    if (lettersAt(view, at, 4) === 'EXIF') {
      const isNamed = lettersAt(view, at + 8, 6) === 'Exif\0\0'
      orientation = findOrientation(view, at + (isNamed ? 14 : 8), length)
    }
    at += 8 + length + (length % 2)
  }
  const isAnimated = (view.getUint8(20) & 2) !== 0
  return {
    ...base,
    width: threeBytes(24),
    height: threeBytes(27),
    orientation,
    ...(isAnimated && { more: 'frames' as const }),
  }
}

const readBmp: Reader = view => {
  // The header's own length tells a BMP from a text that starts with these letters.
  if (lettersAt(view, 0, 2) !== 'BM' || view.byteLength < 30 || view.getUint32(14, true) > 124)
    return undefined
  return {
    format: 'bmp',
    width: Math.abs(view.getInt32(18, true)),
    height: Math.abs(view.getInt32(22, true)),
    orientation: 1,
    pixelBytes: 4,
  }
}

const readTiff: Reader = view => {
  if (!/^(II\*\0|MM\0\*)$/.test(lettersAt(view, 0, 4))) return undefined
  const { field, next } = readDirectory(view, 0)
  const [width, height] = [field(0x100), field(0x101)]
  if (width === undefined || height === undefined) return undefined
  const samples = field(0x115) ?? 1
  const bits = field(0x102) ?? 8
  return {
    format: 'tiff',
    width,
    height,
    orientation: field(0x112) ?? 1,
    pixelBytes: Math.max(samples, 1) * Math.max(Math.ceil(bits / 8), 1),
    ...(bits === 16 && { isWide: true as const }),
    ...(next > 0 && { more: 'pages' as const }),
  }
}

const readIco: Reader = view => {
  if (lettersAt(view, 0, 4) !== '\0\0\x01\0' || view.byteLength < 22) return undefined
  const side = (at: number) => view.getUint8(at) || 256
  return { format: 'ico', width: side(6), height: side(7), orientation: 1, pixelBytes: 4 }
}

/** How far to search such a file for sizes, in bytes. */
const MOST_BOXES = 65_536

/** AVIF and HEIC share a box format; the brand tells them apart. */
const readBoxes: Reader = view => {
  if (lettersAt(view, 4, 4) !== 'ftyp') return undefined
  const brands = lettersAt(view, 8, Math.min(view.getUint32(0) - 8, 64))
  if (/hei[cxms]|hev[cx]|mif1|msf1/.test(brands) && !/avi[fs]/.test(brands))
    return { unread: 'HEIC, as phones of Apple take them' }
  if (!/avi[fs]/.test(brands)) return undefined
  const at = lettersAt(view, 0, MOST_BOXES).indexOf('ispe')
  if (at < 0) return undefined
  const isAnimated = brands.includes('avis')
  return {
    format: 'avif',
    width: view.getUint32(at + 8),
    height: view.getUint32(at + 12),
    orientation: 1,
    pixelBytes: 8,
    ...(isAnimated && { more: 'frames' as const }),
  }
}

/** First bytes of pictures that cannot be read here. */
const NAMED: readonly (readonly [begins: RegExp, name: string])[] = [
  [/^\xff\n|^\0\0\0.JXL /, 'JPEG XL'],
  [/^\0\0\0.jP {2}|^\xff\x4f\xff\x51/, 'JPEG 2000'],
  [/^8BPS/, 'Photoshop (PSD)'],
  [/^%!PS-Adobe.{0,20}EPSF|^\xc5\xd0\xd3\xc6/, 'EPS'],
  [/^\xd7\xcd\xc6\x9a|^.{40} EMF/s, 'a Windows metafile'],
  [
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!DOCTYPE svg[^>[]*(?:\[[^\]]*\][^>]*)?>\s*)*<(?:svg:)?svg[\s>]/i,
    'SVG',
  ],
]

const readNamed: Reader = view => {
  const start = lettersAt(view, 0, 4_096)
  const name = NAMED.find(([begins]) => begins.test(start))?.[1]
  return name === undefined ? undefined : { unread: name }
}

const readers: readonly Reader[] = [
  readPng,
  readJpeg,
  readGif,
  readWebp,
  readBoxes,
  readTiff,
  readBmp,
  readIco,
  readNamed,
]
