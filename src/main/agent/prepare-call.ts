import type { ToolCall } from '../../shared/contract/chats/messages.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { untilAborted } from '../lib/timing.ts'
import { NO_SUCH_TOOL, STOPPED_BEFORE, UNEXPECTED } from '../tools/registry/call-failures.ts'
import { offeredBy } from '../tools/registry/registry.ts'
import type { Tool } from '../tools/registry/tool.ts'
import { placeholderRefusal } from './compaction/placeholders.ts'
import type { ReadCall } from './guide.ts'
import type { CallAt, Failure, Turn, TurnPorts } from './turn-types.ts'
import { UNCONFINED } from './steps/policy-step.ts'

/** A call that will not run. `sound`: the call was well-formed, and only its target was refused. */
export type RefusedCall = Pick<ReadCall, 'begunBy'> & { call: ToolCall; reason: string; sound: boolean }

const NO_TOOLS = 'This chat has no tools, because its mode is chat only. Answer without them.'

/** Find the tool, validate the arguments and get the intent of the call. */
export async function prepareCall(
  turn: Turn,
  ports: TurnPorts,
  read: ReadCall,
  signal: AbortSignal,
): Promise<CallAt | RefusedCall> {
  const found = await findCall(turn, ports, read, signal)
  // Even a call that will not run records the step that began it.
  return read.begunBy === undefined ? found : { ...found, begunBy: read.begunBy }
}

async function findCall(
  turn: Turn,
  ports: TurnPorts,
  { call: given, problem }: ReadCall,
  signal: AbortSignal,
): Promise<CallAt | RefusedCall> {
  const names = turn.tools.map(each => each.name)
  if (names.length === 0) return { call: given, reason: NO_TOOLS, sound: false }
  if (problem !== undefined) return { call: given, reason: problem, sound: false }
  const call = meantCall(turn, given)
  const known = turn.registry.get(call.name)
  const isOffered = names.includes(call.name)
  const asked = known && !isOffered ? await turn.switchOn?.(call, ports, signal) : undefined
  const tool = isOffered || asked === 'on' ? known : undefined
  if (!tool) {
    const said = isRefusal(asked) ? asked.refused : undefined
    const reason = said ?? (known && offReason(turn, known.name)) ?? noSuchTool(turn, given.name)
    return { call: given, reason, sound: said !== undefined }
  }
  const off = offReason(turn, tool.name)
  if (off !== undefined) return { call, reason: off, sound: true }
  const checked = turn.registry.validate(tool.name, call.arguments)
  if (!checked.ok) return { call, reason: checked.reason, sound: tool.through !== undefined }
  const placeholder = tool.risk === 'read' ? undefined : placeholderRefusal(call.arguments)
  if (placeholder !== undefined) return { call, reason: placeholder, sound: false }
  if (signal.aborted) return { call, reason: STOPPED_BEFORE, sound: true }
  const { workspace, home, sessionId } = turn
  const about = { workspace, home, sessionId, signal }
  const intent = await attemptTool(ports, tool, () => untilAborted(tool.intent(checked.value, about), signal))
  if (intent === undefined) return { call, reason: STOPPED_BEFORE, sound: true }
  if ('reason' in intent) return { call, reason: intent.reason, sound: true }
  if (isRefusal(intent)) return { call, reason: intent.refused, sound: true }
  const { value: input, note } = checked
  // Use the repaired name from here on.
  return { turn, ports, signal, call, tool, input, intent, note, rights: UNCONFINED, keys: [] }
}

/** Run a tool's code. A throw is a bug in the tool: the turn continues with the error as the result. */
export async function attemptTool<T>(
  ports: Pick<TurnPorts, 'report'>,
  tool: Tool,
  work: () => Promise<T> | T,
): Promise<T | Failure> {
  try {
    return await work()
  } catch (error) {
    ports.report(error)
    const why = error instanceof Error ? error.message : String(error)
    return { ok: false, reason: `${tool.name}${UNEXPECTED}${why}` }
  }
}

/** Why a tool is off now; undefined if it is on. */
export const offReason = (turn: Turn, name: string): string | undefined => turn.whyOff?.(name)

/** Resolve a name that was not offered: a misspelt tool, or one called through another. Other names stay. */
function meantCall({ tools, registry }: Turn, call: ToolCall): ToolCall {
  const isOffered = (name: string) => tools.some(each => each.name === name)
  if (isOffered(call.name)) return call
  const name = registry.repairName(call.name)
  if (name === undefined || isOffered(name)) return { ...call, name: name ?? call.name }
  const through = registry.get(name)?.through
  return through && isOffered(through.tool)
    ? { ...call, name: through.tool, arguments: through.wrap(call.arguments) }
    : { ...call, name }
}

/** The result for a call of a tool that the chat does not have. */
function noSuchTool({ tools, whyOff }: Turn, name: string): string {
  const names = tools.map(each => each.name).filter(each => whyOff?.(each) === undefined)
  const more = names.includes('use_tool') ? ' Those of connected servers: find_tool, then use_tool.' : ''
  return `${NO_SUCH_TOOL}${name.slice(0, 100)}". Tools: ${names.join(', ')}.${more}`
}

/** The names of the tools and toolsets that are on now; some of the chat's tools may be off. */
export const offeredIn = ({ registry, tools, whyOff }: Turn): string[] =>
  offeredBy(
    registry,
    tools.map(each => each.name).filter(name => whyOff?.(name) === undefined),
  )
