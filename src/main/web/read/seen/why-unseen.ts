import { UNKNOWN, type Style } from './css/cascade.ts'
import { readLength, screenSize, splitValue, type LengthBase } from './css/lengths.ts'
import type { Box } from './page-nodes.ts'

/** The space in the nearest ancestor that clips its content. `holds`: positioned elements are clipped too. */
export type Room = { width: number | undefined; height: number | undefined; holds: boolean }

type Looked = {
  box: Box
  style: Style
  base: LengthBase
  opacity: number
  scale: number
  room: Room
}

/** The reason why nothing in an element can be seen, whatever its descendants set; undefined if none. */
export function whyGone(looked: Looked): string | undefined {
  const { style, box, opacity, scale } = looked
  const is = (name: string, pattern: RegExp) => pattern.test(style.get(name) ?? '')
  if (is('display', /^none$/i)) return 'not displayed'
  if (is('content-visibility', /^hidden$/i)) return 'its content is not displayed'
  if (opacity < 0.1) return 'see-through'
  if (scale < 0.02) return 'made small'
  if (is('content', /url\(/i) && box.tag !== 'img') return 'replaced by a picture'
  return (
    whyFiltered(style.get('filter') ?? '') ??
    whyMasked(style.get('mask-image') ?? '') ??
    whyClipped(looked) ??
    whyTiny(looked) ??
    whyAside(looked) ??
    whyTurned(style)
  )
}

function whyFiltered(filter: string): string | undefined {
  const amount = (name: string) => {
    const found = new RegExp(`${name}\\(\\s*([\\d.]+)(%?)`, 'i').exec(filter)
    return found ? Number(found[1]) / (found[2] ? 100 : 1) : undefined
  }
  if ((amount('opacity') ?? 1) < 0.1) return 'see-through'
  if ((amount('contrast') ?? 1) < 0.05) return 'without contrast'
  if ((amount('blur') ?? 0) >= 8) return 'blurred'
  return (amount('brightness') ?? 1) >= 50 ? 'too bright' : undefined
}

function whyMasked(mask: string): string | undefined {
  if (!/gradient\(/i.test(mask)) return undefined
  const stops =
    mask.match(/#[0-9a-f]{3,8}\b|rgba?\([^()]*\)|\b(?:transparent|black|white|red|currentcolor)\b/gi) ?? []
  const isClear = (stop: string) =>
    /^transparent$|[,/]\s*0(?:\.0\d*)?%?\s*\)$|^#(?:[0-9a-f]{3}0|[0-9a-f]{6}0[0-9a-f])$/i.test(stop)
  return stops.length > 0 && stops.every(isClear) ? 'masked' : undefined
}

function whyClipped({ style, base }: Looked): string | undefined {
  const rect = /^rect\((.*)\)$/i.exec(style.get('clip') ?? '')
  if (rect && /^(?:absolute|fixed)$/i.test(style.get('position') ?? '')) {
    const [top = 0, right = 1e4, bottom = 1e4, left = 0] = (rect[1] ?? '')
      .trim()
      .split(/[\s,]+/)
      .map((part, at) => readLength(part, base) ?? (at === 0 || at === 3 ? 0 : 1e4))
    if (bottom - top <= 2 || right - left <= 2) return 'clipped'
  }
  const path = style.get('clip-path') ?? ''
  const inset = /inset\(([^()]*)/i.exec(path)
  if (inset) {
    const sides = splitValue((inset[1] ?? '').replace(/\bround\b.*$/i, ''))
    const share = (part = '0') => {
      const length = readLength(part, { ...base, percentOf: 100 })
      return part.endsWith('%') ? (length ?? 0) : (length ?? 0) > 1_000 ? 100 : 0
    }
    const [top, right = top, bottom = top, left = right] = sides
    if (share(top) + share(bottom) >= 95 || share(left) + share(right) >= 95) return 'clipped'
  }
  const round = /(?:circle|ellipse)\(\s*([\d.]+)(?:px|%|em|rem)?/i.exec(path)
  if (round && Number(round[1]) <= 1) return 'clipped'
  const polygon = /polygon\(([^()]*(?:\([^()]*\)[^()]*)*)\)/i.exec(path)
  if (polygon) {
    const points = splitValue((polygon[1] ?? '').replace(/^(?:evenodd|nonzero)\s*,/i, ''), 'commas').map(
      point => splitValue(point).map(part => readLength(part, { ...base, percentOf: 100 }) ?? NaN),
    )
    const area = points.reduce((sum, [x = 0, y = 0], at) => {
      const [nextX = 0, nextY = 0] = points[(at + 1) % points.length] ?? []
      return sum + x * nextY - nextX * y
    }, 0)
    if (Math.abs(area) < 4) return 'clipped'
  }
  return undefined
}

/** Why an element is too small to show any content, or gets no space from its ancestors. */
function whyTiny({ style, base, room }: Looked): string | undefined {
  const cuts = (name: string) => /^(?:hidden|clip|auto|scroll|overlay)$/i.test(style.get(name) ?? '')
  const length = (name: string) => readLength(style.get(name) ?? '', base)
  const least = (...names: string[]) => Math.min(...names.map(name => length(name) ?? Infinity))
  const padding = (name: string) => length(name) ?? (style.has(name) ? 10 : 0)
  if (cuts('overflow-y') || cuts('overflow-x')) {
    const height = least('height', 'max-height')
    const width = least('width', 'max-width')
    const isTall = padding('padding-top') + padding('padding-bottom') > 3 || (length('min-height') ?? 0) > 3
    const isWide = padding('padding-left') > 3 || (length('min-width') ?? 0) > 3
    if (height <= 3 && !isTall && cuts('overflow-y')) return 'no height'
    if (width <= 3 && !isWide && cuts('overflow-x')) return 'no width'
    // The content is pushed out of its own box.
    if (
      padding('padding-top') > 0 &&
      height <= padding('padding-top') &&
      !/%/.test(style.get('padding-top') ?? '') &&
      height > 3
    ) {
      if (/^(?:hidden|clip)$/i.test(style.get('overflow-y') ?? '') && room.height !== height)
        return 'pushed out'
    }
  }
  const pushed = Math.max(
    length('margin-top') ?? 0,
    /^(?:absolute|relative)$/i.test(style.get('position') ?? '') ? (length('top') ?? 0) : 0,
  )
  const down = Math.max(pushed, /%/.test(style.get('padding-top') ?? '') ? 0 : (length('padding-top') ?? 0))
  if (room.height !== undefined && down >= room.height && down > 0) return 'pushed out'
  if (room.holds && room.width !== undefined && /^absolute$/i.test(style.get('position') ?? '')) {
    const left = length('left') ?? 0
    if (left >= room.width && left >= 100 && !/%/.test(style.get('left') ?? '')) return 'pushed out'
  }
  const aside = Math.max(length('margin-left') ?? 0, length('padding-left') ?? 0)
  if (room.width !== undefined && aside >= room.width && aside >= 200) return 'pushed out'
  return undefined
}

/** Why an element is outside the page, where users cannot scroll. */
function whyAside({ style, base }: Looked): string | undefined {
  const position = (style.get('position') ?? 'static').toLowerCase()
  const at = (name: string, percentOf: number = screenSize.width) =>
    readLength(style.get(name) ?? '', { ...base, percentOf })
  const down = (name: string) => at(name, screenSize.height)
  if (/absolute|fixed|relative|sticky/.test(position)) {
    const [left, right, top, bottom] = [at('left'), at('right'), down('top'), down('bottom')]
    const width = at('width')
    if (left !== undefined && (left <= -500 || (width !== undefined && left < -20 && left + width <= 0)))
      return 'left of the page'
    if (left !== undefined && left >= (position === 'fixed' ? screenSize.width : 2_500))
      return 'right of the page'
    if (left === undefined && right !== undefined && right <= (position === 'fixed' ? -300 : -500))
      return 'right of the page'
    if (right !== undefined && right >= 2_500) return 'left of the page'
    if (top !== undefined && position !== 'sticky') {
      if (top <= (position === 'fixed' ? -150 : -400)) return 'above the page'
      if (top >= (position === 'fixed' ? screenSize.height : 20_000)) return 'below the page'
    }
    if (top === undefined && bottom !== undefined && bottom <= (position === 'fixed' ? -100 : -5_000))
      return 'below the page'
    if (position === 'fixed' && bottom !== undefined && bottom >= 5_000) return 'above the page'
  }
  const margin = (name: string, padding: string) => (at(name) ?? 0) + Math.max(0, at(padding) ?? 0)
  if (margin('margin-left', 'padding-left') <= -500) return 'left of the page'
  if (margin('margin-left', 'padding-left') >= 5_000) return 'right of the page'
  if (/^right$/i.test(style.get('float') ?? '') && (at('margin-right') ?? 0) <= -1_000)
    return 'right of the page'
  if (margin('margin-top', 'padding-top') <= -800) return 'above the page'
  return whyMoved(style, base, position)
}

function whyMoved(style: Style, base: LengthBase, position: string): string | undefined {
  let [x, y] = [0, 0]
  let [ownX, ownY] = [0, 0]
  const move = (part: string | undefined, isAcross: boolean) => {
    if (part === undefined) return
    const percent = /^(-?[\d.]+)%$/.exec(part)
    const by = percent ? Number(percent[1]) : (readLength(part, base) ?? 0)
    if (percent && isAcross) ownX += by
    else if (percent) ownY += by
    else if (isAcross) x += by
    else y += by
  }
  const transform = style.get('transform') ?? ''
  for (const [, kind = '', inside = ''] of transform.matchAll(
    /translate(x|y|3d)?\(((?:[^()]|\([^()]*\))*)\)/gi,
  )) {
    const [first, second] = splitValue(inside, 'commas')
    if (kind.toLowerCase() === 'y') move(first, false)
    else {
      move(first, true)
      if (kind.toLowerCase() !== 'x') move(second, false)
    }
  }
  const matrix = /matrix\(([^()]*)\)/i.exec(transform)?.[1]?.split(',')
  if (matrix) {
    x += Number(matrix[4] ?? 0)
    y += Number(matrix[5] ?? 0)
  }
  const own = style.get('translate')
  if (own !== undefined && own !== UNKNOWN) {
    const [first, second] = splitValue(own)
    move(first, true)
    move(second, false)
  }
  if (x <= -800 || y <= -1_500 || x >= 2_500 || y >= 20_000) return 'moved off the page'
  if (Math.abs(ownX) >= 500 || ownY <= -500 || ownY >= 2_000) return 'moved off the page'
  if (!/absolute|fixed/.test(position)) return undefined
  const isAtEdge = (name: string) => {
    const length = readLength(style.get(name) ?? '', base)
    return length !== undefined && Math.abs(length) < 8
  }
  const isOut =
    (ownX <= -100 && isAtEdge('left')) ||
    (ownX >= 100 && isAtEdge('right')) ||
    (ownY <= -100 && isAtEdge('top')) ||
    (position === 'fixed' && ownY >= 100 && isAtEdge('bottom'))
  return isOut ? 'moved off the page' : undefined
}

function whyTurned(style: Style): string | undefined {
  if (!/^hidden$/i.test(style.get('backface-visibility') ?? '')) return undefined
  const turned = /rotate[xy]\(\s*(-?[\d.]+)(deg|turn)/i.exec(style.get('transform') ?? '')
  if (!turned) return undefined
  const degrees = Math.abs(Number(turned[1]) * (turned[2] === 'turn' ? 360 : 1)) % 360
  return degrees > 90 && degrees < 270 ? 'turned away' : undefined
}
