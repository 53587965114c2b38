import { nameOf, type PageElement } from '../dom.ts'
import { isBlock, namesOf } from '../markdown/element-kinds.ts'
import { BESIDE, sumOf, type Measures } from './measure-blocks.ts'

const BESIDE_ELEMENTS = new Set(['nav', 'footer', 'aside', 'form', 'button', 'select', 'dialog', 'menu'])
/** Elements that contain text, not layout. */
const OF_TEXT = new Set(
  'p li ul ol dl dt dd blockquote pre h1 h2 h3 h4 h5 h6 table figure tr td th tbody thead code math'.split(
    ' ',
  ),
)
const HOLDS_TEXT =
  /(?:^|[\s_-])(?:contents?|document|article-?body|post-?body|entry-?content|markdown-body|prose|chapter)(?=$|[\s_-])/
const OF_VALUE = new Set(['pre', 'math'])

/** Choose the elements of a page that are its main text, from what two extractors keep. */
export function chooseElements(
  elements: readonly PageElement[],
  measures: Measures,
  { defuddle, readability }: { defuddle: ReadonlySet<number>; readability: ReadonlySet<number> },
): Set<number> {
  const { own, words, parent, end, isLink } = measures
  const total = (isIn: (at: number) => boolean) =>
    own.reduce((sum, each, at) => (isIn(at) ? sum + each : sum), 0)
  const [ofD, ofR] = [total(at => defuddle.has(at)), total(at => readability.has(at))]
  const both = total(at => defuddle.has(at) && readability.has(at))
  const linksOf = (isIn: (at: number) => boolean) => total(at => isIn(at) && isLink[at] === 1)
  const onlyD = (at: number) => defuddle.has(at) && !readability.has(at)
  const totals = {
    ofD,
    ofR,
    both,
    linksOnlyD: linksOf(onlyD) / Math.max(1, total(onlyD)),
    linksOfR: linksOf(at => readability.has(at)) / Math.max(1, ofR),
  }
  const isCore = coreOf(defuddle, readability, totals)
  const core = sumOf(measures, isCore)
  const kept = new Set<number>()
  const root = widen(
    elements,
    rootOf(core, measures),
    measures,
    sumOf(measures, at => defuddle.has(at)),
    core,
    isOneOfMany(totals),
  )
  const isShort = ofR < 80 || ofR < 0.1 * ofD
  const coreChildren = countCoreChildren(core, parent)
  const mark = (at: number, isIn: (each: number) => boolean) => {
    for (let each = at; each < end[at]!; each++) if (isIn(each)) kept.add(each)
  }
  // From outer to inner elements. One without any of the core is judged as a whole.
  for (let at = 0; at < elements.length;) {
    if (core[at]! > 0 && OF_VALUE.has(nameOf(elements[at]!))) {
      mark(at, () => true)
      at = end[at]!
      continue
    }
    if (core[at]! > 0) {
      if (isCore(at) || own[at]! > 0) kept.add(at)
      at++
      continue
    }
    // Inline parts follow their line, and elements without words follow their surroundings.
    if (kept.has(parent[at]!) && (words[at] === 0 || !isBlock(elements[at]!))) {
      const isForgotten = words[at]! > 0 && !defuddle.has(at) && !readability.has(at)
      const isOfLine =
        own[parent[at]!]! > 0 && nameOf(elements[at]!) !== 'a' && !BESIDE.test(namesOf(elements[at]!))
      if (!isForgotten || isOfLine) mark(at, () => true)
      at = end[at]!
      continue
    }
    const isInside = (root >= 0 && at >= root && at < end[root]!) || (coreChildren[parent[at]!] ?? 0) >= 2
    const size = words[at]!
    const dropped = () => true
    if (size > 0) {
      const fromD = sumWithin(at, measures, defuddle)
      const fromR = sumWithin(at, measures, readability)
      if (isWorthKeeping(elements, at, { measures, core, isInside, fromD, fromR, isShort }))
        mark(at, fromD + fromR > 0.3 * size ? each => defuddle.has(each) || readability.has(each) : dropped)
    }
    at = end[at]!
  }
  return kept
}

type Totals = { ofD: number; ofR: number; both: number; linksOnlyD: number; linksOfR: number }

/** The core: what both extractors keep, or the result of one if the other found almost nothing. */
function coreOf(d: ReadonlySet<number>, r: ReadonlySet<number>, totals: Totals): (at: number) => boolean {
  const { ofD, ofR, both } = totals
  if (both < 0.25 * Math.max(ofD, ofR) && !isOneOfMany(totals))
    return at => (ofD >= ofR * 0.5 ? d : r).has(at)
  return at => d.has(at) && r.has(at)
}

/** Whether the page has one article among lists of others that one extractor took for text. */
const isOneOfMany = ({ ofR, both, linksOnlyD, linksOfR }: Totals): boolean =>
  ofR > 120 && both > 0.8 * ofR && linksOnlyD > 0.12 && linksOnlyD > 3 * linksOfR

/** The innermost element that contains nearly all of the core. */
function rootOf(core: Float64Array, { parent }: Measures): number {
  let root = -1
  const all = core.reduce((most, each, at) => (parent[at]! < 0 ? most + each : most), 0)
  for (let at = 0; at < core.length; at++)
    if (core[at]! >= 0.92 * all && (root < 0 || isBelow(at, root, parent))) root = at
  return root
}

/** Widen the root to nearby elements, such as a title and an introduction that only one extractor kept. */
function widen(
  elements: readonly PageElement[],
  root: number,
  { parent, words, linkWords }: Measures,
  ofD: Float64Array,
  core: Float64Array,
  isAmongOthers: boolean,
): number {
  if (root < 0) return root
  let wide = root
  for (let step = 0; step < 3; step++) {
    const up = parent[wide]!
    const most = up >= 0 && !isAmongOthers && HOLDS_TEXT.test(namesOf(elements[up]!)) ? 3 : 0.6
    if (up < 0 || ofD[up]! - core[root]! > most * core[root]!) return wide
    if (linkWords[up]! > 0.35 * words[up]!) return wide
    wide = up
  }
  return wide
}

/** Count the children of each element that contain part of the core. */
function countCoreChildren(core: Float64Array, parent: Int32Array): Uint32Array {
  const counts = new Uint32Array(core.length)
  for (let at = 0; at < core.length; at++) if (core[at]! > 0 && parent[at]! >= 0) counts[parent[at]!]!++
  return counts
}

function isBelow(at: number, above: number, parent: Int32Array): boolean {
  for (let each = at; each >= 0; each = parent[each]!) if (each === above) return true
  return false
}

function sumWithin(at: number, { own, end }: Measures, set: ReadonlySet<number>): number {
  let sum = 0
  for (let each = at; each < end[at]!; each++) if (set.has(each)) sum += own[each]!
  return sum
}

type About = {
  measures: Measures
  core: Float64Array
  isInside: boolean
  fromD: number
  fromR: number
  isShort: boolean
}

/** Whether to keep an element that is not in both results. */
function isWorthKeeping(elements: readonly PageElement[], at: number, about: About): boolean {
  const { measures, core, isInside, fromD, fromR, isShort } = about
  const element = elements[at]!
  const name = nameOf(element)
  const size = measures.words[at]!
  const links = measures.linkWords[at]! / size
  const isBeside = BESIDE_ELEMENTS.has(name) || BESIDE.test(namesOf(element))
  const keptBy = (fromD > 0.5 * size ? 1 : 0) + (fromR > 0.5 * size ? 1 : 0)
  if (!isInside && keptBy === 0) return false
  if (OF_VALUE.has(name) && isInside) return true
  if (element.querySelector('pre') !== null && isInside && !isBeside) return true
  const isLikeKept = hasKeptTwin(elements, at, measures, core)
  if (isLikeKept && links < (keptBy === 0 ? 0.3 : 0.6) && isInside) return true
  if (
    /(?:^|[\s_-])sidebar(?:$|\s)/.test(namesOf(element)) &&
    isBetween(element) &&
    links < 0.25 &&
    measures.ends[at]! >= 2
  )
    return true
  if (
    keptBy === 0 &&
    !isBeside &&
    (isHeadOf(elements, at, about) || (isPlain(element) && links < 0.3 && measures.ends[at]! >= 1))
  )
    return true
  if (keptBy === 0)
    return name === 'table' && !isBeside && links < 0.5 && element.querySelectorAll('tr').length > 1
  if (isBeside && (keptBy < 2 || !isInside))
    return (
      isInside &&
      keptBy === 1 &&
      links < 0.2 &&
      measures.ends[at]! >= 3 &&
      !/comment|related|promo|newsletter|cookie|consent|share|social/.test(namesOf(element))
    )
  // Fact tables beside an article have many links, but not in every cell.
  if (name === 'table' && !isBeside && isInside && links < 0.75 && element.querySelector('th')) return true
  if (fromR > 0.5 * size) return links < 0.5
  if (OF_TEXT.has(name) && isInside) {
    if (/^h\d$/.test(name)) return links < 0.7
    return links < 0.5 || name === 'code'
  }
  if (keptBy === 1 && !isInside && !isShort) return isLikeKept && links < 0.3
  return links < 0.35 && (measures.ends[at]! >= 1 || size > 60)
}

/** Whether an element is only a heading, and the element after it is kept. */
function isHeadOf(elements: readonly PageElement[], at: number, { measures, core }: About): boolean {
  const element = elements[at]!
  const heading = HEADING.test(nameOf(element)) ? element : element.querySelector('h1, h2, h3, h4, h5, h6')
  if (heading === null || measures.linkWords[at]! > 0.5 * measures.words[at]!) return false
  if (heading !== element && squeezed(heading) !== squeezed(element)) return false
  for (
    let next = measures.end[at]!;
    next < elements.length && measures.parent[next] === measures.parent[at];
    next = measures.end[next]!
  )
    if (measures.words[next]! > 0) return core[next]! > 0.5 * measures.words[next]!
  return false
}

const HEADING = /^h[1-6]$/
const squeezed = (element: PageElement) => (element.textContent ?? '').replaceAll(/\s+/g, '')

/** Whether an element is a plain paragraph, without a class or id. */
const isPlain = (element: PageElement) => nameOf(element) === 'p' && namesOf(element).trim() === ''

/** Whether an element is among paragraphs, like boxes in books, and not beside them. */
function isBetween(element: PageElement): boolean {
  const siblings = [...(element.parentElement?.children ?? [])]
  const at = siblings.indexOf(element)
  const isPlain = (each: PageElement) =>
    OF_TEXT.has(nameOf(each)) || /(?:^|\s)para(?:$|\s)|section/.test(namesOf(each))
  return siblings.slice(0, at).some(isPlain) && siblings.length > 3
}

/** Whether a sibling with the same name and classes is kept, like sections of one document. */
function hasKeptTwin(
  elements: readonly PageElement[],
  at: number,
  { parent }: Measures,
  core: Float64Array,
): boolean {
  const element = elements[at]!
  const around = element.parentElement
  const classes = element.getAttribute('class') ?? ''
  if (around === null || (classes === '' && nameOf(element) !== 'section')) return false
  for (let each = parent[at]! + 1; each < elements.length && each < at + 4_000; each++)
    if (
      each !== at &&
      parent[each] === parent[at] &&
      core[each]! > 0 &&
      (elements[each]!.getAttribute('class') ?? '') === classes &&
      nameOf(elements[each]!) === nameOf(element)
    )
      return true
  return false
}
