import type { Box } from '../page-nodes.ts'
import { expandShorthand, readBlock, type Declaration } from './declarations.ts'
import { splitValue } from './lengths.ts'
import type { Rule, Sheets } from './parse-sheets.ts'
import { fitsSelector, type Counter } from './selectors.ts'

/** The properties set on an element itself, without inherited ones. */
export type Style = ReadonlyMap<string, string>

/** The custom properties of an element and of its parents. */
type Customs = { own: ReadonlyMap<string, string>; outer: Customs | undefined }

/** Placeholder for an unknown value, such as a custom property from a missing sheet. */
export const UNKNOWN = '?'

const NONE: Style = new Map()

/** Make a function that computes styles from sheets, attributes and `preset` (browsers, old attributes). */
export function createCascade(
  sheets: Sheets,
  preset: (box: Box) => readonly [string, string][],
  count: Counter,
): { styleOf: (box: Box) => Style } {
  const { byId, byClass, byTag, others } = indexRules(sheets.rules)
  const initial: Customs | undefined =
    sheets.initial.size > 0 ? { own: sheets.initial, outer: undefined } : undefined
  const customs = new Map<Box, Customs | undefined>()
  const inline = new Map<string, readonly Declaration[]>()

  const matching = (box: Box): Rule[] => {
    const fitting: Rule[] = []
    const look = (rules: readonly Rule[] | undefined) => {
      for (const rule of rules ?? []) if (fitsSelector(box, rule.selector, count)) fitting.push(rule)
    }
    count()
    if (box.id !== '') look(byId.get(box.id))
    for (const name of new Set(box.classes)) look(byClass.get(name))
    look(byTag.get(box.tag))
    look(others)
    return fitting
  }

  const inlineOf = (box: Box): readonly Declaration[] => {
    const text = box.element.getAttribute('style')
    if (text === null || text.trim() === '') return []
    const known = inline.get(text)
    if (known) return known
    const read = readBlock(text)
    inline.set(text, read)
    return read
  }

  return {
    styleOf(box) {
      const rules = matching(box)
      const inlined = inlineOf(box)
      count(rules.length * 4)
      const declarations = [
        ...inOrder(rules, false),
        ...inlined.filter(each => !each.isImportant),
        ...inOrder(rules, true),
        ...inlined.filter(each => each.isImportant),
      ]
      const outer = box.parent ? customs.get(box.parent) : initial
      const own = new Map<string, string>()
      for (const { property, value } of declarations) if (property.startsWith('--')) own.set(property, value)
      const known = own.size > 0 ? { own, outer } : outer
      customs.set(box, known)
      const presets = preset(box)
      if (declarations.length === 0 && presets.length === 0) return NONE
      const style = new Map<string, string>(presets)
      const apply = (property: string, written: string) => {
        const value = written.includes('var(') ? putIn(written, known, 0) : written
        if (property === 'all') style.clear()
        else if (value === undefined)
          for (const [name] of expandShorthand(property, UNKNOWN)) style.set(name, UNKNOWN)
        else for (const [name, part] of expandShorthand(property, value)) style.set(name, part)
      }
      for (const { property, value } of declarations) if (!property.startsWith('--')) apply(property, value)
      const end = sheets.endFrames.get(splitValue(style.get('animation-name') ?? '', 'commas')[0] ?? '')
      const isKept =
        /forwards|both/.test(style.get('animation-fill-mode') ?? '') ||
        (/infinite/.test(style.get('animation-iteration-count') ?? '') && end?.isWhole)
      if (end && isKept) for (const { property, value } of end.declarations) apply(property, value)
      return style
    },
  }
}

function inOrder(rules: readonly Rule[], isImportant: boolean): Declaration[] {
  return rules
    .flatMap(rule =>
      rule.declarations.filter(each => each.isImportant === isImportant).map(each => ({ rule, each })),
    )
    .toSorted(
      ({ rule: one }, { rule: two }) =>
        // For important declarations, the order of layers is reversed.
        (isImportant ? two.layer - one.layer : one.layer - two.layer) ||
        one.selector.specificity - two.selector.specificity ||
        one.order - two.order,
    )
    .map(({ each }) => each)
}

function indexRules(rules: readonly Rule[]) {
  const byId = new Map<string, Rule[]>()
  const byClass = new Map<string, Rule[]>()
  const byTag = new Map<string, Rule[]>()
  const others: Rule[] = []
  const add = (to: Map<string, Rule[]>, name: string, rule: Rule) => {
    const list = to.get(name)
    if (list) list.push(rule)
    else to.set(name, [rule])
  }
  for (const rule of rules) {
    if (rule.declarations.length === 0) continue
    const { id, classes, tag } = rule.selector.parts[0]?.compound ?? { classes: [] }
    if (id !== undefined) add(byId, id, rule)
    else if (classes[0] !== undefined) add(byClass, classes[0], rule)
    else if (tag !== undefined) add(byTag, tag, rule)
    else others.push(rule)
  }
  return { byId, byClass, byTag, others }
}

/** Insert the custom properties into a value; undefined if one is unknown. */
function putIn(text: string, customs: Customs | undefined, depth: number): string | undefined {
  const from = text.indexOf('var(')
  if (from < 0) return text
  if (depth > 16 || text.length > 10_000) return undefined
  let [open, to] = [0, from + 3]
  for (; to < text.length; to++) {
    if (text[to] === '(') open++
    else if (text[to] === ')' && --open === 0) break
  }
  const inside = text.slice(from + 4, to)
  const comma = inside.indexOf(',')
  const name = (comma < 0 ? inside : inside.slice(0, comma)).trim()
  const fallback = comma < 0 ? undefined : inside.slice(comma + 1).trim()
  const value = findCustom(name, customs) ?? fallback
  if (value === undefined || value === 'initial') return undefined
  return putIn(`${text.slice(0, from)}${value}${text.slice(to + 1)}`, customs, depth + 1)
}

function findCustom(name: string, customs: Customs | undefined): string | undefined {
  for (let at = customs; at; at = at.outer) {
    const value = at.own.get(name)
    if (value !== undefined) return value
  }
  return undefined
}
