import { estimateTokens } from '../../shared/text/estimate-tokens.ts'
import { parseJson } from '../lib/expected-errors.ts'
import { isRecord } from '../lib/json-fields.ts'

/** Fields that other programs add to a turn, such as `weight` or `train`. They stay with the turn. */
type Further = { further?: Record<string, unknown> }

/** A tool call. `given`: its arguments, as an object, or as the model's text if that is not JSON. */
export type ToolCall = { id: string; name: string; given: unknown }

/** The result of a tool call. */
export type ToolResult = { callId: string; name: string; text: string } & Further

/** One turn of a trajectory. All results of one reply form one turn. */
export type Turn =
  | ({ role: 'system' | 'user'; text: string } & Further)
  | ({ role: 'assistant'; text: string; reasoning: string; calls: ToolCall[] } & Further)
  | { role: 'tool'; results: ToolResult[] }

/** The forms of a line: ShareGPT by Talaria, messages as in OpenAI's API, ShareGPT by Hermes Agent. */
export type Form = 'sharegpt' | 'openai' | 'hermes'

/** Differences of another program's line from ours, written back in the same form, dropped in others. */
export type Wording = {
  form: Form
  /** The end of the system part that describes the tools. */
  toldTools?: string
  /** The field `tools`, if the tools are not in the system part. */
  toolsField?: unknown
  /** The system part comes from the field `system`. */
  systemField?: true
  /** No reply has thoughts, not even empty ones. */
  withoutThoughts?: true
}

/** A trajectory independent of its form. `rest` has other fields of its line, such as `id` and `reward`. */
export type Conversation = {
  turns: Turn[]
  /** The tools that the model was given, in the format of OpenAI's API. */
  tools: unknown[]
  rest: Record<string, unknown>
  wording?: Wording
  /** The number of pictures, which are only mentioned. */
  pictures?: number
}

/** A list of tools, given as a list or as JSON text; undefined if it is neither. */
export function readTools(given: unknown): Record<string, unknown>[] | undefined {
  const value = typeof given === 'string' ? parseJson(given) : given
  return Array.isArray(value) && value.every(isRecord) ? value : undefined
}

/** The further fields of a turn, if there are any. */
export const furtherOf = (further: Record<string, unknown>): Further =>
  Object.keys(further).length > 0 ? { further } : {}

/** Count the tokens of a text. */
export type Count = (text: string) => number

/** Tokens that chat templates add to a turn, approximately. */
const TOKENS_A_TURN = 4

/** The tokens of a turn, with the approximate overhead of a chat template. */
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
