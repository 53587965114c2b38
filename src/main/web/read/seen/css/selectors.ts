import type { CssNode } from 'css-tree'
import { findAround, type Box } from '../page-nodes.ts'

/** Whether an element matches one condition of a selector. */
type Test = (box: Box, count: Counter) => boolean
/** Counts steps, so that no sheet takes too long. Throws beyond the limit. */
export type Counter = (steps?: number) => void

/** One part of a selector between two combinators. */
type Compound = { tag: string | undefined; id: string | undefined; classes: string[]; tests: Test[] }

/** A selector, read from its right end. */
export type Selector = {
  /** The parts from right to left; `by` joins a part with the previous one in this list. */
  parts: { compound: Compound; by: string }[]
  specificity: number
}

/** Thrown if a selector is not supported or can match no element. */
export class UnknownSelector extends Error {}

const one = { id: 1_000_000, class: 1_000, tag: 1 }

/** Read a selector from css-tree. `outer`: those of the enclosing rule, for `&`. Throws `UnknownSelector`. */
export function readSelector(node: CssNode, outer: readonly Selector[] = []): Selector {
  if (node.type !== 'Selector') throw new UnknownSelector(node.type)
  const parts: Selector['parts'] = []
  let specificity = 0
  let compound = emptyCompound()
  let isNested = false
  let isBlank = true
  const close = (by: string) => {
    parts.unshift({ compound, by })
    compound = emptyCompound()
    isBlank = true
  }
  for (const child of node.children) {
    if (child.type === 'Combinator') {
      const by = child.name.trim() || ' '
      if (isBlank) {
        if (parts.length > 0 || outer.length === 0) throw new UnknownSelector('a combinator in front')
        compound.tests.push(fitsAny(outer))
        isNested = true
      }
      close(by)
      continue
    }
    isBlank = false
    if (child.type === 'NestingSelector') isNested = true
    specificity += addTo(compound, child, outer)
  }
  if (isBlank) throw new UnknownSelector('nothing')
  parts.unshift({ compound, by: '' })
  // Each part says how it is joined to the one on its left.
  const joined = parts.map((part, at) => ({ compound: part.compound, by: parts[at + 1]?.by ?? '' }))
  if (outer.length > 0 && !isNested) {
    const last = joined.at(-1)
    if (last) last.by = ' '
    joined.push({ compound: { ...emptyCompound(), tests: [fitsAny(outer)] }, by: '' })
  }
  return { parts: joined, specificity: specificity + (outer.length > 0 ? highest(outer) : 0) }
}

const emptyCompound = (): Compound => ({ tag: undefined, id: undefined, classes: [], tests: [] })
const highest = (selectors: readonly Selector[]) => Math.max(0, ...selectors.map(each => each.specificity))
const fitsAny =
  (selectors: readonly Selector[]): Test =>
  (box, count) =>
    selectors.some(selector => fitsSelector(box, selector, count))

function addTo(compound: Compound, node: CssNode, outer: readonly Selector[]): number {
  switch (node.type) {
    case 'TypeSelector': {
      const name = node.name.replace(/^.*\|/, '').toLowerCase()
      if (name === '*') return 0
      compound.tag = name
      return one.tag
    }
    case 'IdSelector':
      if (compound.id !== undefined && compound.id !== unescapeName(node.name))
        compound.tests.push(() => false)
      compound.id = unescapeName(node.name)
      return one.id
    case 'ClassSelector':
      compound.classes.push(unescapeName(node.name))
      return one.class
    case 'AttributeSelector':
      compound.tests.push(testAttribute(node))
      return one.class
    case 'NestingSelector':
      if (outer.length > 0) compound.tests.push(fitsAny(outer))
      else compound.tests.push(box => box.parent === undefined)
      return 0
    case 'PseudoClassSelector':
      return addPseudoClass(compound, node, outer)
    default:
      throw new UnknownSelector(node.type)
  }
}

const unescapeName = (name: string): string =>
  name.includes('\\')
    ? name.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, hex: string | undefined, letter: string) =>
        hex === undefined ? letter : String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff)),
      )
    : name

function testAttribute(node: CssNode & { type: 'AttributeSelector' }): Test {
  const name = node.name.name.replace(/^.*\|/, '').toLowerCase()
  const { matcher, flags } = node
  if (matcher === null || node.value === null) return box => box.element.getAttribute(name) !== null
  const inSmall = flags?.toLowerCase() === 'i' || (flags === null && name === 'type')
  const small = (text: string) => (inSmall ? text.toLowerCase() : text)
  const wanted = small(node.value.type === 'String' ? node.value.value : unescapeName(node.value.name))
  const compare = (value: string): boolean => {
    if (matcher === '=') return value === wanted
    if (matcher === '~=') return wanted !== '' && value.split(/\s+/).includes(wanted)
    if (matcher === '|=') return value === wanted || value.startsWith(`${wanted}-`)
    if (wanted === '') return false
    if (matcher === '^=') return value.startsWith(wanted)
    if (matcher === '$=') return value.endsWith(wanted)
    return matcher === '*=' && value.includes(wanted)
  }
  return box => {
    const value = box.element.getAttribute(name)
    return value !== null && compare(small(value))
  }
}

const has =
  (name: string): Test =>
  box =>
    box.element.getAttribute(name) !== null
const isFirst: Test = box => box.index === 0
const isLast: Test = box => box.index === siblings(box).length - 1
const siblings = (box: Box): readonly Box[] => box.parent?.children ?? [box]
const ofTag = (box: Box, count: Counter): readonly Box[] => {
  const all = siblings(box)
  count(all.length)
  return all.filter(each => each.tag === box.tag)
}
const isForm = /^(?:input|button|select|textarea|option|optgroup|fieldset)$/

/** Conditions on a page that was opened but not used yet. */
const PLAIN: Record<string, Test> = {
  root: box => box.parent === undefined,
  scope: box => box.parent === undefined,
  empty: box => box.children.length === 0 && box.texts.every(text => (text.textContent ?? '') === ''),
  'first-child': isFirst,
  'last-child': isLast,
  'only-child': box => siblings(box).length === 1,
  'first-of-type': (box, count) => ofTag(box, count)[0] === box,
  'last-of-type': (box, count) => ofTag(box, count).at(-1) === box,
  'only-of-type': (box, count) => ofTag(box, count).length === 1,
  link: box => /^(?:a|area)$/.test(box.tag) && box.element.getAttribute('href') !== null,
  'any-link': box => /^(?:a|area)$/.test(box.tag) && box.element.getAttribute('href') !== null,
  checked: box => box.element.getAttribute(box.tag === 'option' ? 'selected' : 'checked') !== null,
  disabled: box => isForm.test(box.tag) && box.element.getAttribute('disabled') !== null,
  enabled: box => isForm.test(box.tag) && box.element.getAttribute('disabled') === null,
  required: has('required'),
  optional: box =>
    /^(?:input|select|textarea)$/.test(box.tag) && box.element.getAttribute('required') === null,
  'read-only': box => !/^(?:input|textarea)$/.test(box.tag),
  'placeholder-shown': box =>
    box.element.getAttribute('placeholder') !== null && !box.element.getAttribute('value'),
  open: has('open'),
  defined: box => !box.tag.includes('-'),
  valid: () => true,
  ...Object.fromEntries(
    (
      'hover active focus focus-within focus-visible visited target target-within local-link fullscreen modal popover-open playing ' +
      'paused user-valid user-invalid invalid in-range out-of-range indeterminate autofill -webkit-autofill host host-context ' +
      'current past future picture-in-picture default -moz-focusring -webkit-full-screen'
    )
      .split(' ')
      .map(name => [name, () => false]),
  ),
}

function addPseudoClass(
  compound: Compound,
  node: CssNode & { type: 'PseudoClassSelector' },
  outer: readonly Selector[],
): number {
  const name = node.name.toLowerCase()
  const inside = node.children?.toArray() ?? []
  const list = (): Selector[] =>
    inside
      .flatMap(each => (each.type === 'SelectorList' ? each.children.toArray() : [each]))
      .flatMap(each => {
        try {
          return [readSelector(each)]
        } catch (error) {
          if (error instanceof UnknownSelector) return []
          throw error
        }
      })
  if (/^(?:is|where|matches|-webkit-any|-moz-any|not)$/.test(name)) {
    const selectors = outer.length > 0 ? inside.flatMap(each => readNested(each, outer)) : list()
    const fits = fitsAny(selectors)
    compound.tests.push(name === 'not' ? (box, count) => !fits(box, count) : fits)
    return name === 'where' ? 0 : highest(selectors)
  }
  if (name === 'has') return addHas(compound, inside)
  if (name.startsWith('nth-')) return addNth(compound, name, inside[0])
  if (name === 'lang') {
    const wanted = inside.map(each =>
      each.type === 'Identifier' ? each.name : each.type === 'String' ? each.value : '',
    )
    compound.tests.push(box => {
      const lang = findAround(box, each => each.element.getAttribute('lang') !== null)?.element.getAttribute(
        'lang',
      )
      return wanted.some(each => lang?.toLowerCase().startsWith(each.toLowerCase()) ?? false)
    })
    return one.class
  }
  if (name === 'dir') {
    compound.tests.push(box => {
      const dir = findAround(box, each => each.element.getAttribute('dir') !== null)?.element.getAttribute(
        'dir',
      )
      return inside.some(each => each.type === 'Identifier' && each.name === (dir ?? 'ltr'))
    })
    return one.class
  }
  const test = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined
  if (!test) throw new UnknownSelector(name)
  compound.tests.push(test)
  return one.class
}

const readNested = (node: CssNode, outer: readonly Selector[]): Selector[] =>
  (node.type === 'SelectorList' ? node.children.toArray() : [node]).map(each =>
    readSelector(each, each.type === 'Selector' && hasNesting(each) ? outer : []),
  )

const hasNesting = (node: CssNode): boolean =>
  node.type === 'NestingSelector' || ('children' in node && (node.children?.some(hasNesting) ?? false))

function addHas(compound: Compound, inside: readonly CssNode[]): number {
  const lists = inside.flatMap(each => (each.type === 'SelectorList' ? each.children.toArray() : [each]))
  const relatives = lists.map(node => {
    if (node.type !== 'Selector') throw new UnknownSelector(node.type)
    const [first, ...rest] = node.children.toArray()
    const by = first?.type === 'Combinator' ? first.name.trim() || ' ' : ' '
    const copy = { ...node, children: node.children.copy() }
    if (first?.type === 'Combinator') copy.children.fromArray(rest)
    return { by, selector: readSelector(copy) }
  })
  compound.tests.push((box, count) =>
    relatives.some(({ by, selector }) =>
      candidates(box, by, count).some(each => fitsSelector(each, selector, count)),
    ),
  )
  return highest(relatives.map(({ selector }) => selector))
}

function candidates(box: Box, by: string, count: Counter): readonly Box[] {
  if (by === '>') return box.children
  if (by === '+') return siblings(box).slice(box.index + 1, box.index + 2)
  if (by === '~') return siblings(box).slice(box.index + 1)
  const all: Box[] = [...box.children]
  for (let at = 0; at < all.length; at++) {
    count()
    for (const child of all[at]?.children ?? []) all.push(child)
  }
  return all
}

function addNth(compound: Compound, name: string, nth: CssNode | undefined): number {
  if (nth?.type !== 'Nth') throw new UnknownSelector(name)
  const { nth: formula, selector } = nth
  const of =
    selector?.type === 'SelectorList'
      ? selector.children.toArray().map(each => readSelector(each))
      : undefined
  const [a, b] =
    formula.type === 'Identifier'
      ? [2, formula.name === 'odd' ? 1 : 0]
      : formula.type === 'AnPlusB'
        ? [Number(formula.a ?? 0), Number(formula.b ?? 0)]
        : [0, 0]
  compound.tests.push((box, count) => {
    const among = of
      ? siblings(box).filter(each => fitsAny(of)(each, count))
      : name.endsWith('-of-type')
        ? ofTag(box, count)
        : siblings(box)
    const index = among === siblings(box) ? box.index : among.indexOf(box)
    if (index < 0) return false
    const place = name.includes('last') ? among.length - index : index + 1
    return a === 0 ? place === b : (place - b) % a === 0 && (place - b) / a >= 0
  })
  return one.class
}

/** Whether an element matches a selector. */
export function fitsSelector(box: Box, selector: Selector, count: Counter): boolean {
  return fitsFrom(box, selector, 0, count)
}

function fitsFrom(box: Box, selector: Selector, at: number, count: Counter): boolean {
  count()
  const part = selector.parts[at]
  if (!part || !fitsCompound(box, part.compound, count)) return false
  if (at === selector.parts.length - 1) return true
  switch (part.by) {
    case '>':
      return box.parent !== undefined && fitsFrom(box.parent, selector, at + 1, count)
    case '+': {
      const before = siblings(box)[box.index - 1]
      return before !== undefined && fitsFrom(before, selector, at + 1, count)
    }
    case '~':
      for (let index = box.index - 1; index >= 0; index--) {
        const before = siblings(box)[index]
        if (before && fitsFrom(before, selector, at + 1, count)) return true
      }
      return false
    default:
      for (let around = box.parent; around; around = around.parent)
        if (fitsFrom(around, selector, at + 1, count)) return true
      return false
  }
}

const fitsCompound = (box: Box, { tag, id, classes, tests }: Compound, count: Counter): boolean =>
  (tag === undefined || tag === box.tag) &&
  (id === undefined || id === box.id) &&
  classes.every(name => box.classes.includes(name)) &&
  tests.every(test => test(box, count))
