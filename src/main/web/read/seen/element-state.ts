import { blendColors, black, looksAlike, readColor, white, type Color } from './css/colors.ts'
import { UNKNOWN, type Style } from './css/cascade.ts'
import { readLength, splitValue, type LengthBase } from './css/lengths.ts'
import type { Box } from './page-nodes.ts'
import { whyGone, type Room } from './why-unseen.ts'

/** The own and inherited properties of an element that decide whether its text can be seen. */
export type State = {
  /** Why nothing in it can be seen, whatever its descendants set. */
  gone: string | undefined
  isVisible: boolean
  /** Undefined if unknown. */
  color: Color | undefined
  /** The value of `-webkit-text-fill-color`, which replaces the colour. */
  fill: Color | undefined
  /** An outline or a shadow that makes transparent letters visible. */
  rim: Color | undefined
  fontSize: number
  /** The total scale, including that of its parents. */
  scale: number
  opacity: number
  letterSpacing: number
  indent: number
  hasNoLine: boolean
  /** Whether letters are shown as dots. */
  isDotted: boolean
  /** The colours that may be behind the text; undefined if there is a picture, or if they are unknown. */
  grounds: readonly Color[] | undefined
  /** The colours of the background if the letters are cut out of it. */
  cutOut: readonly Color[] | undefined
  blend: string
  room: Room
  /** The font size of the root element, for `rem`. */
  rootSize: number
}

/** The state outside the root element. */
export const startState = (isDark: boolean): State => ({
  gone: undefined,
  isVisible: true,
  color: isDark ? white : black,
  fill: undefined,
  rim: undefined,
  fontSize: 16,
  scale: 1,
  opacity: 1,
  letterSpacing: 0,
  indent: 0,
  hasNoLine: false,
  isDotted: false,
  grounds: [isDark ? { r: 18, g: 18, b: 18, a: 1 } : white],
  cutOut: undefined,
  blend: 'normal',
  room: { width: undefined, height: undefined, holds: false },
  rootSize: 16,
})

/** Derive the state of an element from that of its parent. */
export function deriveState(box: Box, style: Style, outer: State): State {
  if (outer.gone !== undefined || style.size === 0) return outer
  const fontSize = readFontSize(style.get('font-size'), outer)
  const rootSize = box.parent === undefined ? fontSize : outer.rootSize
  const base: LengthBase = { fontSize, rootSize }
  const length = (name: string) => readLength(style.get(name) ?? '', base)
  const current = outer.color ?? black
  const colorOf = (name: string, inherited: Color | undefined): Color | undefined => {
    const value = style.get(name)
    if (value === undefined || /^(?:inherit|unset|revert)/i.test(value)) return inherited
    return value === UNKNOWN ? undefined : readColor(value, current)
  }
  const color = /^initial$/i.test(style.get('color') ?? '') ? black : colorOf('color', outer.color)
  const ownFill = style.get('-webkit-text-fill-color')
  const fill =
    ownFill === undefined
      ? outer.fill
      : /^currentcolor$/i.test(ownFill)
        ? undefined
        : readColor(ownFill, color ?? black)
  const own = readGrounds(style, color ?? black, outer.grounds)
  const isCutOut = /\btext\b/.test(style.get('background-clip') ?? '')
  const visibility = style.get('visibility')?.toLowerCase()
  const opacity = outer.opacity * readOpacity(style.get('opacity'))
  const scale = outer.scale * readScale(style, base)
  const why =
    whyGone({ box, style, base, opacity, scale, room: outer.room }) ??
    whyBleached(style.get('filter') ?? '', outer.grounds)
  return {
    gone: why,
    isVisible:
      visibility === undefined || /^(?:inherit|unset)$/.test(visibility)
        ? outer.isVisible
        : !/^(?:hidden|collapse)$/.test(visibility),
    color,
    fill,
    rim: readRim(style, color ?? black, base) ?? outer.rim,
    fontSize,
    scale,
    opacity,
    letterSpacing: length('letter-spacing') ?? (style.has('letter-spacing') ? 0 : outer.letterSpacing),
    indent: length('text-indent') ?? outer.indent,
    hasNoLine: style.has('line-height') ? length('line-height') === 0 : outer.hasNoLine,
    isDotted: style.has('-webkit-text-security')
      ? style.get('-webkit-text-security') !== 'none'
      : outer.isDotted,
    grounds: isCutOut ? outer.grounds : own,
    cutOut: isCutOut ? (own ?? []) : outer.cutOut,
    blend: style.get('mix-blend-mode') ?? outer.blend,
    room: readRoom(style, length, outer.room),
    rootSize,
  }
}

/** Why a filter turns an element completely black or white, like its background. */
function whyBleached(filter: string, grounds: State['grounds']): string | undefined {
  if (!grounds || !/brightness\(\s*0(?:\.0*)?%?\s*\)/i.test(filter)) return undefined
  const shown = /brightness[^)]*\)\s*invert\(\s*(?:1|100%|)\s*\)/i.test(filter) ? white : black
  return grounds.every(ground => looksAlike(shown, ground)) ? 'without a colour of its own' : undefined
}

/** Whether the text of an element is invisible because of its own look. */
export function isTextUnseen(state: State): boolean {
  if (state.gone !== undefined || !state.isVisible || state.isDotted) return true
  if (state.fontSize * state.scale < 3.01) return true
  if (state.letterSpacing <= -0.4 * state.fontSize) return true
  if (state.indent <= -250 || state.indent >= 2_000) return true
  if (state.room.width !== undefined && state.indent >= state.room.width) return true
  if (state.hasNoLine && state.room.height !== undefined) return true
  return isColorUnseen(state)
}

/** Whether the colour of a text is the same as that behind it. */
export function isColorUnseen({ color, fill, rim, grounds, cutOut, opacity, blend }: State): boolean {
  const shown = fill ?? color
  if (!shown || !grounds) return false
  const paint = { ...shown, a: shown.a * opacity }
  const isLost = (each: Color) =>
    grounds.every(ground => looksAlike(each, ground) || isBlendedAway(each, ground, blend))
  if (!isLost(paint)) return false
  if (cutOut && paint.a < 0.1) return cutOut.length > 0 && cutOut.every(isLost)
  return rim === undefined || isLost(rim)
}

function isBlendedAway(color: Color, ground: Color, blend: string): boolean {
  const isLight = (each: Color) => Math.min(each.r, each.g, each.b) > 240
  const isDark = (each: Color) => Math.max(each.r, each.g, each.b) < 15
  if (/^(?:screen|lighten|color-dodge|plus-lighter)$/.test(blend)) return isLight(ground) || isDark(color)
  if (/^(?:multiply|darken|color-burn|plus-darker)$/.test(blend)) return isDark(ground) || isLight(color)
  return false
}

const SIZES: Record<string, number> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
}

function readFontSize(value: string | undefined, outer: State): number {
  if (value === undefined) return outer.fontSize
  const word = value.toLowerCase()
  if (word === 'smaller') return outer.fontSize / 1.2
  if (word === 'larger') return outer.fontSize * 1.2
  if (word === 'initial') return 16
  const size = SIZES[word] ?? readLength(word, { ...outer, percentOf: outer.fontSize })
  return size === undefined ? outer.fontSize : Math.max(0, size)
}

function readOpacity(value: string | undefined): number {
  const number =
    value === undefined ? undefined : readLength(value, { fontSize: 16, rootSize: 16, percentOf: 1 })
  return number === undefined ? 1 : Math.min(1, Math.max(0, number))
}

/** The scale of an element, in the direction where it is smaller. */
function readScale(style: Style, base: LengthBase): number {
  let scale = 1
  const numbers = (text: string) =>
    splitValue(text.replace(/,/g, ' ')).map(part =>
      part.endsWith('%') ? parseFloat(part) / 100 : parseFloat(part),
    )
  const least = (parts: readonly number[]) =>
    Math.min(...parts.filter(part => !Number.isNaN(part)).map(Math.abs), 1e9)
  for (const [, name = '', inside = ''] of (style.get('transform') ?? '').matchAll(
    /(?<![a-z0-9])([a-z0-9]+)\(([^()]*)\)/gi,
  )) {
    const parts = numbers(inside)
    if (/^scale(?:x|y)?$/i.test(name)) scale *= least(parts)
    else if (/^scale3d$/i.test(name)) scale *= least(parts.slice(0, 2))
    else if (/^matrix$/i.test(name))
      scale *= least([Math.hypot(parts[0] ?? 1, parts[1] ?? 0), Math.hypot(parts[2] ?? 0, parts[3] ?? 1)])
    else if (/^rotate(?:x|y)$/i.test(name))
      scale *= Math.abs(Math.cos((parseFloat(inside) * (inside.includes('turn') ? 360 : 1) * Math.PI) / 180))
  }
  const own = style.get('scale')
  if (own !== undefined && own !== 'none' && own !== UNKNOWN) scale *= least(numbers(own))
  const zoom = readLength((style.get('zoom') ?? '').replace('%', 'e-2'), base)
  return scale > 1e8 ? 1 : zoom === undefined ? scale : scale * zoom
}

function readRim(style: Style, current: Color, base: LengthBase): Color | undefined {
  const width = readLength(style.get('-webkit-text-stroke-width') ?? '', base) ?? 0
  if (width >= 0.3)
    return readColor(style.get('-webkit-text-stroke-color') ?? 'currentcolor', current) ?? current
  for (const shadow of splitValue(style.get('text-shadow') ?? '', 'commas')) {
    const words = splitValue(shadow)
    const color = words.map(word => readColor(word, current)).find(Boolean) ?? current
    const [x = 0, y = 0, blur = 0] = words.flatMap(word => readLength(word, base) ?? [])
    if (Math.abs(x) < 100 && Math.abs(y) < 100 && blur < 12 && color.a > 0.1) return color
  }
  return undefined
}

function readGrounds(
  style: Style,
  current: Color,
  under: readonly Color[] | undefined,
): readonly Color[] | undefined {
  const image = style.get('background-image') ?? 'none'
  const written = style.get('background-color')
  let grounds = under
  if (written !== undefined && !/^(?:initial|unset|revert|none)/i.test(written)) {
    const color = readColor(written, current)
    if (!color) grounds = undefined
    else if (color.a >= 0.98) grounds = [color]
    else if (color.a > 0) grounds = under?.map(each => blendColors(color, each))
  }
  if (image === 'none' || image === '') return grounds
  if (!/gradient\(/i.test(image) || /url\(|image|element\(|paint\(/i.test(image)) return undefined
  const colors = [
    ...image.matchAll(
      /#[0-9a-f]{3,8}\b|(?:rgba?|hsla?|ok(?:lab|lch)|color)\([^()]*\)|\b[a-z]{3,}\b(?![(-])/gi,
    ),
  ].flatMap(([word]) => readColor(word, current) ?? [])
  if (colors.length === 0 || image.includes(UNKNOWN)) return undefined
  return colors.flatMap(color => (grounds ?? [white]).map(each => blendColors(color, each))).slice(0, 16)
}

function readRoom(
  style: Style,
  length: (name: string) => number | undefined,
  outer: State['room'],
): State['room'] {
  const cuts = (name: string) => /^(?:hidden|clip|auto|scroll|overlay)$/i.test(style.get(name) ?? '')
  if (!cuts('overflow-x') && !cuts('overflow-y')) return outer
  // A scroll box can be scrolled, so only hidden overflow limits the space.
  const isFixed = (name: string) => /^(?:hidden|clip)$/i.test(style.get(name) ?? '')
  const px = (name: string) => (/%/.test(style.get(name) ?? '') ? undefined : length(name))
  return {
    holds: /^(?:relative|absolute|fixed|sticky)$/i.test(style.get('position') ?? ''),
    width: isFixed('overflow-x') ? (px('width') ?? px('max-width') ?? outer.width ?? 1_280) : outer.width,
    height: isFixed('overflow-y') ? (px('height') ?? px('max-height') ?? outer.height ?? 1e6) : outer.height,
  }
}
