import type { Scope } from '../run-limits.ts'
import type { TokenStream } from './token-stream.ts'
import { Namespace, itemsOf, type Value } from '../values.ts'

/** Assigns a value to the target of an assignment or a loop. */
export type Assign = (scope: Scope, value: Value) => void

/** Compile the targets of an assignment or of `for`, with commas and parentheses. */
export function parseTarget(stream: TokenStream, mayBeAttribute: boolean): Assign {
  const parts = [parseOne(stream, mayBeAttribute)]
  let isTuple = false
  while (stream.skip(',')) {
    isTuple = true
    if (stream.isName('in') || stream.isOperator('=', ')')) break
    parts.push(parseOne(stream, mayBeAttribute))
  }
  const [only] = parts
  return only && !isTuple ? only : (scope, value) => unpackValue(scope, value, parts)
}

function parseOne(stream: TokenStream, mayBeAttribute: boolean): Assign {
  if (stream.skip('(')) {
    const inner = parseTarget(stream, mayBeAttribute)
    stream.expect(')')
    return inner
  }
  const name = stream.expectName()
  if (!mayBeAttribute || !stream.skip('.')) return (scope, value) => scope.set(name, value)
  const attribute = stream.expectName()
  return (scope, value) => {
    const object = scope.get(name)
    if (!(object instanceof Namespace))
      throw new Error(`it sets "${name}.${attribute}", but "${name}" is no namespace`)
    object.values.set(attribute, value)
  }
}

function unpackValue(scope: Scope, value: Value, parts: readonly Assign[]): void {
  const items = itemsOf(value)
  if (items.length !== parts.length)
    throw new Error(`${parts.length} values are expected, not ${items.length}`)
  for (const [at, part] of parts.entries()) part(scope, items[at])
}
