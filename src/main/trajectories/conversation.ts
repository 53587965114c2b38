import { estimateTokens } from '../../shared/text/estimate-tokens.ts'
import { parseJson } from '../lib/expected-errors.ts'
import { isRecord } from '../lib/json-fields.ts'

/** Fields that others put beside what a turn says, such as `weight` or `train`. They stay with it. */
type Further = { further?: Record<string, unknown> }

/** A call of a tool. `given` is its arguments: an object, or the text of a model where that is not JSON. */
export type ToolCall = { id: string; name: string; given: unknown }

/** What a tool answered. */
export type ToolResult = { callId: string; name: string; text: string } & Further

/** One turn of a trajectory. All results of one reply form one turn. */
export type Turn =
  | ({ role: 'system' | 'user'; text: string } & Further)
  | ({ role: 'assistant'; text: string; reasoning: string; calls: ToolCall[] } & Further)
  | { role: 'tool'; results: ToolResult[] }

/** The forms of a line: ShareGPT as Talaria exports it, messages as OpenAI's API has them, and ShareGPT as Hermes Agent writes it. */
export type Form = 'sharegpt' | 'openai' | 'hermes'

/** How a line of others differs from ours in its own form. It is written back alike in that form, and in ours in others. */
export type Wording = {
  form: Form
  /** The end of the system part that tells of the tools. */
  toldTools?: string
  /** The field `tools`, where the tools are not in the system part. */
  toolsField?: unknown
  /** The system part is the field `system`. */
  systemField?: true
  /** No reply has thoughts, not even empty ones. */
  withoutThoughts?: true
}

/** A trajectory in no form. `rest` holds the other fields of its line, such as `id`, `model`, `completed` and `reward`. */
export type Conversation = {
  turns: Turn[]
  /** The tools that the model was told of, in the words of OpenAI's API. */
  tools: unknown[]
  rest: Record<string, unknown>
  wording?: Wording
  /** Pictures, which are only named. */
  pictures?: number
}

/** A list of tools, which may be the text of one; undefined if it is neither. */
export function readTools(given: unknown): Record<string, unknown>[] | undefined {
  const value = typeof given === 'string' ? parseJson(given) : given
  return Array.isArray(value) && value.every(isRecord) ? value : undefined
}

/** The further fields of a turn, if there are some. */
export const furtherOf = (further: Record<string, unknown>): Further =>
  Object.keys(further).length > 0 ? { further } : {}

/** Counts the tokens of a text. */
export type Count = (text: string) => number

/** What chat templates add to a turn, in tokens. */
const TOKENS_A_TURN = 4

/** The tokens of a turn, with about those that a chat template adds. */
export function countTurn(turn: Turn, count: Count = estimateTokens): number {
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
  return texts.reduce((sum, text) => sum + (text === '' ? 0 : count(text)), TOKENS_A_TURN)
}

/** The tokens of the list of tools. */
export const countTools = (tools: readonly unknown[], count: Count = estimateTokens): number =>
  tools.length > 0 ? count(JSON.stringify(tools)) : 0

/** The tokens of a trajectory, with its tools. */
export const countTokens = (
  { turns, tools }: Pick<Conversation, 'turns' | 'tools'>,
  count: Count = estimateTokens,
): number => turns.reduce((sum, turn) => sum + countTurn(turn, count), countTools(tools, count))

/** The names of the tools that were called. */
export const calledTools = ({ turns }: Pick<Conversation, 'turns'>): string[] =>
  turns.flatMap(turn => (turn.role === 'assistant' ? turn.calls.map(({ name }) => name) : []))
