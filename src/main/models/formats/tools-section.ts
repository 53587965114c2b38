import { declareTools, lineOf } from './declare.ts'
import type { Dialect, Marked, ToolSpec } from './dialect.ts'
import { joinPieces, piecesOf, type Piece } from './marked.ts'
import { spellJson } from './spell-value.ts'
import { writeCalls } from './write-calls.ts'

/** `compact` has one line for each tool; `full` declares them as the makers of the model did. */
export type Edition = 'full' | 'compact'

/** What the full edition may cost, as `roughTokens` counts: real vocabularies then stay below 900. */
const BUDGET = 860

/**
 * The section of the system prompt that tells of the tools: their declarations, and how to call one, shown in the
 * dialect. With `toolRole` results come back as messages of their own. Over the budget, JSON first loses its blanks, and
 * then all tools are told in lines: of a few declared as in training beside others in lines, a small model takes the
 * lines for prose and calls only the few.
 */
export function presentTools(
  dialect: Dialect,
  tools: readonly ToolSpec[],
  edition: Edition,
  toolRole = false,
): Marked {
  if (tools.length === 0) return { text: '', markup: [] }
  const call = howToCall(dialect, edition, toolRole)
  if (edition === 'full') {
    for (const spell of [spellJson, JSON.stringify]) {
      const declared = declareTools(dialect, tools, spell)
      const pieces = ['## Tools\nThese are your tools:\n', ...declared, '\n\n', ...call]
      if (roughTokens(pieces) <= BUDGET) return joinPieces(pieces)
    }
  }
  return joinPieces(['## Tools\n', ...call, '\n\n', tools.map(lineOf).join('\n')])
}

function howToCall(dialect: Dialect, edition: Edition, toolRole: boolean): Piece[] {
  const example = writeCalls(dialect, [{ name: 'tool_name', arguments: { key: 'value' } }])
  const alone = dialect.where === 'start' ? 'and nothing else' : 'and then stop'
  const result = toolRole
    ? 'The result comes back as the next message.'
    : 'The result comes back as a message that starts with [Tool Result: tool_name].'
  return [
    `To use a tool, write exactly this ${alone}:\n`,
    ...piecesOf(example),
    `\n${result}`,
    edition === 'full' ? ` ${howMany(dialect)}` : '',
  ]
}

function howMany({ notation, several }: Dialect): string {
  if ('list' in notation && notation.list) return 'Several calls go into one list.'
  return several || notation.kind === 'python'
    ? 'Several calls follow one another.'
    : 'Make one call at a time.'
}

/** About as many tokens as a text costs with the vocabularies of today, in which a mark is one token. */
function roughTokens(pieces: readonly Piece[]): number {
  const word = /_?[A-Za-z]{1,10}|\p{L}|\p{N}{1,3}|[^\p{L}\p{N}\s_]{1,4}|\n\s*/gu
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? (piece.match(word)?.length ?? 0) : 1),
    0,
  )
}
