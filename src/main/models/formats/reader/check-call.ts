import { type Context, Unreadable } from './reader-input.ts'
import { isObject, namesOf, type Tool } from './known-tools.ts'

/** A call that may run. `raw` is the text it was read from. */
export type Call = { type: 'call'; name: string; arguments: Record<string, unknown>; raw: string }

/**
 * A marked call that must not run; the reason is written for the model. `endIsGuess`: its quotes do not pair
 * up, so the apparent next call may be part of a string in this one.
 */
export type BadCall = { type: 'bad_call'; name?: string; reason: string; raw: string; endIsGuess?: true }

/** Receives a call, or an attempt at one, as soon as it is complete. The input is positioned after it. */
export type OnCall = (call: Call | BadCall) => void

/** A call as a body reader found it, before it is checked. */
export type WrittenCall = {
  name: string | undefined
  arguments: unknown
  /** Brackets were missing because the text ended. */
  closedAtEnd?: boolean | undefined
}

/** Check whether a written call is a valid call of an existing tool. */
export function checkCall(written: WrittenCall, { tools, truncated }: Context, raw: string): Call | BadCall {
  const { name, arguments: given } = written
  const tool = name === undefined ? undefined : tools.find(name)
  const bad = (reason: string): BadCall => ({
    type: 'bad_call',
    ...(name === undefined ? {} : { name: tool?.name ?? name }),
    reason,
    raw,
    ...(given instanceof Unreadable && given.kind === 'quotes' ? { endIsGuess: true } : {}),
  })
  if (name === undefined) {
    const trouble = given instanceof Unreadable ? given : new Unreadable('it names no tool')
    return bad(
      trouble.kind === 'cut'
        ? 'A call was cut off. Send it again, in full.'
        : `The call cannot be read: ${trouble.reason}.`,
    )
  }
  if (!tool)
    return bad(`There is no tool named "${name.slice(0, 80)}". The tools are: ${tools.names.join(', ')}.`)
  const cut = `The call of ${tool.name} was cut off before it was complete. Send it again, in full.`
  if (given instanceof Unreadable)
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
