import { generate, parse, type CssNode } from 'css-tree'
import { addDeclaration, readBlock, type Declaration } from './declarations.ts'
import { holdsMedia, holdsSupports } from './media-queries.ts'
import { groundOfPseudo, hostOfPseudo } from './pseudo-grounds.ts'
import { readSelector, UnknownSelector, type Selector } from './selectors.ts'

/** A selector and its declarations. `order` spans all sheets. The last layer wins; no layer is last. */
export type Rule = { selector: Selector; declarations: readonly Declaration[]; order: number; layer: number }

/** The end of an animation. `isWhole`: its state never changes. */
type EndFrame = { declarations: readonly Declaration[]; isWhole: boolean }

/** The rules of a page, and the ends of its animations. */
export type Sheets = {
  rules: Rule[]
  endFrames: Map<string, EndFrame>
  /** The initial values of custom properties (`@property`). */
  initial: Map<string, string>
  /** Whether a sheet was too long to read in full. */
  areCut: boolean
}

/** Limits for all sheets together, in characters and in rules. */
const MOST = { text: 1_000_000, rules: 20_000 }
const NO_LAYER = Number.MAX_SAFE_INTEGER

/** Read sheets in order. Skips rules for other media, and what css-tree cannot parse. */
export function readSheets(texts: readonly string[]): Sheets {
  const sheets: Sheets = { rules: [], endFrames: new Map(), initial: new Map(), areCut: false }
  const layers = new Map<string, number>()
  const layerOf = (name: string) => {
    const known = layers.get(name)
    if (known !== undefined) return known
    layers.set(name, layers.size)
    return layers.size - 1
  }
  let left = MOST.text
  for (const text of texts) {
    if (text.length > left) sheets.areCut = true
    if (left <= 0) break
    const sheet = parse(text.slice(0, left), {
      parseValue: false,
      parseAtrulePrelude: false,
      onParseError: () => undefined,
    })
    left -= text.length
    if (sheet.type === 'StyleSheet') readNodes(sheet.children, { outer: [], layer: NO_LAYER, path: '' })
  }
  return sheets

  type Place = { outer: readonly Selector[]; layer: number; path: string; depth?: number }

  function readNodes(nodes: Iterable<CssNode>, place: Place): void {
    // Declarations in a group rule within a rule belong to the outer rule, and come before nested rules.
    const own: Declaration[] = []
    if (place.outer.length > 0) addRules(place.outer, own, place.layer)
    for (const node of nodes) {
      if (sheets.rules.length >= MOST.rules) {
        sheets.areCut = true
        return
      }
      if (node.type === 'Rule') readRule(node, place)
      else if (node.type === 'Atrule') readAtRule(node, place)
      else if (node.type === 'Declaration' && node.value.type === 'Raw')
        addDeclaration(own, node.property, node.value.value, node.important !== false)
      else if (node.type === 'Raw' && place.outer.length > 0) readNestedText(node.value, place)
    }
  }

  function readRule(node: CssNode & { type: 'Rule' }, place: Place): void {
    const { prelude, block } = node
    if (prelude.type !== 'SelectorList') return
    readPseudoGround(prelude, block.children, place)
    const outer = readAll(prelude, place.outer)
    const depth = (place.depth ?? 0) + 1
    if (depth <= 12 && outer.length > 0) readNodes(block.children, { ...place, outer, depth })
  }

  function readPseudoGround(list: SelectorNodes, nodes: Iterable<CssNode>, place: Place): void {
    const hosts = list.children.toArray().flatMap(each => hostOfPseudo(each) ?? [])
    if (hosts.length === 0) return
    const set: Declaration[] = []
    for (const node of nodes)
      if (node.type === 'Declaration' && node.value.type === 'Raw')
        addDeclaration(set, node.property, node.value.value, node.important !== false)
    const ground = groundOfPseudo(set)
    if (ground.length > 0) addRules(readEach(hosts, place.outer), ground, place.layer)
  }

  /** Read nested rules that css-tree returns as raw text. */
  function readNestedText(text: string, place: Place): void {
    const depth = (place.depth ?? 0) + 1
    if (depth > 12) return
    const parts = splitBlock(text)
    const plain = parts.filter(({ inside }) => inside === undefined).map(({ head }) => head)
    addRules(place.outer, readBlock(plain.join(';')), place.layer)
    for (const { head, inside } of parts) {
      if (inside === undefined) continue
      if (head.startsWith('@')) {
        const [, name = '', prelude = ''] = /^@([\w-]+)(.*)$/s.exec(head) ?? []
        enterAtRule(name.toLowerCase(), prelude.trim(), place, inner =>
          readNestedText(inside, { ...inner, depth }),
        )
      } else {
        const list = parse(/^[>+~]/.test(head) ? `& ${head}` : head, {
          context: 'selectorList',
          onParseError: () => undefined,
        })
        const outer = list.type === 'SelectorList' ? readAll(list, place.outer) : []
        if (outer.length > 0) readNestedText(inside, { ...place, outer, depth })
      }
    }
  }

  function addRules(
    selectors: readonly Selector[],
    declarations: readonly Declaration[],
    layer: number,
  ): void {
    for (const selector of selectors)
      sheets.rules.push({ selector, declarations, order: sheets.rules.length, layer })
  }

  function readAtRule(node: CssNode & { type: 'Atrule' }, place: Place): void {
    const name = node.name.toLowerCase()
    const prelude = node.prelude ? generate(node.prelude).trim() : ''
    const { block } = node
    enterAtRule(name, prelude, place, inner => {
      const depth = (inner.depth ?? 0) + 1
      if (block && depth <= 12) readNodes(block.children, { ...inner, depth })
    })
    if (name === 'property' && block)
      for (const each of block.children)
        if (
          each.type === 'Declaration' &&
          each.value.type === 'Raw' &&
          /^initial-value$/i.test(each.property)
        )
          sheets.initial.set(prelude, each.value.value.trim())
    if (/^(?:-webkit-)?keyframes$/.test(name) && block) {
      const frames = block.children.toArray().filter(each => each.type === 'Rule')
      const end = frames.findLast(each => /(?:^|,)\s*(?:to|100%)\s*(?:,|$)/i.test(generate(each.prelude)))
      const declarations: Declaration[] = []
      for (const each of end?.block.children ?? [])
        if (each.type === 'Declaration' && each.value.type === 'Raw')
          addDeclaration(declarations, each.property, each.value.value, false)
      sheets.endFrames.set(prelude.replace(/^["']|["']$/g, ''), {
        declarations,
        isWhole:
          frames.length === 1 && !!end && /(?:^|,)\s*(?:from|0%)\s*(?:,|$)/i.test(generate(end.prelude)),
      })
    }
  }

  function enterAtRule(name: string, prelude: string, place: Place, enterWith: (place: Place) => void): void {
    const enter = (inner = place) => enterWith(inner)
    if (name === 'media' && holdsMedia(prelude)) enter()
    else if (name === 'supports' && holdsSupports(prelude)) enter()
    else if (name === 'container' && holdsMedia(prelude)) enter()
    else if (name === 'layer') {
      const names = prelude.split(',').map(each => each.trim())
      const paths = names.map(each => `${place.path}/${each || `unnamed ${layers.size}`}`)
      for (const path of paths) layerOf(path)
      const path = paths[0] ?? ''
      enter({ ...place, path, layer: layerOf(path) })
    } else if (name === 'scope') {
      const root = /^\(([^()]*(?:\([^()]*\)[^()]*)*)\)/.exec(prelude)?.[1]
      const outer = root === undefined ? undefined : readScope(root)
      enter(outer ? { ...place, outer } : place)
    }
  }

  function readScope(text: string): Selector[] | undefined {
    const list = parse(text, { context: 'selectorList', onParseError: () => undefined })
    return list.type === 'SelectorList' ? readAll(list, []) : undefined
  }
}

/** The selectors of a list that are supported. */
const readAll = (list: SelectorNodes, outer: readonly Selector[]): Selector[] =>
  readEach(list.children.toArray(), outer)

type SelectorNodes = CssNode & { type: 'SelectorList' }

function readEach(nodes: readonly CssNode[], outer: readonly Selector[]): Selector[] {
  return nodes.flatMap(each => {
    try {
      return [readSelector(each, outer)]
    } catch (error) {
      if (error instanceof UnknownSelector) return []
      throw error
    }
  })
}

/** Split a block into declarations and rules; a rule has text `inside`. */
function splitBlock(text: string): { head: string; inside?: string }[] {
  const parts: { head: string; inside?: string }[] = []
  let [depth, from, opened] = [0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (letter === '{' && depth++ === 0) opened = at
    else if (letter === '}' && --depth === 0) {
      parts.push({ head: text.slice(from, opened).trim(), inside: text.slice(opened + 1, at) })
      from = at + 1
    } else if (letter === ';' && depth === 0) {
      parts.push({ head: text.slice(from, at).trim() })
      from = at + 1
    }
  }
  return [...parts, { head: text.slice(from).trim() }].filter(({ head }) => head !== '')
}
