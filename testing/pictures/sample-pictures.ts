import { Transformer } from '@napi-rs/image'

/** Red, green, blue and opacity of a pixel. */
type Colour = readonly [red: number, green: number, blue: number, alpha?: number]

/** A picture whose pixels come from a function, ready to be encoded. */
export function aPicture(width: number, height: number, at: (x: number, y: number) => Colour): Transformer {
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [red, green, blue, alpha = 255] = at(x, y)
      rgba.set([red, green, blue, alpha], (y * width + x) * 4)
    }
  return Transformer.fromRgbaPixels(rgba, width, height)
}

/** Decode a picture for checks. */
export async function decodePicture(bytes: Uint8Array) {
  const { format, exif, colorType, width, height } = await new Transformer(bytes).metadata(true)
  const raw = await new Transformer(bytes).rawPixels()
  const samples = raw.byteLength / (width * height)
  return {
    format,
    exif,
    colorType,
    width,
    height,
    /** The colour of a pixel, rounded so that JPEG losses do not matter. */
    colourAt: (x: number, y: number) =>
      [...raw.subarray((y * width + x) * samples).subarray(0, 3)].map(each => Math.round(each / 32) * 32),
  }
}

/** A JPEG with EXIF data: an orientation, a location and a camera. */
export function withExif(jpeg: Uint8Array, orientation: number): Buffer {
  const tiff = exifData(orientation)
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(tiff.length + 8, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from('Exif\0\0'), tiff, jpeg.subarray(2)])
}

/** The camera name, which a test searches for to check that it was removed. */
export const CAMERA = 'Acme Camera 3000'

function exifData(orientation: number): Buffer {
  const camera = Buffer.from(`${CAMERA}\0`)
  const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4 + camera.length)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(2, 8)
  // Model, an ASCII text elsewhere, and the orientation.
  tiff.writeUInt16BE(0x110, 10)
  tiff.writeUInt16BE(2, 12)
  tiff.writeUInt32BE(camera.length, 14)
  tiff.writeUInt32BE(38, 18)
  tiff.writeUInt16BE(0x112, 22)
  tiff.writeUInt16BE(3, 24)
  tiff.writeUInt32BE(1, 26)
  tiff.writeUInt16BE(orientation, 30)
  camera.copy(tiff, 38)
  return tiff
}

/** A PNG that claims this size but has no pixels. */
export function claimedPng(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33 + 12)
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.set([8, 6, 0, 0, 0], 24)
  bytes.write('IDAT', 37, 'latin1')
  return bytes
}

/** A CMYK JPEG of 16 by 8 pixels in one colour, inverted as Photoshop writes it: low samples mean ink. */
export function cmykJpeg(cyan: number, magenta: number, yellow: number, black: number): Buffer {
  const segment = (marker: number, ...data: number[]) => [0xff, marker, 0, data.length + 2, ...data]
  const ones = Array.from({ length: 64 }, () => 1)
  const lengths = (...counts: number[]) => Array.from({ length: 16 }, (_, at) => counts[at] ?? 0)
  const sizes = Array.from({ length: 12 }, (_, at) => at)
  const bits: string[] = []
  const before = [0, 0, 0, 0]
  for (let block = 0; block < 2; block++)
    for (const [index, value] of [cyan, magenta, yellow, black].entries()) {
      // With a quantiser of 1, the first coefficient is eight times the level.
      const level = (value - 128) * 8
      const step = level - before[index]!
      before[index] = level
      const size = step === 0 ? 0 : Math.floor(Math.log2(Math.abs(step))) + 1
      const written = step < 0 ? step + 2 ** size - 1 : step
      bits.push(size.toString(2).padStart(4, '0'), size ? written.toString(2).padStart(size, '0') : '', '0')
    }
  const all = bits.join('')
  const padded = all.padEnd(Math.ceil(all.length / 8) * 8, '1')
  const scan = (padded.match(/.{8}/g) ?? []).flatMap(byte => {
    const value = Number.parseInt(byte, 2)
    return value === 0xff ? [value, 0] : [value]
  })
  const components = [1, 2, 3, 4]
  return Buffer.from([
    0xff,
    0xd8,
    ...segment(0xee, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0),
    ...segment(0xdb, 0, ...ones),
    ...segment(0xc0, 8, 0, 8, 0, 16, 4, ...components.flatMap(id => [id, 0x11, 0])),
    ...segment(0xc4, 0x00, ...lengths(0, 0, 0, 12), ...sizes),
    ...segment(0xc4, 0x10, ...lengths(1), 0),
    ...segment(0xda, 4, ...components.flatMap(id => [id, 0]), 0, 63, 0),
    ...scan,
    0xff,
    0xd9,
  ])
}

/** A GIF with one pixel per frame. */
export function aGif(frames: number): Buffer {
  const frame = Buffer.from('2c00000000010001000002024401003b', 'hex').subarray(0, -1)
  const head = Buffer.from('47494638396101000100800000ff0000000000', 'hex')
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')])
}
