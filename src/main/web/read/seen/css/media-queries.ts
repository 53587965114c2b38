import { lexer } from 'css-tree'
import { readLength, screenSize } from './lengths.ts'

const base = { fontSize: 16, rootSize: 16 }

/** The media features of an ordinary screen in a light room. */
const FEATURES: Record<string, string> = {
  'prefers-color-scheme': 'light',
  'prefers-reduced-motion': 'no-preference',
  'prefers-contrast': 'no-preference',
  'prefers-reduced-transparency': 'no-preference',
  'forced-colors': 'none',
  'inverted-colors': 'none',
  hover: 'hover',
  'any-hover': 'hover',
  pointer: 'fine',
  'any-pointer': 'fine',
  orientation: 'landscape',
  'display-mode': 'browser',
  scripting: 'enabled',
  update: 'fast',
  grid: '0',
  'color-gamut': 'srgb',
  'overflow-block': 'scroll',
  'overflow-inline': 'scroll',
  'dynamic-range': 'standard',
}

/** Whether a media query applies to a screen 1280 pixels wide. Containers are treated as equally wide. */
export function holdsMedia(query: string): boolean {
  const text = query
    .replace(/\/\*.*?\*\//gs, ' ')
    .trim()
    .toLowerCase()
  return text === '' || splitTop(text, /^,/).some(each => holdsQuery(each.trim()))
}

/** Whether an `@supports` condition is true in a current browser. */
export function holdsSupports(condition: string): boolean {
  return holdsCondition(condition.trim(), inside => {
    const [property = '', ...value] = inside.split(':')
    if (/^\s*(?:selector|font-tech|font-format)\s*\(/.test(inside)) return true
    const match = lexer.matchProperty(property.trim(), value.join(':').trim())
    return match.error === null
  })
}

function holdsQuery(query: string): boolean {
  const typed = /^(?:(not|only)\s+)?([a-z-]+)(?:\s+and\s+(.*))?$/s.exec(query)
  if (typed && typed[2] !== 'not') {
    const [, word, type = '', rest = ''] = typed
    const holds = (type === 'screen' || type === 'all') && (rest === '' || holdsCondition(rest, holdsFeature))
    return word === 'not' ? !holds : holds
  }
  return holdsCondition(query, holdsFeature)
}

function holdsCondition(text: string, holds: (inside: string) => boolean, depth = 0): boolean {
  const query = text.trim()
  if (depth > 20) return false
  const either = splitTop(query, /^\s+or\s+/)
  if (either.length > 1) return either.some(each => holdsCondition(each, holds, depth + 1))
  const both = splitTop(query, /^\s+and\s+/)
  if (both.length > 1) return both.every(each => holdsCondition(each, holds, depth + 1))
  const negated = /^not\b(.*)$/s.exec(query)
  if (negated) return !holdsCondition(negated[1] ?? '', holds, depth + 1)
  // A container query may begin with a name.
  const bare = query.replace(/^[\w-]+\s+(?=\()/, '')
  if (bare.startsWith('(') && closes(bare) === bare.length - 1) {
    const inside = bare.slice(1, -1).trim()
    return /^\(|^not\b/.test(inside) ? holdsCondition(inside, holds, depth + 1) : holds(inside)
  }
  return holds(bare)
}

function holdsFeature(inside: string): boolean {
  const range = /^(.*?)(<=|>=|<|>|=)(.*?)(?:(<=|>=|<|>)(.*))?$/s.exec(inside)
  if (range) {
    const [, left = '', by = '', middle = '', then, right = ''] = range
    return compare(left, by, middle) && (then === undefined || compare(middle, then, right))
  }
  const [name = '', value] = inside.split(':').map(part => part.trim())
  const limited = /^(?:-webkit-)?(min|max)-(.*)$/.exec(name)
  if (limited && value !== undefined)
    return compare(limited[2] ?? '', limited[1] === 'min' ? '>=' : '<=', value)
  if (value === undefined)
    return sizeOf(name) !== undefined || !/^(?:none|0|no-preference)$/.test(FEATURES[name] ?? 'none')
  const size = sizeOf(name)
  return size === undefined ? FEATURES[name] === value : size === sizeOf(value)
}

function compare(left: string, by: string, right: string): boolean {
  const [one, two] = [sizeOf(left.trim()), sizeOf(right.trim())]
  if (one === undefined || two === undefined) return false
  if (by === '<') return one < two
  if (by === '>') return one > two
  return by === '<=' ? one <= two : by === '>=' ? one >= two : one === two
}

function sizeOf(text: string): number | undefined {
  if (/^(?:device-)?width$|^inline-size$/.test(text)) return screenSize.width
  if (/^(?:device-)?height$|^block-size$/.test(text)) return screenSize.height
  if (text === 'aspect-ratio' || text === 'device-aspect-ratio') return screenSize.width / screenSize.height
  if (text === 'resolution' || text === 'device-pixel-ratio') return 1
  if (text === 'color') return 8
  if (text === 'monochrome' || text === 'color-index') return 0
  const ratio = /^(\d+)\s*\/\s*(\d+)$/.exec(text)
  if (ratio) return Number(ratio[1]) / Number(ratio[2])
  const resolution = /^([\d.]+)(dppx|x|dpi|dpcm)$/.exec(text)
  if (resolution)
    return Number(resolution[1]) / (resolution[2] === 'dpi' ? 96 : resolution[2] === 'dpcm' ? 37.8 : 1)
  return readLength(text, base)
}

/** The position of the bracket that closes the first one. */
function closes(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return -1
}

function splitTop(text: string, between: RegExp): string[] {
  const parts: string[] = []
  let [depth, from] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')') depth--
    else if (depth === 0 && /[\s,]/.test(text[at] ?? '')) {
      const found = between.exec(text.slice(at, at + 12))
      if (!found) continue
      parts.push(text.slice(from, at))
      at += found[0].length - 1
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}
