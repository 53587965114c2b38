import { describe, expect, test } from 'vitest'
import {
  aGif,
  aPicture,
  CAMERA,
  claimedPng,
  cmykJpeg,
  decodePicture,
  withExif,
} from '../../../testing/pictures/sample-pictures.ts'
import { forkEngine } from '../models/engines/local/process/start-engine.ts'
import { createPictureMaker } from './prepare-picture.ts'

const signal = new AbortController().signal
const maker = createPictureMaker(forkEngine)
const RED = [255, 0, 0] as const
const BLUE = [0, 0, 255] as const
const [red, blue] = [
  [256, 0, 0],
  [0, 0, 256],
]
/** Red on the left, blue on the right. */
const flag = (width = 40, height = 20) => aPicture(width, height, x => (x < width / 2 ? RED : BLUE))

async function prepared(bytes: Uint8Array) {
  const made = await maker.prepare(bytes, signal)
  if ('refused' in made) throw new Error(made.refused)
  return made
}
async function refusal(bytes: Uint8Array): Promise<string> {
  const made = await maker.prepare(bytes, signal)
  if ('refused' in made) return made.refused
  throw new Error('It was not refused.')
}

describe('a picture is read by its content:', () => {
  test.each(['png', 'jpeg', 'webp', 'bmp', 'tiff', 'avif', 'ico'] as const)('%s', async format => {
    const made = await prepared(await flag()[format]())
    const seen = await decodePicture(made.bytes)
    expect([seen.width, seen.height, seen.colourAt(2, 10), seen.colourAt(37, 10)]).toEqual([
      40,
      20,
      red,
      blue,
    ])
    expect(made).toMatchObject({ was: { format, width: 40, height: 20 }, width: 40, height: 20, remarks: [] })
  })
})

test('it is turned upright, and nothing is left of its metadata', async () => {
  const jpeg = await flag().jpeg(95)
  const places: [orientation: number, width: number, isRed: [x: number, y: number]][] = [
    [1, 40, [2, 10]],
    [2, 40, [37, 10]],
    [3, 40, [37, 10]],
    [4, 40, [2, 10]],
    [5, 20, [10, 2]],
    [6, 20, [10, 2]],
    [7, 20, [10, 37]],
    [8, 20, [10, 37]],
  ]
  for (const [orientation, width, [x, y]] of places) {
    const given = withExif(jpeg, orientation)
    expect(given.includes(CAMERA)).toBe(true)
    const made = await prepared(given)
    const seen = await decodePicture(made.bytes)
    expect([orientation, seen.width, seen.colourAt(x, y)]).toEqual([orientation, width, red])
    expect([seen.exif, Buffer.from(made.bytes).includes(CAMERA)]).toEqual([undefined, false])
  }
})

test('a large one is shrunk until its longest side fits', async () => {
  const made = await prepared(await flag(4_000, 1_000).png())
  const seen = await decodePicture(made.bytes)
  expect([seen.width, seen.height]).toEqual([1_568, 392])
  expect([seen.colourAt(100, 100), seen.colourAt(1_500, 100)]).toEqual([red, blue])
})

test('a line is never shrunk to nothing', async () => {
  const made = await prepared(await aPicture(5_000, 1, () => RED).png())
  expect([made.width, made.height]).toEqual([1_568, 1])
})

test('what lets light through is shown on white', async () => {
  const made = await prepared(await aPicture(4, 4, () => [0, 0, 0, 0]).png())
  expect((await decodePicture(made.bytes)).colourAt(1, 1)).toEqual([256, 256, 256])
})

test('colours of print are shown as colours of a screen', async () => {
  const seen = await decodePicture((await prepared(cmykJpeg(255, 0, 0, 255))).bytes)
  expect([seen.width, seen.height, seen.colourAt(3, 3)]).toEqual([16, 8, red])
})

test('of an animated one the first frame is taken, and that is said', async () => {
  expect((await prepared(aGif(1))).remarks).toEqual([])
  expect((await decodePicture((await prepared(aGif(3))).bytes)).colourAt(0, 0)).toEqual(red)
  expect((await prepared(aGif(3))).remarks).toEqual(['This GIF is animated. Only its first frame is seen.'])
})

test.each<[string, Uint8Array, RegExp]>([
  ['too many pixels', claimedPng(50_000, 50_000), /50,000 × 50,000 pixels.*million pixels can be decoded/],
  ['no pixels', claimedPng(0, 10), /not a picture/],
  ['pixels that are missing', claimedPng(10, 10), /damaged/],
  ['a text with the name of a picture', Buffer.from('hello'), /not a picture/],
  ['nothing', Buffer.alloc(0), /not a picture/],
  ['a header that is cut off', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0', 'latin1'), /not a picture/],
  ['a HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), /is HEIC.*Save it as JPEG or PNG/],
  ['an SVG', Buffer.from('<?xml version="1.0"?>\n<svg onload="x()"/>'), /SVG, a drawing written as text/],
  ['JPEG XL', Buffer.from('\xff\x0a', 'latin1'), /JPEG XL/],
  ['Photoshop', Buffer.from('8BPS'), /Photoshop/],
  ['TIFF fields that point nowhere', Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1'), /not a picture/],
  ['more bytes than are read', Buffer.alloc(50_000_001), /50/],
])('%s is refused in words', async (_, bytes, words) => {
  expect(await refusal(bytes)).toMatch(words)
})

test('a cut picture is refused or shown as far as it goes, never an error', async () => {
  const whole = await aPicture(64, 64, (x, y) => [x * 4, y * 4, (x * y) & 255]).jpeg(90)
  for (let cut = 1; cut < whole.length; cut += Math.ceil(whole.length / 8)) {
    const made = await maker.prepare(whole.subarray(0, cut), signal)
    expect('refused' in made ? made.refused : made.mime).toMatch(/not a picture|damaged|image\/jpeg/)
  }
})

test('one that takes too much memory or time is given up, and the next one is read', async () => {
  const png = await flag(1_000, 1_000).png()
  const small = createPictureMaker(forkEngine, { mostMemory: 70_000_000 })
  expect(await small.prepare(png, signal)).toEqual({ refused: expect.stringMatching(/memory/) })
  const hasty = createPictureMaker(forkEngine, { patienceMs: 1 })
  expect(await hasty.prepare(png, signal)).toEqual({ refused: expect.stringMatching(/longer than/) })
  expect(await prepared(png)).toMatchObject({ width: 1_000 })
})
