import { writeClass, charactersOf } from './characters.ts'

/** Rules of a GBNF grammar while it is being written. */
export type Rules = {
  /** The name of a rule that says `body`. Equal bodies share one rule, and a body that is only a name stays that name. */
  rule(body: string): string
  /** A rule whose body comes later, for what contains itself. */
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

/** A text as it stands, in the notation of GBNF; nothing if it is empty. */
export function literal(text: string): string {
  if (text === '') return ''
  if (/^[ !#-[\]-~]+$/.test(text)) return `"${text}"`
  const written = Array.from(text, letter => {
    if (letter in NAMED) return NAMED[letter]
    const code = letter.codePointAt(0)!
    // Half a character cannot be written, and never comes out of a tokenizer either.
    if (code >= 0xd800 && code <= 0xdfff) return '\uFFFD'
    return code < 0x20 || code === 0x7f ? writeClass(charactersOf(letter)).slice(1, -1) : letter
  })
  return `"${written.join('')}"`
}

/** Parts one behind the other. */
export const row = (...parts: readonly string[]): string => parts.filter(part => part !== '').join(' ')

/** One of several, each of which may be a row; an empty one is written as an empty literal. Equal ones count once. */
export const either = (options: readonly string[]): string =>
  [...new Set(options)].map(option => (option === '' ? '""' : option)).join(' | ')

/** The same in parentheses, where it is part of a row. */
export const group = (options: readonly string[]): string =>
  new Set(options).size === 1 && /^("(?:[^"\\]|\\.)*"|\w+)$/.test(options[0]!)
    ? options[0]!
    : `(${either(options)})`
