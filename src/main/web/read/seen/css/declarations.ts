import { parse, tokenize, tokenTypes } from 'css-tree'
import { splitValue } from './lengths.ts'

/** One declaration of a rule: a property that may hide something, or a custom one. */
export type Declaration = { property: string; value: string; isImportant: boolean }

/** Properties that may make a text invisible; all others are skipped. */
const WATCHED = new Set(
  (
    'display visibility content-visibility opacity font-size color -webkit-text-fill-color -webkit-text-stroke-width ' +
    '-webkit-text-stroke-color text-shadow background-color background-image background-clip position left right top bottom ' +
    'text-indent margin-left margin-right margin-top float padding-left padding-top padding-bottom transform translate scale rotate zoom width height ' +
    'max-width max-height min-height min-width overflow-x overflow-y clip clip-path filter mask-image line-height letter-spacing ' +
    'animation-name animation-fill-mode animation-iteration-count -webkit-text-security mix-blend-mode fill fill-opacity content color-scheme backface-visibility ' +
    'white-space all border-width aspect-ratio'
  ).split(' '),
)

/** Other names of these properties, on a page written from left to right. */
const SAME: Record<string, string> = {
  'inline-size': 'width',
  'block-size': 'height',
  'max-inline-size': 'max-width',
  'max-block-size': 'max-height',
  'inset-inline-start': 'left',
  'inset-inline-end': 'right',
  'inset-block-start': 'top',
  'inset-block-end': 'bottom',
  'margin-inline-start': 'margin-left',
  'margin-block-start': 'margin-top',
  'padding-inline-start': 'padding-left',
  'padding-block-start': 'padding-top',
  'padding-block-end': 'padding-bottom',
  'overflow-inline': 'overflow-x',
  'overflow-block': 'overflow-y',
  '-webkit-transform': 'transform',
  '-webkit-filter': 'filter',
  '-webkit-clip-path': 'clip-path',
  '-webkit-mask-image': 'mask-image',
  '-webkit-background-clip': 'background-clip',
  '-webkit-animation-name': 'animation-name',
  '-webkit-animation-fill-mode': 'animation-fill-mode',
  '-webkit-backface-visibility': 'backface-visibility',
}

const BOX_SIDES: Record<string, readonly string[]> = {
  inset: ['top', 'right', 'bottom', 'left'],
  margin: ['margin-top', 'margin-right', '', 'margin-left'],
  padding: ['padding-top', '', 'padding-bottom', 'padding-left'],
}
const COLOR_WORD = /^(?:#|rgb|hsl|hwb|ok|lab|lch|color|light-dark)|^[a-z]+$/i
const NO_COLOR =
  /^(?:none|repeat.*|no-repeat|scroll|fixed|local|center|left|right|top|bottom|cover|contain|border-box|padding-box|content-box|text|auto|space|round)$/i

/** Read the declarations of a rule, with shorthands expanded. What css-tree cannot parse is skipped. */
export function readBlock(text: string): Declaration[] {
  const found: Declaration[] = []
  for (const part of partsOf(text)) {
    const block = parse(part, {
      context: 'declarationList',
      parseValue: false,
      onParseError: () => undefined,
    })
    if (block.type !== 'DeclarationList') continue
    for (const node of block.children)
      if (node.type === 'Declaration' && node.value.type === 'Raw')
        addDeclaration(found, node.property, node.value.value, node.important !== false)
  }
  return found
}

/** Approximate length of the parts given to css-tree, because it copies its whole input for each error. */
const PART = 500

const CLOSING = new Map<number, number>([
  [tokenTypes.Function, tokenTypes.RightParenthesis],
  [tokenTypes.LeftParenthesis, tokenTypes.RightParenthesis],
  [tokenTypes.LeftSquareBracket, tokenTypes.RightSquareBracket],
  [tokenTypes.LeftCurlyBracket, tokenTypes.RightCurlyBracket],
])

/** Split a block into parts of whole declarations. Text without a colon is left out as an error. */
function partsOf(text: string): string[] {
  if (text.length <= PART) return [text]
  const parts = ['']
  const open: number[] = []
  let from = 0
  let hasColon = false
  const take = (end: number) => {
    if (hasColon) parts[parts.length - 1] += text.slice(from, end)
    if (parts.at(-1)!.length >= PART) parts.push('')
    from = end
    hasColon = false
  }
  tokenize(text, (type, _start, end) => {
    const closing = CLOSING.get(type)
    if (closing !== undefined) open.push(closing)
    else if (type === open.at(-1)) open.pop()
    else if (type === tokenTypes.Colon) hasColon = true
    else if (type === tokenTypes.Semicolon && open.length === 0) take(end)
  })
  take(text.length)
  return parts
}

/** Add a declaration, with shorthands expanded. */
export function addDeclaration(to: Declaration[], name: string, written: string, isImportant: boolean): void {
  const value = written.replace(/\/\*.*?\*\//gs, ' ').trim()
  if (name.startsWith('--')) {
    to.push({ property: name, value, isImportant })
    return
  }
  const lower = name.toLowerCase()
  const property = SAME[lower] ?? lower
  const set = (name: string, part: string | undefined) => {
    if (name !== '' && part !== undefined) to.push({ property: name, value: part, isImportant })
  }
  if (WATCHED.has(property)) set(property, value)
  // A shorthand with `var()` is only known once resolved, so it stays whole under its own name.
  else if (isShorthand(property)) set(property, value)
}

const SHORTHANDS =
  /^(?:inset(?:-inline|-block)?|margin(?:-inline|-block)?|padding(?:-inline|-block)?|overflow|background|font|-webkit-text-stroke|(?:-webkit-)?mask|(?:-webkit-)?animation|border)$/
const isShorthand = (property: string) => SHORTHANDS.test(property)

/** Expand a shorthand whose custom properties were inserted. Any other property stays as it is. */
export function expandShorthand(property: string, value: string): [string, string][] {
  if (!isShorthand(property)) return [[property, value]]
  const words = splitValue(value)
  const sides = BOX_SIDES[property]
  if (sides) {
    const [top = '', right = top, bottom = top, left = right] = words
    return [top, right, bottom, left].flatMap((part, at) =>
      sides[at] ? [[sides[at], part] satisfies [string, string]] : [],
    )
  }
  const [first = '', second = first] = words
  switch (property.replace('-webkit-', '')) {
    case 'inset-inline':
      return [
        ['left', first],
        ['right', second],
      ]
    case 'inset-block':
      return [
        ['top', first],
        ['bottom', second],
      ]
    case 'margin-inline':
      return [['margin-left', first]]
    case 'margin-block':
      return [['margin-top', first]]
    case 'padding-inline':
      return [['padding-left', first]]
    case 'padding-block':
      return [
        ['padding-top', first],
        ['padding-bottom', second],
      ]
    case 'overflow':
      return [
        ['overflow-x', first],
        ['overflow-y', second],
      ]
    case 'background': {
      const layers = splitValue(value, 'commas').map(layer => splitValue(layer))
      const last = layers.at(-1) ?? []
      const all = layers.flat()
      return [
        [
          'background-color',
          last.find(word => COLOR_WORD.test(word) && !NO_COLOR.test(word)) ?? 'transparent',
        ],
        [
          'background-image',
          all
            .filter(word => /^(?:url|image|[a-z-]*gradient|cross-fade|element|paint)[a-z-]*\(/i.test(word))
            .join(', ') || 'none',
        ],
        ['background-clip', all.includes('text') ? 'text' : 'border-box'],
      ]
    }
    case 'font': {
      const slash = words.findIndex(word => word.includes('/'))
      const sized = words.find(
        word =>
          /^(?:[\d.]|calc|min|max|clamp)|^(?:xx?-small|small|medium|large|x+-large|smaller|larger)\b/.test(
            word,
          ) && !/^[1-9]00$/.test(word),
      )
      const [size, line] = (sized ?? '').split('/')
      const after = line ?? (slash >= 0 ? words[slash + 1] : undefined)
      return size
        ? [
            ['font-size', size],
            ['line-height', after || 'normal'],
          ]
        : []
    }
    case 'text-stroke':
      return words.map(word => [
        /^[\d.]|^calc|^(?:thin|medium|thick)$/.test(word)
          ? '-webkit-text-stroke-width'
          : '-webkit-text-stroke-color',
        word,
      ])
    case 'mask':
      return [['mask-image', words.filter(word => word.includes('(')).join(' ') || 'none']]
    case 'animation': {
      const known =
        /^(?:[\d.+-]|ease|linear|steps|cubic-bezier|infinite|normal|reverse|alternate|forwards|both|backwards|running|paused|none$)/
      return [
        ['animation-name', words.find(word => !known.test(word)) ?? 'none'],
        ['animation-iteration-count', words.find(word => word === 'infinite') ?? '1'],
        ['animation-fill-mode', words.find(word => /^(?:forwards|both)$/.test(word)) ?? 'none'],
      ]
    }
    default:
      return [['border-width', words.find(word => /^[\d.]/.test(word)) ?? '0']]
  }
}
