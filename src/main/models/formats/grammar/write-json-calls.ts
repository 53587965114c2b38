import type { Notation } from '../dialect.ts'
import { asArguments, type KnownTool } from './shape.ts'
import { group, literal, row } from './gbnf-rules.ts'
import type { ValueWriter } from './write-values.ts'
import { writeWords } from './write-words.ts'

/** Up to 16 calls in a list. A model that writes more has started to repeat itself and would not stop. */
export const MORE_CALLS = '{0,15}'

/** One JSON object for a call, or a list of them. */
export function writeJsonCalls(
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
