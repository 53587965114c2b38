import type { Notation } from '../dialect.ts'
import { type KnownTool, objectsIn, resolveReference, type Shape } from './shape.ts'
import { writeJsonCalls } from './write-json-calls.ts'
import { writeMembers } from './write-members.ts'
import { either, group, literal, row, type Rules } from './gbnf-rules.ts'
import { plainText } from './text-encoding.ts'
import { jsonSyntax, isPlainName, writeValuesIn } from './write-values.ts'
import { writeWords } from './write-words.ts'

type Tags = Extract<Notation, { kind: 'tagged' }>

/** Tags that readers take for the end of a value in any dialect. */
const CLOSING = ['</parameter>', '</param>', '</argument>', '</arg_value>']

/**
 * Calls with their arguments between tags. Strings are plain text, other values are JSON, and neither may contain a
 * tag that would end it. A tool with a key that does not fit a tag is called in JSON, as the history writes such
 * calls.
 */
export function writeTagged(rules: Rules, tags: Tags, tools: readonly KnownTool[], end: string): string {
  const avoid = [...new Set([...CLOSING, tags.afterValue.trim(), tags.beforeKey.trim(), end])]
  const raw = writeValuesIn(rules, { ...jsonSyntax(), quote: '', script: plainText(avoid) })
  const json = writeValuesIn(rules, jsonSyntax(avoid))

  const isOdd = ({ shape }: KnownTool) =>
    objectsIn(shape).some(({ fields }) =>
      fields.some(({ key, isRequired }) => isRequired && !isPlainName(key)),
    )
  const usual = tools.filter(tool => !isOdd(tool))
  const odd = tools.filter(isOdd)
  const names = writeWords(
    usual.map(({ name, shape }) => [name + tags.afterName, row(args(shape), literal(tags.afterCall))]),
  )
  return either([
    ...(usual.length > 0 ? [row(literal(tags.beforeName), group([names]))] : []),
    ...(odd.length > 0
      ? [writeJsonCalls(json, { name: 'name', arguments: 'arguments', list: false }, odd)]
      : []),
  ])

  function args(shape: Shape): string {
    const options = objectsIn(shape).map(({ fields, others }) => {
      const members = fields
        .filter(({ key }) => isPlainName(key))
        .map(({ key, shape, isRequired }) => ({
          body: member(literal(key + tags.afterKey), shape),
          isRequired,
        }))
      const known = fields.map(({ key }) => key)
      const other = others && {
        ...others,
        body: member(row(raw.plainKey(known), literal(tags.afterKey)), others.shape),
      }
      return writeMembers(rules, members, { lead: literal(tags.beforeKey), separator: '', other })
    })
    return group(options)
  }

  function member(key: string, shape: Shape): string {
    return row(key, content(shape), literal(tags.afterValue))
  }

  /** The content between the tags: plain text where a string is allowed, JSON for the rest. */
  function content(shape: Shape): string {
    const at = resolveReference(shape)
    if (at.kind === 'any') return raw.value({ kind: 'text', min: 0, max: undefined, form: undefined })
    if (at.kind === 'text' || at.kind === 'one-of') return raw.value(at)
    if (at.kind !== 'choice') return json.value(shape)
    // Where any string is allowed, it may also look like one of the other choices.
    const free = at.of
      .map(resolveReference)
      .find(each => each.kind === 'any' || (each.kind === 'text' && !each.form))
    return free ? content(free) : group(at.of.map(content))
  }
}
