import { intersection, charactersOf, writeClass } from './character-set.ts'
import type { Form } from './read-pattern.ts'
import { either, group, literal, row, type Rules } from './gbnf-rules.ts'
import { safeCharacters, type TextEncoding } from './text-encoding.ts'

/** A string of a form, between its delimiters; undefined if this encoding cannot write it. */
export function writeForm(rules: Rules, form: Form, script: TextEncoding): string | undefined {
  switch (form.kind) {
    case 'set':
      return writeSet(form.set, script)
    case 'row': {
      const parts = form.of.map(part => writeForm(rules, part, script))
      return allThere(parts) ? joinLiterals(parts) : undefined
    }
    case 'choice': {
      const parts = form.of.map(part => writeForm(rules, part, script))
      return allThere(parts) ? group(parts) : undefined
    }
    case 'repeat': {
      const part = writeForm(rules, form.of, script)
      if (part === undefined || part === '') return part
      if (form.max === 0) return ''
      // A separate rule, because llama.cpp multiplies the counts of nested repetitions.
      return `${rules.rule(part)}${writeCount(form.min, form.max)}`
    }
  }
}

/** A sequence in which adjacent literals are joined into one. */
function joinLiterals(parts: readonly string[]): string {
  const joined: string[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last !== undefined && LITERAL.test(last) && LITERAL.test(part))
      joined.splice(-1, 1, last.slice(0, -1) + part.slice(1))
    else joined.push(part)
  }
  return row(...joined)
}

const LITERAL = /^"(?:[^"\\]|\\.)*"$/

const allThere = (parts: readonly (string | undefined)[]): parts is string[] =>
  parts.every(part => part !== undefined)

function writeCount(min: number, max: number | undefined): string {
  if (min === 0 && max === undefined) return '*'
  if (min === 1 && max === undefined) return '+'
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max ?? ''}}`
}

/** One character of a set: as it is, or as its short escape. */
function writeSet(set: Parameters<typeof intersection>[0], script: TextEncoding): string | undefined {
  const raw = intersection(set, safeCharacters(script))
  const [only] = raw
  const short = Object.entries(script.escapes ?? {})
    .filter(([letter, means]) => letter !== '/' && intersection(set, charactersOf(means)).length > 0)
    .map(([letter]) => letter)
    .join('')
  const options = [
    ...(raw.length === 1 && only![0] === only![1] ? [literal(String.fromCodePoint(only![0]))] : []),
    ...(raw.length > 0 && !(raw.length === 1 && only![0] === only![1]) ? [writeClass(raw)] : []),
    ...(short === '' ? [] : [row(literal('\\'), writeClass(charactersOf(short)))]),
  ]
  return options.length === 0 ? undefined : options.length === 1 ? options[0] : `(${either(options)})`
}
