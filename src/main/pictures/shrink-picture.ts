import type { PictureHeader } from './picture-header.ts'
import { decodeGifFrame } from './gif-frame.ts'
import { layoutOf, toOpaquePixels, turnPixels } from './pixels.ts'

/** A picture for models: upright, small enough, and reduced to its pixels. */
export type ShrunkPicture = {
  bytes: Uint8Array
  mime: 'image/png' | 'image/jpeg'
  width: number
  height: number
}

/** Minimum size in bytes for storing a picture as JPEG whatever its format. */
const MOST_PNG_BYTES = 1_200_000
const QUALITY = 85

/**
 * Decode a picture, scale it down so that its longer side has `longest` pixels, turn it upright, and encode
 * only its pixels. Undefined if it cannot be decoded. Call this only in a separate process: decoders are
 * native code.
 */
export async function shrinkPicture(
  bytes: Uint8Array,
  header: PictureHeader,
  longest: number,
): Promise<ShrunkPicture | undefined> {
  const { Transformer, ResizeFilterType, ResizeFit } = await import('@napi-rs/image')
  const raw =
    header.format === 'gif'
      ? decodeGifFrame(bytes)?.rgba
      : await new Transformer(bytes).rawPixels().catch(() => undefined)
  const layout = raw && layoutOf(raw, header, header.isWide === true)
  if (!layout) return undefined
  // Scale down by whole factors here: the library's resizing needs several copies of all pixels.
  const side = Math.max(header.width, header.height)
  const first = turnPixels(
    toOpaquePixels(raw, header, layout, Math.max(1, Math.floor(side / longest))),
    header.orientation,
  )
  const scale = Math.min(1, longest / Math.max(first.width, first.height))
  const width = Math.max(1, Math.round(first.width * scale))
  const height = Math.max(1, Math.round(first.height * scale))
  const encoder = () => {
    const pixels = Transformer.fromRgbaPixels(first.rgba, first.width, first.height)
    const resized = { width, height, fit: ResizeFit.Fill, filter: ResizeFilterType.Lanczos3 }
    return scale < 1 ? pixels.resize(resized) : pixels
  }
  const isPhoto = header.format === 'jpeg' || header.format === 'avif'
  const png = isPhoto ? undefined : await encoder().png()
  if (png && png.byteLength <= MOST_PNG_BYTES) return { bytes: png, mime: 'image/png', width, height }
  return { bytes: await encoder().jpeg(QUALITY), mime: 'image/jpeg', width, height }
}
