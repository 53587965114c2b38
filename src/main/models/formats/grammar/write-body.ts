import type { Notation } from '../dialect.ts'
import { writeMembers } from './members.ts'
import { asArguments, type KnownTool, objectsIn } from './known-tool.ts'
import { MORE_CALLS, writeJson } from './json-calls.ts'
import { group, literal, row, type Rules } from './rules.ts'
import type { Shape } from './shape.ts'
import { gemmaSpelling, jsonSpelling, pythonSpelling } from './spellings.ts'
import { writeTagged } from './tagged.ts'
import { isPlainName, type ValueWriter, writeValuesIn } from './values.ts'
import { writeWords } from './words.ts'

/**
 * Write the body of a call of any of these tools. `end` is what ends the call and cannot be part of it, except in JSON.
 * `isOpen` if the beginning of the JSON object, up to the colon behind the key of the name, has been written already.
 */
export function writeBody(
  rules: Rules,
  notation: Notation,
  tools: readonly KnownTool[],
  { end, isOpen }: { end: string; isOpen: boolean },
): string {
  switch (notation.kind) {
    case 'json':
      return writeJson(writeValuesIn(rules, jsonSpelling()), notation, tools, isOpen)
    case 'named': {
      const { value } = writeValuesIn(rules, jsonSpelling())
      return writeWords(tools.map(({ name, shape }) => [name + notation.joint, value(asArguments(shape))]))
    }
    case 'tagged':
      return writeTagged(rules, notation, tools, end)
    case 'python': {
      const values = writeValuesIn(rules, pythonSpelling([end]))
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
      const { value } = writeValuesIn(rules, gemmaSpelling(notation.quote, [end]))
      return writeWords(tools.map(({ name, shape }) => [`call:${name}`, value(asArguments(shape))]))
    }
  }
}

/** The arguments of a Python call: keywords, or one dictionary where a key is no keyword. */
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
