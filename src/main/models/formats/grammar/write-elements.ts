import type { Notation } from '../format-types.ts'
import { isPlainName } from '../write-calls.ts'
import { alternatives, groupedAlternatives, literal, sequence, writeWords, type Rules } from './gbnf-rules.ts'
import { objectsIn, resolveReference, type KnownTool, type ObjectShape, type Shape } from './schema-shape.ts'
import { plainText } from './write-texts.ts'
import { jsonSyntax, writeMembers, writeValuesIn } from './write-values.ts'

/** Maximum depth of elements. Deeper values are JSON, which the reader accepts everywhere. */
const DEEPEST = 3
const MOST_ITEMS = 50

/** Whether a required field has a name that cannot be a tag. */
export const needsOddKeys = (shape: Shape): boolean =>
  objectsIn(shape).some(({ fields }) => fields.some(({ key, isRequired }) => isRequired && !isPlainName(key)))

/**
 * Write calls whose arguments are elements named after them, nested for nested values. Texts are plain and
 * cannot contain the prefix of a tag. A tool with an argument that cannot be a tag is written by `writeOdd`.
 * A grammar cannot close an element without a known name, so other fields are left out.
 */
export function writeElements(
  rules: Rules,
  { before, beforeName, afterName, afterCall, item }: Extract<Notation, { kind: 'elements' }>,
  tools: readonly KnownTool[],
  writeOdd: (odd: readonly KnownTool[]) => string,
): string {
  const raw = writeValuesIn(rules, { ...jsonSyntax(), quote: '', script: plainText([before]) })
  const json = writeValuesIn(rules, jsonSyntax([before]))
  const usual = tools.filter(({ shape }) => !needsOddKeys(shape))
  const odd = tools.filter(({ shape }) => needsOddKeys(shape))
  const names = writeWords(
    usual.map(({ name, shape }) => [
      name + afterName,
      sequence(
        groupedAlternatives(objectsIn(shape).map(object => members(object, DEEPEST))),
        literal(before + afterCall),
      ),
    ]),
  )
  return alternatives([
    ...(usual.length > 0 ? [sequence(literal(before + beforeName), groupedAlternatives([names]))] : []),
    ...(odd.length > 0 ? [writeOdd(odd)] : []),
  ])

  function members({ fields }: ObjectShape, depth: number): string {
    const named = fields
      .filter(({ key }) => isPlainName(key))
      .map(({ key, shape, isRequired }) => ({
        body: sequence(literal(`${key}>`), content(shape, depth), literal(`${before}</${key}>`)),
        isRequired,
      }))
    return writeMembers(rules, named, { lead: literal(`${before}<`), separator: '' })
  }

  function content(shape: Shape, depth: number): string {
    // The reader does not follow the references of a schema, so it would not know the types.
    if (shape.kind === 'reference') return json.value(shape)
    const at = resolveReference(shape)
    switch (at.kind) {
      case 'any':
        return raw.value({ kind: 'text', min: 0, max: undefined, form: undefined })
      case 'text':
        return raw.value(at)
      case 'one-of': {
        const texts = at.values.filter(value => typeof value === 'string')
        const others = at.values.filter(value => typeof value !== 'string')
        return groupedAlternatives([
          ...(texts.length > 0 ? [raw.value({ kind: 'one-of', values: texts })] : []),
          ...(others.length > 0 ? [json.value({ kind: 'one-of', values: others })] : []),
        ])
      }
      case 'array':
        return depth === 0 || at.first.length > 0 || !at.rest ? json.value(shape) : items(at.rest, at, depth)
      case 'object':
        return depth === 0 || needsOddKeys(at) || !at.fields.some(({ key }) => isPlainName(key))
          ? json.value(shape)
          : groupedAlternatives([members(at, depth - 1)])
      case 'choice': {
        const free = at.of.map(resolveReference).find(each => each.kind === 'any' || each.kind === 'text')
        return free ? content(free, depth) : groupedAlternatives(at.of.map(each => content(each, depth)))
      }
      default:
        return json.value(shape)
    }
  }

  function items(rest: Shape, { min, max }: Extract<Shape, { kind: 'array' }>, depth: number): string {
    const one = rules.rule(
      sequence(literal(`${before}<${item}>`), content(rest, depth - 1), literal(`${before}</${item}>`)),
    )
    const most = Math.max(min, Math.min(max ?? MOST_ITEMS, MOST_ITEMS))
    const some = `${one}{${Math.max(1, min)},${Math.max(1, most)}}`
    return min === 0 ? rules.rule(alternatives(['"[]"', some])) : some
  }
}
