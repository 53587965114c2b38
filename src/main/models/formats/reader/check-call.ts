import type { Context } from './context.ts'
import { isObject, namesOf, type Tool } from './tools.ts'
import { Trouble } from './trouble.ts'

/** A call that may run. `raw` is the text it was read from. */
export type Call = { type: 'call'; name: string; arguments: Record<string, unknown>; raw: string }

/**
 * A marked call that must not run; the reason is written for the model. `endIsGuess` if its quotes do not pair up, so
 * that what looks like the next call may be part of a text in this one.
 */
export type BadCall = { type: 'bad_call'; name?: string; reason: string; raw: string; endIsGuess?: true }

/** Takes a call, or an attempt at one, as soon as it is complete; the input then stands behind it. */
export type Found = (call: Call | BadCall) => void

/** What a body reader found, before it is known whether it is a call. */
export type Written = {
  name: string | undefined
  arguments: unknown
  /** Brackets were missing because the text ended. */
  closedAtEnd?: boolean | undefined
}

/** Decide whether what was written is a call of a tool that exists. */
export function judge(written: Written, { tools, truncated }: Context, raw: string): Call | BadCall {
  const { name, arguments: given } = written
  const tool = name === undefined ? undefined : tools.find(name)
  const bad = (reason: string): BadCall => ({
    type: 'bad_call',
    ...(name === undefined ? {} : { name: tool?.name ?? name }),
    reason,
    raw,
    ...(given instanceof Trouble && given.kind === 'quotes' ? { endIsGuess: true } : {}),
  })
  if (name === undefined) {
    const trouble = given instanceof Trouble ? given : new Trouble('it names no tool')
    return bad(
      trouble.kind === 'cut'
        ? 'A call was cut off. Send it again, in full.'
        : `The call cannot be read: ${trouble.reason}.`,
    )
  }
  if (!tool)
    return bad(`There is no tool named "${name.slice(0, 80)}". The tools are: ${tools.names.join(', ')}.`)
  const cut = `The call of ${tool.name} was cut off before it was complete. Send it again, in full.`
  if (given instanceof Trouble)
    return bad(given.kind === 'cut' ? cut : `The arguments of ${tool.name} cannot be read: ${given.reason}.`)
  if (!isObject(given)) return bad(`The arguments of ${tool.name} must be one object.`)
  if (isDefinition(given, tool))
    return bad(`This repeats what ${tool.name} takes. Give it values: ${namesOf(tool)}.`)
  if (written.closedAtEnd && (truncated || tool.required.some(key => !Object.hasOwn(given, key))))
    return bad(cut)
  return { type: 'call', name: tool.name, arguments: given, raw }
}

/** A JSON Schema in place of arguments: the model recites the definition of the tool. */
function isDefinition(given: Record<string, unknown>, tool: Tool): boolean {
  return isObject(given['properties']) && !Object.hasOwn(tool.properties, 'properties')
}
