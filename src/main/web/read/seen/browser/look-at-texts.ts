import { z } from 'zod'
import { clearTexts, scrollPage } from './page-program.ts'
import { readPng, type Pixels } from './read-png.ts'

const Rect = z.tuple([z.number(), z.number(), z.number(), z.number()])
type Rect = z.infer<typeof Rect>

/** The page's report about itself: its size, and each text with the boxes of its lines. */
export const PageTexts = z.object({
  size: z.object({ width: z.number(), height: z.number() }),
  texts: z.array(
    z.object({
      stamp: z.string(),
      text: z.string(),
      rects: z.array(Rect),
      /** Whether the letters are cut out of a background, so that the text has no colour of its own. */
      cut: z.boolean(),
      /** Whether it stays in place when the page is scrolled. */
      fixed: z.boolean(),
      shown: z.boolean(),
    }),
  ),
})
export type PageTexts = z.infer<typeof PageTexts>
type PageText = PageTexts['texts'][number]

/** A text that users cannot see, and the number of its element. */
export type UnseenText = { stamp: string; text: string }

type Eyes = {
  evaluate: (expression: string) => Promise<unknown>
  shoot: () => Promise<Buffer>
  /** Whether time is nearly up. Texts not yet looked at are then judged by styles only. */
  isLate: () => boolean
}

/** The screen for looking at a page, in CSS pixels. `scale`: the size of its pixels in the pictures. */
export const SCREEN = { width: 1_280, height: 1_600, scale: 0.5 }
/** Maximum height and width of a page in pixels, and maximum lots of overlapping texts. */
const MOST = { height: 30_000, width: 2_400, lots: 5 }
/** How much a pixel must change if a text is hidden, and the minimum share of a line's pixels that must. */
const NOTICED = { change: 20, share: 0.008 }

const Scrolled = z.object({ x: z.number(), y: z.number(), fixed: z.array(z.array(Rect)) })

/** Compare pictures of the page with and without its texts, and return the texts that no picture shows. */
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

/** Whether a line has enough space for its letters to be readable. */
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

/** Whether enough pixels of a line change if its text is hidden. */
function differs(one: Pixels, two: Pixels, [left, top, width, height]: Rect): boolean {
  const [fromX, toX] = [Math.max(0, Math.floor(left)), Math.min(one.width, Math.ceil(left + width))]
  // Letters do not reach the edges of their line, but those of the next line may.
  const rim = height >= 6 ? 1 : 0
  const [fromY, toY] = [
    Math.max(0, Math.floor(top) + rim),
    Math.min(one.height, Math.ceil(top + height) - rim),
  ]
  // A line that is less than half on the screen is compared in another picture.
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

/** Put overlapping texts into different lots, so that each is hidden while the others stay. */
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

/** Whether two lines overlap enough to be confused: by more than 4 pixels across and 1 pixel down. */
function overlaps(one: Rect, two: Rect): boolean {
  const across = Math.min(one[0] + one[2], two[0] + two[2]) - Math.max(one[0], two[0])
  const down = Math.min(one[1] + one[3], two[1] + two[3]) - Math.max(one[1], two[1])
  return across > 4 && down > 1
}
