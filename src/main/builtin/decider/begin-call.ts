import { readCompletion } from '../../agent/completion.ts'
import type { Turn, TurnPorts } from '../../agent/turn-types.ts'
import { isFailure } from '../../models/interface/engine.ts'
import { fallbackFormat, formatOf } from '../../models/formats/format-table.ts'

/** Tokens of a begun call: more than any path or command, and what goes round in it ends too. */
const CALL_TOKENS = 300
/** Messages that are read, and the share of the window that they may take: where there is no room, nothing is begun. */
const MOST_MESSAGES = 200
const MOST_OF_WINDOW = 0.8

/**
 * Have the model of a turn write the arguments of a call whose beginning is written for it, so that the grammar leaves it nothing but a call
 * of this tool. Undefined where a call cannot be begun for it, as on servers, or where what it writes is none.
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
  // Behind the chat, so that what was read of it stays valid.
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
