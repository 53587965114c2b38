import { charactersOf, without, writeClass } from './character-set.ts'
import { either, literal, row, type Rules } from './gbnf-rules.ts'
import { escapeRule, safeCharacters, type TextEncoding } from './text-encoding.ts'
import { MOST_COUNTED } from './shape.ts'

/** Maximum length to count in strings where each possible start of an avoided text needs its own rules. */
const MOST_CHAINED = 128

/** Writes an arbitrary string, between its delimiters, with at least `min` and at most `max` characters. */
export type WriteText = (length: { min?: number; max?: number | undefined }) => string

/** How strings are written in one encoding. The rules for avoided texts are written once and shared. */
export function writeTextsIn(rules: Rules, script: TextEncoding): WriteText {
  if (script.avoid.length > 0) return writeAvoidingIn(rules, script)
  const one = rules.rule(either([writeClass(script.characters), escapeRule(rules, script)].filter(isThere)))
  return ({ min = 0, max }) => {
    const least = Math.min(min, MOST_COUNTED)
    const most = max !== undefined && max >= least && max <= MOST_COUNTED ? max : undefined
    if (most === 0) return ''
    return least === 0 && most === undefined ? `${one}*` : `${one}{${least},${most ?? ''}}`
  }
}

const isThere = (part: string | undefined) => part !== undefined

/**
 * A string of limited length without avoided texts. The first character of a possible avoided text counts together
 * with the next one.
 */
function writeAvoidingIn(rules: Rules, script: TextEncoding): WriteText {
  let free: string | undefined
  const escape = escapeRule(rules, script)
  const safe = safeCharacters(script)
  const starts = new Map<string, string>()
  for (const [first = '', second = ''] of script.avoid.map(text => Array.from(text)))
    starts.set(first, (starts.get(first) ?? '') + second)
  const known = new Map<string, string>()

  const write = (min: number, max: number | undefined): string => {
    if (max === 0) return ''
    if (min === 0 && max === undefined) return (free ??= writeFree(rules, script))
    const key = `${min},${max}`
    const written = known.get(key)
    if (written) return written
    const behind = (used: number) =>
      write(Math.max(0, min - used), max === undefined ? undefined : max - used)
    const pairs = max === 1 ? [] : [...starts]
    const options = [
      ...(min === 0 ? [''] : []),
      row(writeClass(safe), behind(1)),
      ...(escape ? [row(escape, behind(1))] : []),
      ...pairs.map(([first, seconds]) =>
        row(literal(first), writeClass(without(safe, charactersOf(seconds))), behind(2)),
      ),
    ]
    const name = rules.rule(either(options))
    known.set(key, name)
    return name
  }
  return ({ min = 0, max }) => {
    const least = Math.min(min, MOST_CHAINED)
    return write(least, max !== undefined && max >= least && max <= MOST_CHAINED ? max : undefined)
  }
}

/** A string of any length without avoided texts: an automaton whose states are the prefixes seen so far. */
function writeFree(rules: Rules, script: TextEncoding): string {
  const { avoid } = script
  const states = [...new Set(avoid.flatMap(text => prefixesOf(text)))]
  const written = new Map(states.map(state => [state, rules.later()]))
  const letters = [...new Set(avoid.flatMap(text => Array.from(text)))]
  const escape = escapeRule(rules, script)
  for (const state of states) {
    const byTarget = new Map<string, string>()
    for (const letter of letters) {
      const seen = state + letter
      const target = avoid.some(text => seen.endsWith(text)) ? undefined : longestEnd(seen, written)
      if (target !== undefined && target !== '') byTarget.set(target, (byTarget.get(target) ?? '') + letter)
      if (target === undefined) byTarget.set('never', (byTarget.get('never') ?? '') + letter)
    }
    const others = without(script.characters, charactersOf([...byTarget.values()].join('')))
    const start = written.get('')!.name
    byTarget.delete('never')
    const options = [
      '',
      row(writeClass(others), start),
      ...[...byTarget].map(([target, some]) =>
        row(writeClass(charactersOf(some)), written.get(target)!.name),
      ),
      ...(escape ? [row(escape, start)] : []),
    ]
    written.get(state)!.define(either(options))
  }
  return written.get('')!.name
}

/** Every proper prefix of a text, including the empty one. */
const prefixesOf = (text: string) => Array.from(text, (_, at) => Array.from(text).slice(0, at).join(''))

const longestEnd = (text: string, states: ReadonlyMap<string, unknown>): string => {
  let end = text
  while (!states.has(end)) end = end.slice(1)
  return end
}
