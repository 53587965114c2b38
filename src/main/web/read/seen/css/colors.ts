import { namedColors } from './named-colors.ts'
import { splitValue } from './lengths.ts'

/** A colour: red, green and blue up to 255, and opacity up to 1. */
export type Color = { r: number; g: number; b: number; a: number }

/** White, the default background of a page. */
export const white: Color = { r: 255, g: 255, b: 255, a: 1 }
/** Black, the default colour of text. */
export const black: Color = { r: 0, g: 0, b: 0, a: 1 }

/** Read a colour of CSS or of an HTML attribute; undefined if it is not a known one. */
export function readColor(text: string, current: Color, depth = 0): Color | undefined {
  const value = text.trim().toLowerCase()
  if (value === 'transparent') return { ...black, a: 0 }
  if (value === 'currentcolor') return current
  const named = namedColors.get(value)
  const hex =
    named ?? (/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(value) ? value.slice(1) : undefined)
  if (hex !== undefined) return fromHex(hex)
  const call = /^([a-z-]+)\((.*)\)$/s.exec(value)
  if (!call || depth > 4) return undefined
  const [, name = '', inside = ''] = call
  if (name === 'light-dark') return readColor(splitValue(inside, 'commas')[0] ?? '', current, depth + 1)
  if (name === 'color-mix') return mixColors(inside, current, depth)
  const parts = inside.replace(/[,/]/g, ' ').trim().split(/\s+/)
  if (parts[0] === 'from') return fromOther(name, splitValue(inside), current, depth)
  return fromParts(name, parts)
}

/** Read a colour derived from another one. Only unchanged parts and opacity are supported. */
function fromOther(name: string, words: readonly string[], current: Color, depth: number): Color | undefined {
  const [, origin = '', ...rest] = words
  const base = readColor(origin, current, depth + 1)
  const [first = '', second = '', third = '', slash, alpha = 'alpha'] = rest
  const letters = name === 'oklab' || name === 'oklch' ? name.slice(2) : name.replace(/a$/, '')
  if (!base || `${first}${second}${third}` !== letters || (slash !== undefined && slash !== '/'))
    return undefined
  const a = alpha === 'alpha' ? base.a : parseFloat(alpha) / (alpha.endsWith('%') ? 100 : 1)
  return Number.isNaN(a) ? undefined : { ...base, a: limitTo(a, 1) }
}

function fromParts(name: string, parts: readonly string[]): Color | undefined {
  const [first = '', second = '', third = '', fourth = '1'] = name === 'color' ? parts.slice(1) : parts
  const share = (part: string, whole: number) =>
    part === 'none' ? 0 : part.endsWith('%') ? (parseFloat(part) / 100) * whole : parseFloat(part)
  const a = limitTo(share(fourth, 1), 1)
  const color = ((): Omit<Color, 'a'> | undefined => {
    if (name === 'rgb' || name === 'rgba')
      return { r: share(first, 255), g: share(second, 255), b: share(third, 255) }
    if (name === 'color')
      return { r: share(first, 1) * 255, g: share(second, 1) * 255, b: share(third, 1) * 255 }
    if (name === 'hsl' || name === 'hsla') return fromHsl(angleOf(first), percent(second), percent(third))
    if (name === 'hwb') {
      const [whiteness, blackness] = [percent(second), percent(third)]
      const pure = fromHsl(angleOf(first), 1, 0.5)
      const mix = (part: number) => part * (1 - whiteness - blackness) + whiteness * 255
      return { r: mix(pure.r), g: mix(pure.g), b: mix(pure.b) }
    }
    if (name === 'oklch') {
      const [chroma, hue] = [share(second, 0.4), (angleOf(third) * Math.PI) / 180]
      return fromOklab(share(first, 1), chroma * Math.cos(hue), chroma * Math.sin(hue))
    }
    if (name === 'oklab') return fromOklab(share(first, 1), share(second, 0.4), share(third, 0.4))
    // An approximation: only the lightness matters for most hidden text.
    if (name === 'lab' || name === 'lch') {
      const light = (share(first, 100) / 100) * 255
      return { r: light, g: light, b: light }
    }
    return undefined
  })()
  if (!color || [color.r, color.g, color.b, a].some(Number.isNaN)) return undefined
  return { r: limitTo(color.r, 255), g: limitTo(color.g, 255), b: limitTo(color.b, 255), a }
}

function mixColors(inside: string, current: Color, depth: number): Color | undefined {
  const [, first = '', second = ''] = splitValue(inside, 'commas')
  const read = (part: string) => {
    const words = splitValue(part)
    const share = words.find(word => word.endsWith('%'))
    const color = readColor(words.filter(word => word !== share).join(' '), current, depth + 1)
    return { color, share: share === undefined ? undefined : parseFloat(share) / 100 }
  }
  const [one, two] = [read(first), read(second)]
  if (!one.color || !two.color) return undefined
  const part = one.share ?? (two.share === undefined ? 0.5 : 1 - two.share)
  const mix = (a: number, b: number) => a * part + b * (1 - part)
  return {
    r: one.color.a === 0 ? two.color.r : two.color.a === 0 ? one.color.r : mix(one.color.r, two.color.r),
    g: one.color.a === 0 ? two.color.g : two.color.a === 0 ? one.color.g : mix(one.color.g, two.color.g),
    b: one.color.a === 0 ? two.color.b : two.color.a === 0 ? one.color.b : mix(one.color.b, two.color.b),
    a: mix(one.color.a, two.color.a),
  }
}

function fromHex(hex: string): Color {
  const long = hex.length < 6 ? hex.replace(/./g, digit => digit + digit) : hex
  const at = (from: number) => parseInt(long.slice(from, from + 2), 16)
  return { r: at(0), g: at(2), b: at(4), a: long.length === 8 ? at(6) / 255 : 1 }
}

const limitTo = (value: number, most: number) => Math.min(most, Math.max(0, value))
const percent = (part: string) => limitTo(parseFloat(part) / 100, 1)

function angleOf(part: string): number {
  const value = parseFloat(part)
  if (part.endsWith('grad')) return value * 0.9
  if (part.endsWith('rad')) return (value * 180) / Math.PI
  return part.endsWith('turn') ? value * 360 : value
}

function fromHsl(hue: number, saturation: number, light: number): Omit<Color, 'a'> {
  const most = saturation * Math.min(light, 1 - light)
  const at = (shift: number) => {
    const k = (((shift + hue / 30) % 12) + 12) % 12
    return 255 * (light - most * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return { r: at(0), g: at(8), b: at(4) }
}

function fromOklab(light: number, a: number, b: number): Omit<Color, 'a'> {
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
  const gamma = (part: number) =>
    255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * Math.max(part, 0) ** (1 / 2.4) - 0.055)
  return {
    r: gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    g: gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    b: gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  }
}

/** Blend a colour over another one. */
export function blendColors(over: Color, under: Color): Color {
  const mix = (a: number, b: number) => a * over.a + b * (1 - over.a)
  return { r: mix(over.r, under.r), g: mix(over.g, under.g), b: mix(over.b, under.b), a: 1 }
}

/** The perceived lightness of a colour, from 0 to 1 (WCAG). */
function lightOf({ r, g, b }: Color): number {
  const part = (value: number) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
}

/** Whether text of one colour is invisible on the other. Small print in pale grey is visible. */
export function looksAlike(text: Color, ground: Color): boolean {
  const shown = blendColors(text, ground)
  const farthest = Math.max(
    Math.abs(shown.r - ground.r),
    Math.abs(shown.g - ground.g),
    Math.abs(shown.b - ground.b),
  )
  if (farthest > 48) return false
  const [one, two] = [lightOf(shown), lightOf(ground)]
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05) < 1.25
}
