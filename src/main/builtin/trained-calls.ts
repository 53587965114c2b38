import type { ToolCall } from '../../shared/contract/chats/messages.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { newText, refuseSlips } from '../skills/tools/skill-manage-text.ts'
import type { TrainedTexts } from './trained-texts.ts'

/** A tool with the arguments of one call. */
type Called = Pick<ToolCall, 'name' | 'arguments'>

/**
 * Arguments of today's tools that the built-in model was not trained on, so that its history must not show them.
 *
 * @internal A test compares them with the schemas of both.
 */
export const ADDED_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  terminal: ['action', 'port', 'id'],
  read_file: ['column'],
  session_search: ['limit', 'sort', 'detail', 'recap', 'page', 'window'],
  skills_list: ['query'],
}

/** Messages on each side of a find, and of one that was asked for: as many as the search showed when the model was trained. */
const WINDOW = { found: 5, asked: 12 }

/** A call that the model made, as a call of today's tool. */
export function todayCall<C extends Called>(call: C): C {
  if (call.name === 'skill_manage') return withoutSlips(call)
  if (call.name !== 'session_search') return call
  const { query, around_message_id: around } = call.arguments
  if (around !== undefined) return withArguments(call, { window: WINDOW.asked })
  return typeof query === 'string' && query.trim() !== ''
    ? withArguments(call, { window: WINDOW.found })
    : call
}

/** A new skill with a valid name, category and description, where the tool would send a model back that can mend them itself. */
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

/** A call of today's tools as the model would have made it; undefined where it knows no such call. */
export function trainedCall<C extends Called>({ tools }: TrainedTexts, call: C): C | undefined {
  if (!tools.specs.some(({ name }) => name === call.name)) return undefined
  const { action = 'run' } = call.arguments
  // It knows no processes that run on.
  if (call.name === 'terminal' && action !== 'run') return undefined
  const added = ADDED_ARGUMENTS[call.name] ?? []
  const known = Object.entries(call.arguments).filter(([name]) => !added.includes(name))
  return { ...call, arguments: Object.fromEntries(known) }
}
