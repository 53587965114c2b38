/** Decoded pixels: red, green, blue and alpha, one byte each, row by row. */
export type Pixels = { width: number; height: number; rgba: Uint8Array }

/** The layout of a raw picture: the number of samples per pixel, and the bytes per sample. */
type Layout = { samples: number; bytes: number }

/**
 * Convert raw samples of any layout to eight bits of red, green, blue and alpha, with transparent parts on
 * white. Each pixel is the average of a square with `factor` pixels per side.
 */
export function toOpaquePixels(
  raw: Uint8Array,
  size: { width: number; height: number },
  { samples, bytes }: Layout,
  factor: number,
): Pixels {
  const width = Math.max(1, Math.floor(size.width / factor))
  const height = Math.max(1, Math.floor(size.height / factor))
  const rgba = new Uint8Array(width * height * 4).fill(255)
  const read = sampleReader(raw, bytes)
  const [green, blue] = samples < 3 ? [0, 0] : [1, 2]
  const alphaAt = samples === 2 || samples === 4 ? samples - 1 : undefined
  const [wide, high] = [Math.min(factor, size.width), Math.min(factor, size.height)]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let [r, g, b] = [0, 0, 0]
      for (let dy = 0; dy < high; dy++) {
        let at = ((y * factor + dy) * size.width + x * factor) * samples
        for (let dx = 0; dx < wide; dx++, at += samples) {
          const alpha = alphaAt === undefined ? 255 : read(at + alphaAt)
          const white = 255 * (255 - alpha)
          r += read(at) * alpha + white
          g += read(at + green) * alpha + white
          b += read(at + blue) * alpha + white
        }
      }
      const all = wide * high * 255
      const to = (y * width + x) * 4
      rgba[to] = Math.round(r / all)
      rgba[to + 1] = Math.round(g / all)
      rgba[to + 2] = Math.round(b / all)
    }
  return { width, height, rgba }
}

/** Create a function that reads samples of one, two or four bytes as numbers up to 255. */
function sampleReader(raw: Uint8Array, bytes: number): (at: number) => number {
  if (bytes === 1) return at => raw[at]!
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength)
  // The decoder uses the machine's byte order, and all supported machines are little-endian.
  return bytes === 2
    ? at => view.getUint16(at * 2, true) / 257
    : at => Math.min(Math.max(view.getFloat32(at * 4, true), 0), 1) * 255
}

/** Derive the layout of raw samples from their number of bytes. `isWide`: the samples have two bytes. */
export function layoutOf(
  raw: Uint8Array,
  { width, height }: { width: number; height: number },
  isWide: boolean,
): Layout | undefined {
  const each = raw.byteLength / (width * height)
  if (!Number.isInteger(each)) return undefined
  if (each >= 12) return { samples: each / 4, bytes: 4 }
  const bytes = isWide ? 2 : 1
  const samples = each / bytes
  return samples >= 1 && samples <= 4 ? { samples, bytes } : undefined
}

/** Turn pixels upright, following the EXIF orientation of their file. */
export function turnPixels(pixels: Pixels, orientation: number): Pixels {
  if (orientation <= 1 || orientation > 8) return pixels
  const { width, height, rgba } = pixels
  const isTipped = orientation >= 5
  const turned = { width: isTipped ? height : width, height: isTipped ? width : height }
  const from = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height)
  const to = new Uint32Array(width * height)
  for (let y = 0; y < turned.height; y++)
    for (let x = 0; x < turned.width; x++)
      to[y * turned.width + x] = from[placeOf(orientation, x, y, pixels)]!
  return { ...turned, rgba: new Uint8Array(to.buffer) }
}

/** The position at which a displayed pixel is stored. */
function placeOf(
  orientation: number,
  x: number,
  y: number,
  { width, height }: Pick<Pixels, 'width' | 'height'>,
): number {
  const [right, bottom] = [width - 1, height - 1]
  switch (orientation) {
    case 2:
      return y * width + right - x
    case 3:
      return (bottom - y) * width + right - x
    case 4:
      return (bottom - y) * width + x
    case 5:
      return x * width + y
    case 6:
      return (bottom - x) * width + y
    case 7:
      return (bottom - x) * width + right - y
    default:
      return x * width + right - y
  }
}
