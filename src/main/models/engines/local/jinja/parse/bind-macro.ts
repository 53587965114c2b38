import { parseExpression } from './parse-expression.ts'
import type { Expression, Scope } from '../run-limits.ts'
import type { TokenStream } from './token-stream.ts'
import { Dict, List, type Arguments, type Value } from '../values.ts'

/** A parameter of a macro. `missing` is its default value. */
export type Parameter = { name: string; missing: Expression | undefined }

/** Compile the parameters of a macro, after the opening parenthesis. */
export function parseParameters(stream: TokenStream): Parameter[] {
  const parameters: Parameter[] = []
  while (!stream.skip(')')) {
    if (parameters.length > 0) stream.expect(',')
    const name = stream.expectName()
    parameters.push({ name, missing: stream.skip('=') ? parseExpression(stream) : undefined })
  }
  return parameters
}

/** Set the parameters of a macro to the arguments of a call. */
export function bindMacro(scope: Scope, parameters: readonly Parameter[], { list, named }: Arguments): void {
  for (const [at, { name, missing }] of parameters.entries()) {
    const given = at < list.length || named.has(name)
    scope.set(name, given ? (at < list.length ? list[at] : named.get(name)) : undefined)
    if (!given && missing) scope.set(name, missing(scope))
  }
  const names = parameters.map(({ name }) => name)
  const others = [...named].filter(([name]) => !names.includes(name) && name !== 'caller')
  const rest = others.map(([name, value]): [Value, Value] => [name, value])
  scope.set('kwargs', new Dict(new Map(rest)))
  scope.set('varargs', new List(list.slice(parameters.length), true))
  if (!names.includes('caller')) scope.set('caller', named.get('caller'))
}
