import { estimateTokens } from '../../shared/estimate-tokens.ts'

/** A call of a tool. `given` is its arguments: an object, or the text of a model where that is not JSON. */
export type ToolCall = { id: string; name: string; given: unknown }

/** One turn of a trajectory. All results of one reply form one turn. */
export type Turn =
  | { role: 'system' | 'user'; text: string }
  | { role: 'assistant'; text: string; reasoning: string; calls: ToolCall[] }
  | { role: 'tool'; results: { callId: string; name: string; text: string }[] }

/** The forms of a line: ShareGPT as Talaria exports it, messages as OpenAI's API has them, and ShareGPT as Hermes Agent writes it. */
export type Form = 'sharegpt' | 'openai' | 'hermes'

/** A trajectory in no form. `rest` holds the other fields of its line, such as `id`, `model`, `completed` and `reward`. */
export type Conversation = {
  turns: Turn[]
  /** The tools that the model was told of, in the words of OpenAI's API. */
  tools: unknown[]
  rest: Record<string, unknown>
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What chat templates add to a turn, in tokens. */
const TOKENS_A_TURN = 4

/** About the tokens of a turn. */
export function countTurn(turn: Turn): number {
  const texts =
    turn.role === 'tool'
      ? turn.results.map(({ name, text }) => `${name} ${text}`)
      : turn.role === 'assistant'
        ? [
            turn.text,
            turn.reasoning,
            ...turn.calls.map(({ name, given }) => `${name} ${JSON.stringify(given)}`),
          ]
        : [turn.text]
  return texts.reduce((sum, text) => sum + estimateTokens(text), TOKENS_A_TURN)
}

/** About the tokens of a trajectory, with its tools. */
export const countTokens = ({ turns, tools }: Pick<Conversation, 'turns' | 'tools'>): number =>
  turns.reduce(
    (sum, turn) => sum + countTurn(turn),
    tools.length > 0 ? estimateTokens(JSON.stringify(tools)) : 0,
  )

/** The names of the tools that were called. */
export const calledTools = ({ turns }: Pick<Conversation, 'turns'>): string[] =>
  turns.flatMap(turn => (turn.role === 'assistant' ? turn.calls.map(({ name }) => name) : []))
