import { isPlainName } from '../write-calls.ts'
import {
  charactersOf,
  removeCharacters,
  alternatives,
  literal,
  sequence,
  writeOtherWord,
  writeWords,
  type CharacterSet,
  type Rules,
} from './gbnf-rules.ts'
import {
  writeForm,
  safeCharacters,
  type TextEncoding,
  encodeText,
  plainText,
  quotedText,
  writeTextsIn,
} from './write-texts.ts'
import { writeInteger, writeNumber } from './write-numbers.ts'
import { type Form, formMayBeEmpty } from './read-pattern.ts'
import {
  MOST_COUNTED,
  type ObjectShape,
  type Others,
  type Scalar,
  type Shape,
  takenKeys,
} from './schema-shape.ts'

/** How values are written in one notation. */
type ValueSyntax = {
  /** The delimiter at both ends of a string. */
  quote: string
  script: TextEncoding
  /** True, false and null. */
  constants: readonly [yes: string, no: string, nothing: string]
  /** Whether keys of objects are unquoted where possible. */
  bareKeys: boolean
  /** Whether a blank may follow a comma or a colon. */
  isSpaced: boolean
}

/** Writes shapes as rules in one notation. Each method returns the name of a rule, or a sequence. */
export type ValueWriter = {
  value(shape: Shape): string
  /** A key other than the named ones, for use without quotes. */
  plainKey(known: readonly string[]): string
  /** The optional blank. */
  blank: string
}

const DEEPEST = 4
const MOST_KNOWN = 60

/** Create the writer of values in one notation. */
export function writeValuesIn(rules: Rules, spelling: ValueSyntax): ValueWriter {
  const { quote, script, constants } = spelling
  const blank = spelling.isSpaced ? rules.rule('" "?') : ''
  const comma = sequence('","', blank)
  const anyText = writeTextsIn(rules, script)
  const names = new Map<Shape, string>()
  const forms = new Map<Form, string | undefined>()

  return { value, plainKey, blank }

  function value(shape: Shape): string {
    const known = names.get(shape)
    if (known) return known
    if (shape.kind === 'reference') {
      const { name, define } = rules.later()
      names.set(shape, name)
      define(value(shape.to))
      return name
    }
    const name = rules.rule(write(shape))
    names.set(shape, name)
    return name
  }

  function write(shape: Exclude<Shape, { kind: 'reference' }>): string {
    switch (shape.kind) {
      case 'any':
        return anyValue(DEEPEST)
      case 'one-of': {
        const spelled = shape.values.map(constant).filter(each => each !== undefined)
        // If this notation cannot write a constant, allow any string.
        return spelled.length > 0 ? writeWords(spelled.map(each => [each, ''])) : inQuotes(anyText({}))
      }
      case 'text':
        return inQuotes(text(shape))
      case 'integer':
        return writeInteger(rules, shape.bounds)
      case 'number':
        return writeNumber(rules, shape.bounds)
      case 'array':
        return array(shape)
      case 'object':
        return object(shape)
      case 'choice':
        return alternatives(shape.of.map(value))
    }
  }

  function inQuotes(content: string): string {
    return sequence(literal(quote), content, literal(quote))
  }

  function text({ form, min, max }: Extract<Shape, { kind: 'text' }>): string {
    if (!form) return anyText({ min, max })
    if (!forms.has(form)) forms.set(form, writeForm(rules, form, script))
    return forms.get(form) ?? anyText({ min, max })
  }

  function constant(given: Scalar): string | undefined {
    if (typeof given === 'boolean') return constants[given ? 0 : 1]
    if (given === null) return constants[2]
    if (typeof given === 'number') return Number.isFinite(given) ? JSON.stringify(given) : undefined
    const spelled = encodeText(given, script)
    return spelled === undefined ? undefined : quote + spelled + quote
  }

  function anyValue(depth: number): string {
    const scalars = [inQuotes(anyText({})), writeNumber(rules, {}), ...constants.map(literal)]
    if (depth === 0) return rules.rule(alternatives(scalars))
    const inner = anyValue(depth - 1)
    const key = spelling.bareKeys ? plainKey([]) : inQuotes(anyText({}))
    const field = rules.rule(sequence(key, '":"', blank, inner))
    const fields = sequence(field, `(${sequence(comma, field)})*`)
    const items = sequence(inner, `(${sequence(comma, inner)})*`)
    return rules.rule(alternatives([...scalars, `"{" (${fields})? "}"`, `"[" (${items})? "]"`]))
  }

  function array({ first, rest, min, max }: Extract<Shape, { kind: 'array' }>): string {
    const head = first.map(value).reduce((all, item) => (all === '' ? item : sequence(all, comma, item)), '')
    if (!rest || (max !== undefined && max <= first.length)) return sequence('"["', head, '"]"')
    const item = value(rest)
    const least = Math.max(0, min - first.length)
    const most = max === undefined || max > MOST_COUNTED || max < min ? undefined : max - first.length
    const more = rules.rule(sequence(comma, item))
    if (head !== '') return sequence('"["', head, counted(more, least, most), '"]"')
    const items = sequence(
      item,
      counted(more, Math.max(0, least - 1), most === undefined ? undefined : most - 1),
    )
    return sequence('"["', least > 0 ? items : `(${items})?`, '"]"')
  }

  function object(shape: ObjectShape): string {
    const { fields, others } = shape
    const areBare = spelling.bareKeys && fields.every(({ key }) => isPlainName(key))
    const keyed = fields.map(({ key, shape, isRequired }) => ({
      body: sequence(literal(`${areBare ? key : JSON.stringify(key).slice(1)}:`), blank, value(shape)),
      isRequired,
    }))
    const known = takenKeys(shape)
    const colon = areBare ? '":"' : '"\\":"'
    const other = others && {
      ...others,
      body: sequence(otherKey(known, others), colon, blank, value(others.shape)),
    }
    const lead = areBare ? '' : '"\\""'
    return sequence('"{"', writeMembers(rules, keyed, { lead, separator: comma, other }), '"}"')
  }

  function otherKey(known: readonly string[], { form }: Others): string {
    const letters = spelling.bareKeys ? { characters: plainLetters, avoid: [] } : script
    const formed = form && !formMayBeEmpty(form) ? writeForm(rules, form, letters) : undefined
    if (formed !== undefined) return formed
    if (spelling.bareKeys) return plainKey(known)
    return writeOtherWord(
      rules,
      known.slice(0, MOST_KNOWN),
      removeCharacters(safeCharacters(script), charactersOf('\n\r\t')),
    )
  }

  function plainKey(known: readonly string[]): string {
    return writeOtherWord(rules, known.slice(0, MOST_KNOWN), plainLetters)
  }
}

const plainLetters: CharacterSet = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]

function counted(part: string, min: number, max: number | undefined): string {
  if (max === 0) return ''
  return min === 0 && max === undefined ? `${part}*` : `${part}{${min},${max ?? ''}}`
}

/** JSON whose strings do not contain the texts in `avoid`. */
export const jsonSyntax = (avoid: readonly string[] = []): ValueSyntax => ({
  quote: '"',
  script: quotedText(avoid),
  constants: ['true', 'false', 'null'],
  bareKeys: false,
  isSpaced: true,
})

/** Python literals. */
export const pythonSyntax = (avoid: readonly string[]): ValueSyntax => ({
  ...jsonSyntax(avoid),
  constants: ['True', 'False', 'None'],
})

/** Values of the Gemma models, with their own quotes around strings. */
export const gemmaSyntax = (quote: string, avoid: readonly string[]): ValueSyntax => ({
  quote,
  script: plainText([quote, ...avoid]),
  constants: ['true', 'false', 'null'],
  bareKeys: true,
  isSpaced: false,
})

/** One member of a list of named things, without its `lead`. */
type Member = { body: string; isRequired: boolean }

/** Members that may come at any position after the named ones. */
type Other = { body: string; min: number; max: number }

/**
 * Members in order; optional ones may be missing. `lead` precedes each member and `separator` comes between
 * two. `other` may follow, from `min` to `max` times. Each member gets two rules: one for the text after a
 * written member, one for the text after the lead. So the lead is written once, and the size grows with the
 * number of members, not with the number of their subsets.
 */
export function writeMembers(
  rules: Rules,
  members: readonly Member[],
  { lead = '', separator, other }: { lead?: string; separator: string; other?: Other | undefined },
): string {
  const next = sequence(separator, lead)
  // The rule after the lead. After the last member only other members can follow, if any are allowed.
  let begun = other && other.max > 0 ? writeOthers(rules, next, other) : undefined
  let isOptional = !begun || other!.min === 0
  for (const { body, isRequired } of members.toReversed()) {
    const following = begun ? sequence(next, begun) : ''
    const here = sequence(body, following && isOptional ? rules.rule(`(${following})?`) : following)
    begun = rules.rule(alternatives([here, ...(begun && !isRequired ? [begun] : [])]))
    isOptional &&= !isRequired
  }
  if (!begun) return ''
  return isOptional ? rules.rule(`(${sequence(lead, begun)})?`) : sequence(lead, begun)
}

function writeOthers(rules: Rules, next: string, { body, min, max }: Other): string {
  const one = rules.rule(body)
  return rules.rule(sequence(one, `${rules.rule(sequence(next, one))}{${Math.max(0, min - 1)},${max - 1}}`))
}
