import { createCascade, type Style } from './css/cascade.ts'
import { looksAlike, readColor } from './css/colors.ts'
import { splitValue } from './css/lengths.ts'
import { holdsMedia } from './css/media-queries.ts'
import { PSEUDO_GROUND } from './css/pseudo-grounds.ts'
import { readSheets } from './css/parse-sheets.ts'
import { cleanAttributes, keepDates } from './clean-attributes.ts'
import { gatherHidden, withoutHidden } from './hidden-texts.ts'
import { isFormulaSource, isNeverShown, presetOf } from './never-shown.ts'
import { listBoxes, type Box, type SeenDocument } from './page-nodes.ts'
import { deriveState, isColorUnseen, isTextUnseen, startState, type State } from './element-state.ts'

/** Limits for judging a page by its styles; beyond them only elements and attributes count. */
const MOST = { boxes: 150_000, steps: 12_000_000 }

export type HideOptions = {
  /** Sheets that were fetched for the page, in order. Without them, only sheets in the page itself count. */
  fetchedSheets?: readonly string[]
}

/** Texts removed from a page, for the user to inspect, and whether the page was too big to judge in full. */
export type HiddenOfPage = { hidden: string[]; isTooBig: boolean }

/**
 * Remove what users cannot see on a page because of its own styles: texts, elements, labels, comments and
 * characters that are only for programs. What only a browser knows, such as what covers what, stays.
 */
export function hideUnseen(document: SeenDocument, options: HideOptions = {}): HiddenOfPage {
  const { boxes, others, areAll } = listBoxes(document, MOST.boxes)
  const hidden = gatherHidden()
  for (const node of others) if (node.nodeType !== 10) node.remove()
  const { isTooBig, isUnseen, isGone } = judgeBoxes(boxes, options)
  takeOut(boxes, isUnseen, isGone, hidden.add)
  for (const box of boxes) for (const text of cleanAttributes(box)) hidden.add(text)
  return { hidden: hidden.texts(), isTooBig: isTooBig || !areAll }
}

type Judged = {
  isTooBig: boolean
  isUnseen: (box: Box) => boolean
  isGone: (box: Box) => boolean
}

class TooMuch extends Error {}

function judgeBoxes(boxes: readonly Box[], options: HideOptions): Judged {
  const texts = sheetsOf(boxes)
  const sheets = readSheets([...(options.fetchedSheets ?? []), ...texts.embedded])
  const areMissing = texts.areMissing && !options.fetchedSheets
  let left = MOST.steps
  const cascade = createCascade(
    sheets,
    box => presetOf(box, areMissing),
    (steps = 1) => {
      left -= steps
      if (left < 0) throw new TooMuch()
    },
  )
  const hasScripts = boxes.some(({ tag }) => tag === 'script')
  if (hasScripts) markScripted(boxes[0])
  const states = new Map<Box, State>()
  const styles = new Map<Box, Style>()
  const isDark = boxes.some(
    ({ tag, element }) =>
      tag === 'meta' &&
      element.getAttribute('name') === 'color-scheme' &&
      element.getAttribute('content')?.trim() === 'dark',
  )
  let start = startState(isDark)
  let isTooBig = sheets.areCut
  try {
    for (const box of boxes) {
      const style = cascade.styleOf(box)
      styles.set(box, style)
      if (box.parent === undefined && /^dark$/i.test(style.get('color-scheme') ?? ''))
        start = startState(true)
      const outer = (box.parent && states.get(box.parent)) ?? start
      const state = deriveState(box, hasScripts ? shownByScripts(box, style) : style, outer)
      states.set(box, state)
    }
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    isTooBig = true
  }
  const formulas = markInside(boxes, isFormulaSource)
  const isGone = neverShown(boxes, box => states.get(box)?.gone !== undefined && !formulas.has(box))
  return {
    isTooBig,
    isGone,
    isUnseen(box) {
      if (formulas.has(box)) return false
      const state = states.get(box)
      if (!state || !isTextUnseen(state)) return false
      return !isOnlyColor(state) || !mayLieOverOther(box, state, styles)
    },
  }
}

/** The boxes that meet a condition, with all their descendants. */
export function markInside(boxes: readonly Box[], holds: (box: Box) => boolean): Set<Box> {
  const marked = new Set<Box>()
  for (const box of boxes) if ((box.parent && marked.has(box.parent)) || holds(box)) marked.add(box)
  return marked
}

/** Whether a text is hidden only by its colour. */
const isOnlyColor = (state: State): boolean =>
  isColorUnseen(state) && !isTextUnseen({ ...state, grounds: undefined })

/** Show a page that hides itself until its scripts run, as they do for users. */
function shownByScripts(box: Box, style: Style): Style {
  if (box.tag !== 'html' && box.tag !== 'body') return style
  return new Map([...style].filter(([property]) => !/^(?:display|visibility|opacity)$/.test(property)))
}

function markScripted(root: Box | undefined): void {
  if (root?.classes.includes('no-js'))
    root.classes = root.classes.map(name => (name === 'no-js' ? 'js' : name))
}

function sheetsOf(boxes: readonly Box[]): { embedded: string[]; areMissing: boolean } {
  const embedded: string[] = []
  let areMissing = false
  for (const { tag, element, parent } of boxes) {
    const media = element.getAttribute('media') ?? ''
    if (tag === 'style' && parent?.tag !== 'noscript' && parent?.tag !== 'template') {
      const text = element.textContent ?? ''
      if (/@import/i.test(text)) areMissing = true
      if (holdsMedia(media) && /^(?:|text\/css)$/i.test(element.getAttribute('type') ?? ''))
        embedded.push(...importedData(text), text)
    } else if (tag === 'link' && /\bstylesheet\b/i.test(element.getAttribute('rel') ?? '')) {
      const data = DATA_SHEET.exec(element.getAttribute('href') ?? '')
      if (!data) areMissing = true
      else if (holdsMedia(media)) embedded.push(decodeData(data[2] ?? '', data[1] !== undefined))
    }
  }
  return { embedded, areMissing }
}

/** The imported sheets of a sheet that are included in the address itself. */
const importedData = (text: string): string[] =>
  [...text.matchAll(/@import\s+(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^"')\s;]+))/gi)].flatMap(
    ([, double, single, bare]) => {
      const data = DATA_SHEET.exec(double ?? single ?? bare ?? '')
      return data ? [decodeData(data[2] ?? '', data[1] !== undefined)] : []
    },
  )

const DATA_SHEET = /^data:text\/css[^,]*?(;base64)?,(.*)$/is

function decodeData(text: string, isBase64: boolean): string {
  try {
    return isBase64 ? Buffer.from(text, 'base64').toString() : decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Find elements to remove whole: never shown, or hidden by styles. `noscript` stays if there is no other. */
function neverShown(boxes: readonly Box[], isUnseen: (box: Box) => boolean): (box: Box) => boolean {
  const shadowed = new Set(
    boxes.flatMap(box =>
      box.tag === 'template' &&
      box.element.getAttribute('shadowrootmode') !== null &&
      !/<slot/i.test(box.element.outerHTML)
        ? (box.parent?.children ?? [])
        : [],
    ),
  )
  const gone = markInside(boxes, box => isNeverShown(box) || isUnseen(box) || shadowed.has(box))
  const outside = markInside(boxes, box => gone.has(box) || box.tag === 'noscript' || box.tag === 'head')
  let words = 0
  for (const box of boxes) {
    if (words > 20) break
    if (!outside.has(box))
      words += box.texts.reduce((sum, text) => sum + (text.textContent?.match(/\p{L}+/gu)?.length ?? 0), 0)
  }
  return box => gone.has(box) || (box.tag === 'noscript' && words > 20)
}

function takeOut(
  boxes: readonly Box[],
  isUnseen: Judged['isUnseen'],
  isGone: Judged['isGone'],
  tell: (text: string) => void,
): void {
  const gone = new Set<Box>()
  for (const box of boxes) {
    if (box.parent && gone.has(box.parent)) {
      gone.add(box)
      continue
    }
    if (box.parent && isGone(box)) {
      gone.add(box)
      removeBox(box, tell)
      continue
    }
    const unseen: string[] = []
    for (const text of box.texts) {
      const written = text.textContent ?? ''
      if (written.trim() === '') continue
      if (isUnseen(box)) {
        unseen.push(written)
        text.textContent = ' '
        continue
      }
      const { text: shown, secret } = withoutHidden(written)
      if (secret !== '') tell(secret)
      if (shown !== written) text.textContent = shown
    }
    tell(unseen.join(' '))
  }
}

function removeBox({ tag, element }: Box, tell: (text: string) => void): void {
  if (tag === 'script' && /ld\+json/i.test(element.getAttribute('type') ?? '')) {
    const dates = keepDates(element.textContent ?? '')
    if (dates !== undefined) {
      element.textContent = dates
      return
    }
  }
  if (tag !== 'script' && tag !== 'style') tell(element.textContent ?? '')
  // Keep the columns of the table.
  if (tag === 'td' || tag === 'th') element.textContent = ''
  else element.remove()
}

/** Pictures, and elements with their own background. */
const PICTURE = /^(?:img|picture|video|canvas|svg|iframe|object|embed)$/

/**
 * Whether a text may be on top of another element from which its colour stands out: a picture under a
 * caption, or the dark background of a header. Only a layout could tell.
 */
function mayLieOverOther(box: Box, state: State, styles: ReadonlyMap<Box, Style>): boolean {
  const isPlaced = (each: Box) => {
    const style = styles.get(each)
    return (
      /absolute|fixed|sticky|relative/.test(style?.get('position') ?? '') ||
      style?.get('margin-top')?.startsWith('-') ||
      style?.get('margin-left')?.startsWith('-')
    )
  }
  const hasGround = (each: Box) =>
    /[^\s]/.test(styles.get(each)?.get('background-color') ?? '') ||
    (styles.get(each)?.get('background-image') ?? 'none') !== 'none'
  const differsFrom = (written: string) => {
    const ground = readColor(written, { r: 0, g: 0, b: 0, a: 1 })
    const shown = state.fill ?? state.color
    return ground !== undefined && ground.a > 0.5 && shown !== undefined && !looksAlike(shown, ground)
  }
  const hasPseudoGround = (each: Box) => {
    const set = styles.get(each)?.get(PSEUDO_GROUND)
    return set !== undefined && (/url\(|gradient\(/i.test(set) || splitValue(set).some(differsFrom))
  }
  const standsOut = (each: Box, depth: number): boolean => {
    if (PICTURE.test(each.tag)) return true
    const style = styles.get(each)
    const image = style?.get('background-image') ?? 'none'
    if (image !== 'none') return true
    if (differsFrom(style?.get('background-color') ?? '')) return true
    return depth < 2 && each.children.slice(0, 12).some(child => standsOut(child, depth + 1))
  }
  let levels = 0
  for (let at: Box | undefined = box; at?.parent && levels < 40; at = at.parent) {
    levels++
    if (hasPseudoGround(at)) return true
    if (hasGround(at)) return false
    const inner: Box = at
    const beside = at.parent.children.slice(0, 40).filter(each => each !== inner)
    if (beside.some(each => (isPlaced(inner) || isPlaced(each)) && standsOut(each, 0))) return true
    if (at.tag === 'body') return false
  }
  return false
}
