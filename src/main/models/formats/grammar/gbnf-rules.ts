import { writeClass, charactersOf } from './character-set.ts'

/** The rules of a GBNF grammar being written. */
export type Rules = {
  /**
   * The name of a rule with this body. Equal bodies share one rule, and a body that is only a name stays that name.
   */
  rule(body: string): string
  /** A rule whose body is defined later, for recursion. */
  later(): { name: string; define(body: string): void }
  /** The whole grammar; `root` is the body of its first rule. */
  text(root: string): string
}

/** Start a grammar. */
export function createRules(): Rules {
  const bodies = new Map<string, string>()
  const names = new Map<string, string>()
  const nextName = () => `r${bodies.size.toString(36)}`
  return {
    rule(body) {
      if (/^[a-z0-9]+$/.test(body)) return body
      const known = names.get(body)
      if (known) return known
      const name = nextName()
      names.set(body, name)
      bodies.set(name, body)
      return name
    },
    later() {
      const name = nextName()
      bodies.set(name, '')
      return { name, define: body => void bodies.set(name, body) }
    },
    text: root => [['root', root], ...bodies].map(([name, body]) => `${name} ::= ${body}`).join('\n'),
  }
}

const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' }

/** A literal text in GBNF; empty for an empty text. */
export function literal(text: string): string {
  if (text === '') return ''
  if (/^[ !#-[\]-~]+$/.test(text)) return `"${text}"`
  const written = Array.from(text, letter => {
    if (letter in NAMED) return NAMED[letter]
    const code = letter.codePointAt(0)!
    // A lone surrogate cannot be written, and no tokenizer produces one.
    if (code >= 0xd800 && code <= 0xdfff) return '\uFFFD'
    return code < 0x20 || code === 0x7f ? writeClass(charactersOf(letter)).slice(1, -1) : letter
  })
  return `"${written.join('')}"`
}

/** Parts in sequence. */
export const row = (...parts: readonly string[]): string => parts.filter(part => part !== '').join(' ')

/**
 * Alternatives, each of which may be a sequence. An empty one becomes an empty literal, and duplicates are dropped.
 */
export const either = (options: readonly string[]): string =>
  [...new Set(options)].map(option => (option === '' ? '""' : option)).join(' | ')

/** Alternatives in parentheses, for use inside a sequence. */
export const group = (options: readonly string[]): string =>
  new Set(options).size === 1 && /^("(?:[^"\\]|\\.)*"|\w+)$/.test(options[0]!)
    ? options[0]!
    : `(${either(options)})`
