import { z } from 'zod'
import { clearTexts, scrollPage } from './page-program.ts'
import { readPng, type Pixels } from './read-png.ts'

const Rect = z.tuple([z.number(), z.number(), z.number(), z.number()])
type Rect = z.infer<typeof Rect>

/** What the page said of itself: its size, and each text with the boxes of its lines. */
export const PageTexts = z.object({
  size: z.object({ width: z.number(), height: z.number() }),
  texts: z.array(
    z.object({
      stamp: z.string(),
      text: z.string(),
      rects: z.array(Rect),
      /** Its letters are cut out of a background, so that it has no colour of its own. */
      cut: z.boolean(),
      /** It stays where it is when the page is scrolled. */
      fixed: z.boolean(),
      shown: z.boolean(),
    }),
  ),
})
export type PageTexts = z.infer<typeof PageTexts>
type PageText = PageTexts['texts'][number]

/** A text that nobody sees, and the number of the element that it stands in. */
export type UnseenText = { stamp: string; text: string }

type Eyes = {
  evaluate: (expression: string) => Promise<unknown>
  shoot: () => Promise<Buffer>
  /** Time is nearly up: what was not looked at yet is left to the styles. */
  isLate: () => boolean
}

/** The screen on which a page is looked at, in its own pixels; `scale`: how big they are on the pictures. */
export const SCREEN = { width: 1_280, height: 1_600, scale: 0.5 }
/** How far a page is looked at, in pixels; how many lots of texts that lie over each other are told apart. */
const MOST = { height: 30_000, width: 2_400, lots: 5 }
/** How much a pixel must change when a text is taken away, and how many of a line must. */
const NOTICED = { change: 20, share: 0.008 }

const Scrolled = z.object({ x: z.number(), y: z.number(), fixed: z.array(z.array(Rect)) })

/** Takes pictures of the page with and without its texts, screen by screen, and says which texts no picture shows. */
export async function lookAtTexts(
  page: PageTexts,
  { evaluate, shoot, isLate }: Eyes,
): Promise<{ unseen: UnseenText[]; isTooBig: boolean }> {
  const { texts } = page
  const looked = texts.map(() => ({ lines: 0, seen: 0 }))
  const lots = spreadLots(texts)
  const isLookedAt = texts.map(
    text => text.shown && !text.cut && text.rects.some(rect => isReadable(rect, text)),
  )
  const [height, width] = [Math.min(page.size.height, MOST.height), Math.min(page.size.width, MOST.width)]
  const fixed = texts.flatMap((text, at) => (text.fixed && isLookedAt[at] ? [at] : []))
  const seenLines = texts.map(() => new Set<string>())
  const steps: [number, number][] = []
  for (let y = 0; y === 0 || y < height - 80; y += SCREEN.height - 240)
    for (let x = 0; x === 0 || x < width - 80; x += SCREEN.width - 100) steps.push([x, y])
  let lookedTo = Infinity
  for (const [x, y] of steps) {
    if (isLate()) {
      lookedTo = y
      break
    }
    const isHere = (rect: Rect) =>
      rect[0] < x + SCREEN.width &&
      rect[0] + rect[2] > x &&
      rect[1] < y + SCREEN.height &&
      rect[1] + rect[3] > y
    const here = texts.flatMap((text, at) =>
      isLookedAt[at] && (text.fixed || text.rects.some(isHere)) ? [at] : [],
    )
    const open = here.filter(at => (looked[at]?.seen ?? 0) < (texts[at]?.rects.length ?? 0))
    if (open.length === 0) continue
    const place = Scrolled.parse(await evaluate(scrollPage(x, y, fixed)))
    const whole = readPng(await shoot())
    for (const lot of new Set(open.map(at => lots[at] ?? 0))) {
      const those = open.filter(at => lots[at] === lot)
      await evaluate(clearTexts(lot, those))
      const without = readPng(await shoot())
      for (const at of those) {
        const text = texts[at]
        const result = looked[at]
        if (!text || !result) continue
        const rects = text.fixed
          ? (place.fixed[fixed.indexOf(at)] ?? [])
          : text.rects.map(([left, top, w, h]): Rect => [left - place.x, top - place.y, w, h])
        for (const [line, rect] of rects.entries())
          if (
            isReadable(rect, text) &&
            !seenLines[at]?.has(String(line)) &&
            differs(whole, without, scaled(rect))
          )
            seenLines[at]?.add(String(line))
        result.seen = seenLines[at]?.size ?? 0
      }
    }
  }
  const isBelow = (text: PageText) =>
    text.rects.every(
      rect => rect[1] + rect[3] > Math.min(lookedTo, page.size.height > MOST.height ? height : Infinity),
    )
  const unseen = texts.flatMap((text, at) => {
    if (text.cut && text.shown && text.rects.some(rect => isReadable(rect, text))) return []
    if (isBelow(text) && text.shown && text.rects.length > 0) return []
    const lines = Math.max(1, text.rects.length)
    return (looked[at]?.seen ?? 0) / lines >= 0.4 ? [] : [{ stamp: text.stamp, text: text.text }]
  })
  return { unseen, isTooBig: page.size.height > MOST.height || lookedTo < Infinity }
}

/** Whether the letters of a line have room enough to be read. */
function isReadable([, , width, height]: Rect, { text }: PageText): boolean {
  const letters = text.replace(/\s+/g, ' ').trim().length
  return height >= 4 && (letters < 12 || width >= 3 || width / letters >= 1)
}

const scaled = ([left, top, width, height]: Rect): Rect => [
  left * SCREEN.scale,
  top * SCREEN.scale,
  width * SCREEN.scale,
  height * SCREEN.scale,
]

/** Whether enough pixels of a line change when its text is taken away. */
function differs(one: Pixels, two: Pixels, [left, top, width, height]: Rect): boolean {
  const [fromX, toX] = [Math.max(0, Math.floor(left)), Math.min(one.width, Math.ceil(left + width))]
  // Letters do not reach the rims of their line, where those of the next one may.
  const rim = height >= 6 ? 1 : 0
  const [fromY, toY] = [
    Math.max(0, Math.floor(top) + rim),
    Math.min(one.height, Math.ceil(top + height) - rim),
  ]
  // A line of which less than half is on the screen is looked at in another picture.
  if ((toX - fromX) * (toY - fromY) < 0.4 * width * height || toX <= fromX || toY <= fromY) return false
  const wanted = Math.max(2, NOTICED.share * (toX - fromX) * (toY - fromY))
  let changed = 0
  for (let y = fromY; y < toY; y++)
    for (let x = fromX; x < toX; x++) {
      const at = (y * one.width + x) * one.step
      const most = Math.max(
        Math.abs((one.data[at] ?? 0) - (two.data[at] ?? 0)),
        Math.abs((one.data[at + 1] ?? 0) - (two.data[at + 1] ?? 0)),
        Math.abs((one.data[at + 2] ?? 0) - (two.data[at + 2] ?? 0)),
      )
      if (most >= NOTICED.change && ++changed >= wanted) return true
    }
  return false
}

/** Texts that lie over each other go into different lots, so that each is taken away while the other stays. */
function spreadLots(texts: readonly PageText[]): number[] {
  const lots: number[] = []
  const cells = new Map<string, { at: number; rect: Rect }[]>()
  for (const [at, { rects }] of texts.entries()) {
    const taken = new Set<number>()
    for (const rect of rects)
      for (const cell of cellsOf(rect))
        for (const other of cells.get(cell) ?? [])
          if (other.at !== at && overlaps(rect, other.rect)) taken.add(lots[other.at] ?? 0)
    let lot = 0
    while (taken.has(lot) && lot < MOST.lots) lot++
    lots[at] = lot
    for (const rect of rects)
      for (const cell of cellsOf(rect))
        cells.set(cell, [...(cells.get(cell) ?? []).slice(-200), { at, rect }])
  }
  return lots
}

function* cellsOf([left, top, width, height]: Rect): Generator<string> {
  const end = Math.min(top + height, top + 4_000)
  for (let y = Math.floor(top / 100); y <= Math.floor(end / 100); y++)
    for (let x = Math.floor(left / 400); x <= Math.floor(Math.min(left + width, left + 4_000) / 400); x++)
      yield `${x} ${y}`
}

/** Whether two lines share more than a rim of a pixel: what is seen of the one would count for the other. */
function overlaps(one: Rect, two: Rect): boolean {
  const across = Math.min(one[0] + one[2], two[0] + two[2]) - Math.max(one[0], two[0])
  const down = Math.min(one[1] + one[3], two[1] + two[3]) - Math.max(one[1], two[1])
  return across > 4 && down > 1
}
