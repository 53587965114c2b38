/** The sizes that relative lengths refer to, in CSS pixels. */
export type LengthBase = { fontSize: number; rootSize: number; percentOf?: number }

/** The screen size for judging pages. */
export const screenSize = { width: 1280, height: 800 }

const PER_UNIT: Record<string, (base: LengthBase) => number> = {
  px: () => 1,
  pt: () => 4 / 3,
  pc: () => 16,
  in: () => 96,
  cm: () => 37.8,
  mm: () => 3.78,
  q: () => 0.945,
  em: base => base.fontSize,
  rem: base => base.rootSize,
  lh: base => base.fontSize * 1.2,
  rlh: base => base.rootSize * 1.2,
  ex: base => base.fontSize / 2,
  ch: base => base.fontSize / 2,
  cap: base => base.fontSize * 0.7,
  ic: base => base.fontSize,
  '%': base => (base.percentOf ?? screenSize.width) / 100,
}
const OF_SCREEN = /^(?:[sld]?(v(?:w|h|i|b|min|max))|cq(?:w|h|i|b|min|max))$/

/**
 * Read a length in pixels, even a calculated one; undefined if it is not a length, such as `auto`. Numbers
 * without a unit are pixels, as in HTML attributes; 0 needs no unit.
 */
export function readLength(text: string, base: LengthBase): number | undefined {
  const tokens = text
    .toLowerCase()
    .match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?:%|[a-z]+)?|[-+*/(),]|[a-z-]+/g)
  if (!tokens || tokens.length > 60 || tokens.join('').length < text.replace(/\s/g, '').length)
    return undefined
  let at = 0
  let depth = 0

  const sum = (): number | undefined => {
    let value = product()
    for (; value !== undefined && at < tokens.length;) {
      const token = tokens[at] ?? ''
      if (token === '+' || token === '-') {
        at++
        const next = product()
        value = next === undefined ? undefined : token === '+' ? value + next : value - next
      } else if (/^[-+][\d.]/.test(token) && depth > 0) {
        // Inside calc(), “5px -3px” lacks blanks around its minus sign.
        const next = product()
        value = next === undefined ? undefined : value + next
      } else break
    }
    return value
  }
  const product = (): number | undefined => {
    let value = single()
    while (value !== undefined && (tokens[at] === '*' || tokens[at] === '/')) {
      const isTimes = tokens[at++] === '*'
      const next = single()
      value = next === undefined ? undefined : isTimes ? value * next : next === 0 ? undefined : value / next
    }
    return value
  }
  const inside = (): number[] | undefined => {
    if (tokens[at++] !== '(' || ++depth > 20) return undefined
    const values: number[] = []
    for (;;) {
      const value = sum()
      if (value === undefined) return undefined
      values.push(value)
      const token = tokens[at++]
      if (token === ')') {
        depth--
        return values
      }
      if (token !== ',') return undefined
    }
  }
  const single = (): number | undefined => {
    const token = tokens[at] ?? ''
    if (token === '-' || token === '+') {
      at++
      const value = single()
      return value === undefined ? undefined : token === '-' ? -value : value
    }
    if (token === '(') return inside()?.[0]
    const number = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(.*)$/.exec(token)
    if (number) {
      at++
      const [, digits = '', unit = ''] = number
      const one = unit === '' ? 1 : perUnit(unit, base)
      return one === undefined ? undefined : Number(digits) * one
    }
    at++
    const values = tokens[at] === '(' ? inside() : undefined
    const [first = 0, second = first, third = second] = values ?? []
    if (!values) return undefined
    if (token === 'min') return Math.min(...values)
    if (token === 'max') return Math.max(...values)
    if (token === 'clamp') return Math.max(first, Math.min(second, third))
    return token === 'calc' || token === '-webkit-calc' ? first : undefined
  }
  const value = sum()
  return at === tokens.length && value !== undefined && Number.isFinite(value) ? value : undefined
}

function perUnit(unit: string, base: LengthBase): number | undefined {
  const known = PER_UNIT[unit]
  if (known) return known(base)
  if (!OF_SCREEN.test(unit)) return undefined
  return (/h$|b$|min$/.test(unit) ? screenSize.height : screenSize.width) / 100
}

/** Split a value at blanks or commas. Brackets stay whole. */
export function splitValue(text: string, between: 'blanks' | 'commas' = 'blanks'): string[] {
  const parts: string[] = []
  let [depth, from] = [0, 0]
  for (let at = 0; at <= text.length; at++) {
    const letter = text[at] ?? (between === 'commas' ? ',' : ' ')
    if (letter === '(') depth++
    else if (letter === ')') depth--
    const isBetween = between === 'commas' ? letter === ',' : /\s/.test(letter)
    if (at === text.length || (isBetween && depth <= 0)) {
      const part = text.slice(from, at).trim()
      if (part !== '') parts.push(part)
      from = at + 1
    }
  }
  return parts
}
