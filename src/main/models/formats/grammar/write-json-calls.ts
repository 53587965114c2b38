import type { Notation } from '../dialect.ts'
import { asArguments, type KnownTool } from './known-tool.ts'
import { group, literal, row } from './rules.ts'
import type { ValueWriter } from './values.ts'
import { writeWords } from './words.ts'

/** Up to 16 calls in a list. A model that calls more has begun to repeat itself, and would never end. */
export const MORE_CALLS = '{0,15}'

/** One JSON object for a call, or a list of them. */
export function writeJson(
  { value, blank }: ValueWriter,
  notation: Pick<Extract<Notation, { kind: 'json' }>, 'name' | 'arguments' | 'list'>,
  tools: readonly KnownTool[],
  isOpen = false,
): string {
  const names = writeWords(
    tools.map(({ name, shape }) => [
      JSON.stringify(name),
      row(
        '","',
        blank,
        literal(`${JSON.stringify(notation.arguments)}:`),
        blank,
        value(asArguments(shape)),
        '"}"',
      ),
    ]),
  )
  const opened = row(blank, group([names]))
  const call = row(literal(`{${JSON.stringify(notation.name)}:`), opened)
  if (!notation.list) return isOpen ? opened : call
  const more = `(${row('","', blank, call)})${MORE_CALLS}`
  return isOpen ? row(opened, more, '"]"') : row('"["', call, more, '"]"')
}
