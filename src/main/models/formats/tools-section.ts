import { declareTools, toolLine } from './declare-tools.ts'
import type { Format, Marked, ToolSpec } from './format-types.ts'
import { joinPieces, piecesOf, type Piece } from './marked-text.ts'
import { spellJson, writeCalls } from './write-calls.ts'

/** `compact` has one line per tool; `full` declares tools as in the model's training. */
export type Edition = 'full' | 'compact'

/** Token budget of the full edition, by `roughTokens`. Real vocabularies then stay below 900 tokens. */
const BUDGET = 860

/**
 * Write the tools section of the system prompt: the declarations, and an example of a call in this format.
 * With `toolRole`, results come back as separate messages. Over the budget, JSON first loses its blanks; if
 * that is not enough, every tool becomes one line. Both styles are never mixed: a small model takes the lines
 * for prose and calls only the declared tools.
 */
export function writeToolsSection(
  format: Format,
  tools: readonly ToolSpec[],
  edition: Edition,
  toolRole = false,
): Marked {
  if (tools.length === 0) return { text: '', markup: [] }
  const call = howToCall(format, edition, toolRole)
  if (edition === 'full') {
    for (const spell of [spellJson, JSON.stringify]) {
      const declared = declareTools(format, tools, spell)
      const pieces = ['## Tools\nThese are your tools:\n', ...declared, '\n\n', ...call]
      if (roughTokens(pieces) <= BUDGET) return joinPieces(pieces)
    }
  }
  return joinPieces(['## Tools\n', ...call, '\n\n', tools.map(toolLine).join('\n')])
}

function howToCall(format: Format, edition: Edition, toolRole: boolean): Piece[] {
  const example = writeCalls(format, [{ name: 'tool_name', arguments: { key: 'value' } }])
  const alone = format.where === 'start' ? 'and nothing else' : 'and then stop'
  const result = toolRole
    ? 'The result comes back as the next message.'
    : 'The result comes back as a message that starts with [Tool Result: tool_name].'
  return [
    `To use a tool, write exactly this ${alone}:\n`,
    ...piecesOf(example),
    `\n${result}`,
    edition === 'full' ? ` ${howMany(format)}` : '',
  ]
}

function howMany({ notation, several, each }: Format): string {
  if ('list' in notation && notation.list) return 'Several calls go into one list.'
  return several || each || notation.kind === 'python'
    ? 'Several calls follow one another.'
    : 'Make one call at a time.'
}

/** The approximate token count with current vocabularies, in which a mark is one token. */
function roughTokens(pieces: readonly Piece[]): number {
  const word = /_?[A-Za-z]{1,10}|\p{L}|\p{N}{1,3}|[^\p{L}\p{N}\s_]{1,4}|\n\s*/gu
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? (piece.match(word)?.length ?? 0) : 1),
    0,
  )
}
