import type { ToolCall } from '../../shared/contract/chats/messages.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { newText, refuseSlips } from '../skills/tools/skill-manage-text.ts'
import type { TrainedTexts } from './trained-texts.ts'

/** The tool and the arguments of a call. */
type Called = Pick<ToolCall, 'name' | 'arguments'>

/**
 * Arguments of today's tools that the built-in model was not trained on, so its history must not show them.
 *
 * @internal A test compares them with the schemas of both.
 */
export const ADDED_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  terminal: ['action', 'port', 'id'],
  read_file: ['column'],
  session_search: ['limit', 'sort', 'detail', 'recap', 'page', 'window'],
  skills_list: ['query'],
}

/** How many messages the search showed on each side in training: of a match, of a requested message. */
const WINDOW = { found: 5, asked: 12 }

/** Convert a call of the model to a call of today's tool. */
export function todayCall<C extends Called>(call: C): C {
  if (call.name === 'skill_manage') return withoutSlips(call)
  if (call.name !== 'session_search') return call
  const { query, around_message_id: around } = call.arguments
  if (around !== undefined) return withArguments(call, { window: WINDOW.asked })
  return typeof query === 'string' && query.trim() !== ''
    ? withArguments(call, { window: WINDOW.found })
    : call
}

/** Fix name, category and description of a new skill, instead of having the model correct them. */
function withoutSlips<C extends Called>(call: C): C {
  const { action, name, description, content, category } = call.arguments
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const given = {
    name: textOf(name),
    description: textOf(description),
    content: textOf(content),
    category: textOf(category),
  }
  if (action !== 'create' || !refuseSlips(given)) return call
  const made = newText(given)
  if (isRefusal(made)) return call
  const folder = made.category === '' ? {} : { category: made.category }
  return { ...call, arguments: { action, name: made.name, content: made.text, ...folder } }
}

const withArguments = <C extends Called>(call: C, more: Record<string, unknown>): C => ({
  ...call,
  arguments: { ...call.arguments, ...more },
})

/** Convert a call of today's tools to the form the model would have used; undefined if it knows none. */
export function trainedCall<C extends Called>({ tools }: TrainedTexts, call: C): C | undefined {
  if (!tools.specs.some(({ name }) => name === call.name)) return undefined
  const { action = 'run' } = call.arguments
  // The model knows no background processes.
  if (call.name === 'terminal' && action !== 'run') return undefined
  const added = ADDED_ARGUMENTS[call.name] ?? []
  const known = Object.entries(call.arguments).filter(([name]) => !added.includes(name))
  return { ...call, arguments: Object.fromEntries(known) }
}
