import type { Notation } from '../dialect.ts'
import { writeMembers } from './write-members.ts'
import { asArguments, type KnownTool, objectsIn, type Shape } from './shape.ts'
import { MORE_CALLS, writeJsonCalls } from './write-json-calls.ts'
import { group, literal, row, type Rules } from './gbnf-rules.ts'
import {
  gemmaSyntax,
  jsonSyntax,
  pythonSyntax,
  isPlainName,
  type ValueWriter,
  writeValuesIn,
} from './write-values.ts'
import { writeTagged } from './write-tagged.ts'
import { writeWords } from './write-words.ts'

/**
 * Write the body of a call of any of these tools. `end` ends the call and cannot be part of the body, except in JSON.
 * `isOpen` means that the start of the JSON object, up to the colon after the name's key, has already been written.
 */
export function writeBody(
  rules: Rules,
  notation: Notation,
  tools: readonly KnownTool[],
  { end, isOpen }: { end: string; isOpen: boolean },
): string {
  switch (notation.kind) {
    case 'json':
      return writeJsonCalls(writeValuesIn(rules, jsonSyntax()), notation, tools, isOpen)
    case 'named': {
      const { value } = writeValuesIn(rules, jsonSyntax())
      return writeWords(tools.map(({ name, shape }) => [name + notation.joint, value(asArguments(shape))]))
    }
    case 'tagged':
      return writeTagged(rules, notation, tools, end)
    case 'python': {
      const values = writeValuesIn(rules, pythonSyntax([end]))
      const call = rules.rule(
        writeWords(
          tools.map(({ name, shape }) => [`${name}(`, row(writeKeywords(rules, values, shape), '")"')]),
        ),
      )
      return notation.list
        ? row('"["', call, `(${row('","', values.blank, call)})${MORE_CALLS}`, '"]"')
        : row(call, `(${row('"\\n"', call)})${MORE_CALLS}`)
    }
    case 'gemma': {
      const { value } = writeValuesIn(rules, gemmaSyntax(notation.quote, [end]))
      return writeWords(tools.map(({ name, shape }) => [`call:${name}`, value(asArguments(shape))]))
    }
  }
}

/** The arguments of a Python call: keywords, or one dictionary if a key is not a valid keyword. */
function writeKeywords(rules: Rules, values: ValueWriter, shape: Shape): string {
  const options = objectsIn(shape).map(object => {
    const { fields, others } = object
    if (!fields.every(({ key }) => isPlainName(key))) return values.value(object)
    const members = fields.map(({ key, shape, isRequired }) => ({
      body: row(literal(`${key}=`), values.value(shape)),
      isRequired,
    }))
    const known = fields.map(({ key }) => key)
    const other = others && {
      ...others,
      body: row(values.plainKey(known), '"="', values.value(others.shape)),
    }
    return writeMembers(rules, members, { separator: row('","', values.blank), other })
  })
  return group(options)
}
