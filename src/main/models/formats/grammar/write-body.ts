import type { CallId, Notation } from '../format-types.ts'
import { behindOtherKey, isPlainName } from '../write-calls.ts'
import { needsOddKeys, writeElements } from './write-elements.ts'
import {
  writeMembers,
  gemmaSyntax,
  jsonSyntax,
  pythonSyntax,
  type ValueWriter,
  writeValuesIn,
} from './write-values.ts'
import {
  argumentsShape,
  type KnownTool,
  objectsIn,
  type Scalar,
  type Shape,
  resolveReference,
  takenKeys,
} from './schema-shape.ts'
import { groupedAlternatives, literal, sequence, alternatives, writeWords, type Rules } from './gbnf-rules.ts'
import { plainText } from './write-texts.ts'

/**
 * Write the body of a call of any of these tools. `end` ends the call and cannot be part of the body, except
 * in JSON. `isAmongOthers`: other calls may precede `end`, so no string may contain it. `isOpen`: the start
 * of the JSON object, up to the colon after the name's key, has already been written, or the bracket of a
 * Python list. `begun`: the name of the first tool has been written as well.
 */
export function writeBody(
  rules: Rules,
  notation: Notation,
  tools: readonly KnownTool[],
  {
    end,
    isOpen,
    isAmongOthers,
    begun,
  }: { end: string; isOpen: boolean; isAmongOthers: boolean; begun?: string },
): string {
  const avoid = isAmongOthers ? [end] : []
  switch (notation.kind) {
    case 'json':
      return writeJsonCalls(writeValuesIn(rules, jsonSyntax(avoid)), notation, tools, isOpen)
    case 'named': {
      const { value } = writeValuesIn(rules, jsonSyntax(avoid))
      const { joint, id } = notation
      const isFirst = id?.after !== undefined
      const behind =
        id && !isFirst ? sequence(literal(id.before), ID[id.form], literal(joint)) : literal(joint)
      const names = writeWords(
        tools.map(({ name, shape }) => [name, sequence(behind, value(argumentsShape(shape)))]),
      )
      return isFirst
        ? sequence(literal(id.before), ID[id.form], literal(id.after ?? ''), groupedAlternatives([names]))
        : names
    }
    case 'tagged':
      return writeTagged(rules, notation, tools, end)
    case 'elements':
      return writeElements(rules, notation, tools, odd =>
        writeJsonCalls(writeValuesIn(rules, jsonSyntax([notation.before])), ordinaryJson, odd),
      )
    case 'python': {
      const values = writeValuesIn(rules, pythonSyntax([end]))
      const call = rules.rule(
        writeWords(
          tools.map(({ name, shape }) => [`${name}(`, sequence(writeKeywords(rules, values, shape), '")"')]),
        ),
      )
      const first = tools.find(({ name }) => name === begun)
      const start = first ? sequence(writeKeywords(rules, values, first.shape), '")"') : call
      return notation.list
        ? sequence(isOpen ? '' : '"["', start, `(${sequence('","', values.blank, call)})${MORE_CALLS}`, '"]"')
        : sequence(call, `(${sequence('"\\n"', call)})${MORE_CALLS}`)
    }
    case 'gemma': {
      const { value } = writeValuesIn(rules, gemmaSyntax(notation.quote, [end]))
      return writeWords(tools.map(({ name, shape }) => [`call:${name}`, value(argumentsShape(shape))]))
    }
  }
}

/** The id of a call, by its form in the notation. */
const ID: Record<CallId['form'], string> = { place: '[0-9] [0-9]? [0-9]?', nine: '[a-zA-Z0-9]{9}' }

/** The arguments of a Python call: keywords, or one dictionary if a key is not a valid keyword. */
function writeKeywords(rules: Rules, values: ValueWriter, shape: Shape): string {
  const options = objectsIn(shape).map(object => {
    const { fields, others } = object
    if (!fields.every(({ key }) => isPlainName(key))) return values.value(object)
    const members = fields.map(({ key, shape, isRequired }) => ({
      body: sequence(literal(`${key}=`), values.value(shape)),
      isRequired,
    }))
    const known = takenKeys(object)
    const other = others && {
      ...others,
      body: sequence(values.plainKey(known), '"="', values.value(others.shape)),
    }
    return writeMembers(rules, members, { separator: sequence('","', values.blank), other })
  })
  return groupedAlternatives(options)
}

/** Up to 16 calls in a list. A model that writes more has started to repeat itself and would not stop. */
const MORE_CALLS = '{0,15}'

/** The notation for calls that their own notation cannot express. */
const ordinaryJson = { name: 'name', arguments: 'arguments', list: false }

/** One JSON object for a call, or a list of them. */
function writeJsonCalls(
  { value, blank }: ValueWriter,
  notation: Omit<Extract<Notation, { kind: 'json' }>, 'kind'>,
  tools: readonly KnownTool[],
  isOpen = false,
): string {
  const id =
    notation.id === undefined
      ? ''
      : `(${sequence('","', blank, literal(`${JSON.stringify(notation.id)}:`), blank, '"\\""', ID.nine, '"\\""')})?`
  const names = writeWords(
    tools.map(({ name, shape }) => [
      JSON.stringify(name),
      sequence(
        '","',
        blank,
        literal(`${JSON.stringify(notation.arguments)}:`),
        blank,
        value(argumentsShape(shape)),
        id,
        '"}"',
      ),
    ]),
  )
  const opened = sequence(blank, groupedAlternatives([names]))
  const place =
    notation.place === undefined
      ? ''
      : `(${sequence(literal(`${JSON.stringify(notation.place)}:`), blank, '"\\""', ID.place, '"\\","', blank)})?`
  const call = sequence('"{"', place, literal(`${JSON.stringify(notation.name)}:`), opened)
  if (!notation.list) return isOpen ? opened : call
  const more = `(${sequence('","', blank, call)})${MORE_CALLS}`
  return isOpen ? sequence(opened, more, '"]"') : sequence('"["', call, more, '"]"')
}

const isText = (value: Scalar) => typeof value === 'string'

type Tags = Extract<Notation, { kind: 'tagged' }>

/** Tags that parsers take for the end of a value in any format. */
const CLOSING = ['</parameter>', '</param>', '</argument>', '</arg_value>']

/**
 * Write calls with their arguments between tags. Strings are plain text, other values are JSON, and neither
 * may contain a tag that would end it. A tool with a key that cannot be a tag is called in JSON.
 */
function writeTagged(rules: Rules, tags: Tags, tools: readonly KnownTool[], end: string): string {
  const avoid = [...new Set([...CLOSING, tags.afterValue.trim(), tags.beforeKey.trim(), end])]
  const raw = writeValuesIn(rules, { ...jsonSyntax(), quote: '', script: plainText(avoid) })
  const json = writeValuesIn(rules, jsonSyntax(avoid))

  const place = tags.afterPlace === undefined ? '' : sequence(ID.place, literal(tags.afterPlace))

  const usual = tools.filter(({ shape }) => !needsOddKeys(shape))
  const odd = tools.filter(({ shape }) => needsOddKeys(shape))
  const names = writeWords(
    usual.map(({ name, shape }) => [
      name + tags.afterName,
      sequence(place, args(shape), literal(tags.afterCall)),
    ]),
  )
  return alternatives([
    ...(usual.length > 0 ? [sequence(literal(tags.beforeName), groupedAlternatives([names]))] : []),
    ...(odd.length > 0 && tags.withoutTags
      ? odd.map(({ name, shape }) =>
          sequence(
            literal(tags.beforeName + name + tags.afterName),
            json.value(argumentsShape(shape)),
            literal(tags.afterCall),
          ),
        )
      : odd.length > 0
        ? [writeJsonCalls(json, ordinaryJson, odd)]
        : []),
  ])

  function args(shape: Shape): string {
    const options = objectsIn(shape).map(object => {
      const { fields, others } = object
      const members = fields
        .filter(({ key }) => isPlainName(key))
        .map(({ key, shape, isRequired }) => ({
          body: member(literal(key), shape),
          isRequired,
        }))
      const known = takenKeys(object)
      const other = others && {
        ...others,
        body: member(raw.plainKey(known), others.shape),
      }
      return writeMembers(rules, members, { lead: literal(tags.beforeKey), separator: '', other })
    })
    return groupedAlternatives(options)
  }

  function member(key: string, shape: Shape): string {
    return sequence(key, content(shape), literal(tags.afterValue))
  }

  function writeOneOf(values: readonly Scalar[]): string {
    const [texts, others] = [values.filter(isText), values.filter(value => !isText(value))]
    const options = [
      ...(texts.length > 0 ? [text(raw.value({ kind: 'one-of', values: texts }))] : []),
      ...(others.length > 0 ? [other({ kind: 'one-of', values: others })] : []),
    ]
    return groupedAlternatives(options)
  }

  function text(value: string): string {
    return sequence(literal(tags.afterKey), value)
  }

  /** The text after a key for a value that is not a string. */
  function other(shape: Shape): string {
    return sequence(behindOther(shape), json.value(shape))
  }

  function behindOther(shape: Shape): string {
    return groupedAlternatives(typesOf(shape).map(type => literal(behindOtherKey(tags, type))))
  }

  /** The text after a key: plain text if a string is allowed, otherwise JSON. */
  function content(shape: Shape): string {
    const at = resolveReference(shape)
    if (at.kind === 'any') return text(raw.value({ kind: 'text', min: 0, max: undefined, form: undefined }))
    if (at.kind === 'text') return text(raw.value(at))
    if (at.kind === 'one-of') return writeOneOf(at.values)
    if (at.kind !== 'choice') return other(shape)
    // If any string is allowed, it may also look like one of the other choices.
    const free = at.of
      .map(resolveReference)
      .find(each => each.kind === 'any' || (each.kind === 'text' && !each.form))
    return free ? content(free) : groupedAlternatives(at.of.map(content))
  }
}

/** The JSON types that the values of a shape can have, without strings. */
function typesOf(shape: Shape): string[] {
  const at = resolveReference(shape)
  switch (at.kind) {
    case 'integer':
    case 'number':
      return ['number']
    case 'array':
    case 'object':
      return [at.kind]
    case 'one-of':
      return [...new Set(at.values.map(value => (value === null ? 'null' : typeof value)))]
    case 'choice':
    case 'any':
    case 'text':
      return ['number', 'boolean', 'array', 'object', 'null']
  }
}
