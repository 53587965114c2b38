import { readCompletion } from '../../agent/completion.ts'
import type { Turn, TurnPorts } from '../../agent/turn-types.ts'
import { isFailure } from '../../models/interface/engine.ts'
import { fallbackFormat, formatOf } from '../../models/formats/format-table.ts'

/** Maximum tokens of a begun call: more than any path or command needs, and it also ends a loop. */
const CALL_TOKENS = 300
/** Maximum messages to read, and their maximum share of the context window to begin a call. */
const MOST_MESSAGES = 200
const MOST_OF_WINDOW = 0.8

/**
 * Have the model of a turn write the arguments of a call. The start of the call is already written, so that
 * the grammar allows only a call of this tool. Undefined if the start of a call cannot be written, as on
 * servers, or if the output is not a valid call.
 */
export async function writeArguments(
  turn: Turn,
  ports: TurnPorts,
  tool: string,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const { engine, strategy, registry } = turn
  const profile = await engine.profile()
  if (isFailure(profile) || strategy.name !== 'text') return undefined
  const chosen = turn.tools.filter(({ name }) => name === tool)
  const constraints = strategy.constrain(chosen)
  if (constraints.length === 0) return undefined
  const said = strategy.render(turn.system, await ports.history(0, MOST_MESSAGES))
  // Appended after the chat, so that the evaluated prefix of the chat stays valid.
  const messages = turn.isDecided ? strategy.presentBehind(said, chosen) : said
  const tokens = messages.reduce((sum, { text }) => sum + engine.count(text), 0)
  if (tokens > profile.contextTokens * MOST_OF_WINDOW - CALL_TOKENS) return undefined
  const { open } = formatOf(profile.format ?? fallbackFormat)
  const inSilence: TurnPorts['emit'] = event => {
    if (event.type === 'progress') ports.emit(event)
  }
  const { calls, end, usage } = await readCompletion(
    turn,
    inSilence,
    { messages, tools: [], constraints, begin: open, maxTokens: CALL_TOKENS },
    { isShown: false },
    signal,
  )
  if (usage) turn.budget?.spend(usage.evaluatedTokens + usage.outputTokens)
  const [first] = calls
  if (end !== 'done' || !first || first.problem !== undefined || first.call.name !== tool) return undefined
  const checked = registry.validate(tool, first.call.arguments)
  return checked.ok ? checked.value : undefined
}
