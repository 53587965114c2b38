import { NO_SUCH_TOOL } from '../tools/call-failures.ts'
import { offeredBy } from '../tools/registry.ts'
import type { Turn } from './turn-types.ts'

/** Why a tool is off now; undefined when it is on. */
export const offReason = (turn: Turn, name: string): string | undefined => turn.whyOff?.(name)

/** What a model reads that calls a tool which its chat does not have. */
export function noSuchTool({ tools, whyOff }: Turn, name: string): string {
  const names = tools.map(each => each.name).filter(each => whyOff?.(each) === undefined)
  return `${NO_SUCH_TOOL}${name.slice(0, 100)}". Tools: ${names.join(', ')}.`
}

/** The names of the tools and toolsets that are on now, in a chat where some may be off. */
export const offeredIn = ({ registry, tools, whyOff }: Turn): string[] =>
  offeredBy(
    registry,
    tools.map(each => each.name).filter(name => whyOff?.(name) === undefined),
  )
