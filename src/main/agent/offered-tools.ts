import type { ToolCall } from '../../shared/contract/messages.ts'
import { NO_SUCH_TOOL } from '../tools/call-failures.ts'
import { offeredBy } from '../tools/registry.ts'
import type { Turn } from './turn-types.ts'

/** Why a tool is off now; undefined when it is on. */
export const offReason = (turn: Turn, name: string): string | undefined => turn.whyOff?.(name)

/**
 * The call that a model means by a name that it was not offered: a misspelt tool, or one that is run through another. A name that
 * means none stays.
 */
export function meantCall({ tools, registry }: Turn, call: ToolCall): ToolCall {
  const isOffered = (name: string) => tools.some(each => each.name === name)
  if (isOffered(call.name)) return call
  const name = registry.repairName(call.name)
  if (name === undefined || isOffered(name)) return { ...call, name: name ?? call.name }
  const through = registry.get(name)?.through
  return through && isOffered(through.tool)
    ? { ...call, name: through.tool, arguments: through.wrap(call.arguments) }
    : { ...call, name }
}

/** What a model reads that calls a tool which its chat does not have. */
export function noSuchTool({ tools, whyOff }: Turn, name: string): string {
  const names = tools.map(each => each.name).filter(each => whyOff?.(each) === undefined)
  const more = names.includes('use_tool') ? ' Those of connected servers: find_tool, then use_tool.' : ''
  return `${NO_SUCH_TOOL}${name.slice(0, 100)}". Tools: ${names.join(', ')}.${more}`
}

/** The names of the tools and toolsets that are on now, in a chat where some may be off. */
export const offeredIn = ({ registry, tools, whyOff }: Turn): string[] =>
  offeredBy(
    registry,
    tools.map(each => each.name).filter(name => whyOff?.(name) === undefined),
  )
