import { applyTest } from '../functions/apply-test.ts'
import { callValue, getAttribute, getItem, sliceValue } from '../access-values.ts'
import { calculateValues, negateValue, type Operator } from '../calculate.ts'
import { applyFilter, hasFilter } from '../functions/apply-filter.ts'
import { printValue } from '../print-values.ts'
import type { Expression, Scope } from '../run-limits.ts'
import type { TokenStream } from './token-stream.ts'
import {
  Dict,
  Float,
  List,
  compareValues,
  containsValue,
  isEqual,
  isTrue,
  itemsOf,
  keyOf,
  type Arguments,
  type Value,
} from '../values.ts'

/** Compile an expression. Without `withCondition`, a following `if` does not belong to it. */
export function parseExpression(stream: TokenStream, withCondition = true): Expression {
  const value = parseOr(stream)
  if (!withCondition || !stream.skip('if')) return value
  const condition = parseOr(stream)
  const otherwise: Expression = stream.skip('else') ? parseExpression(stream) : () => undefined
  return scope => (isTrue(condition(scope)) ? value(scope) : otherwise(scope))
}

/** Compile an expression. Several expressions with commas between them are a tuple. */
export function parseTuple(stream: TokenStream, withCondition = true): Expression {
  const first = parseExpression(stream, withCondition)
  if (!stream.isOperator(',')) return first
  const items = [first]
  while (stream.skip(',')) {
    if (endsTuple(stream)) break
    items.push(parseExpression(stream, withCondition))
  }
  return scope =>
    new List(
      items.map(item => item(scope)),
      true,
    )
}

const endsTuple = (stream: TokenStream): boolean =>
  stream.peek().kind === 'end' || stream.isOperator(')', ']', '}', '=') || stream.isName('recursive', 'if')

function parseOr(stream: TokenStream): Expression {
  let left = parseAnd(stream)
  while (stream.skip('or')) {
    const [a, b] = [left, parseAnd(stream)]
    left = scope => {
      const value = a(scope)
      return isTrue(value) ? value : b(scope)
    }
  }
  return left
}

function parseAnd(stream: TokenStream): Expression {
  let left = parseNot(stream)
  while (stream.skip('and')) {
    const [a, b] = [left, parseNot(stream)]
    left = scope => {
      const value = a(scope)
      return isTrue(value) ? b(scope) : value
    }
  }
  return left
}

function parseNot(stream: TokenStream): Expression {
  if (!stream.skip('not')) return parseCompare(stream)
  const value = parseNot(stream)
  return scope => !isTrue(value(scope))
}

type Comparison = (left: Value, right: Value) => boolean
const comparisons: Record<string, Comparison> = {
  '==': isEqual,
  '!=': (left, right) => !isEqual(left, right),
  '<': (left, right) => compareValues(left, right) < 0,
  '<=': (left, right) => compareValues(left, right) <= 0,
  '>': (left, right) => compareValues(left, right) > 0,
  '>=': (left, right) => compareValues(left, right) >= 0,
  in: (left, right) => containsValue(right, left),
  'not in': (left, right) => !containsValue(right, left),
}

/** Compile a comparison. Comparisons may be chained: `1 < 2 < 3`. */
function parseCompare(stream: TokenStream): Expression {
  const first = parseChain(stream, ['+', '-'])
  const rest: { compare: Comparison; value: Expression }[] = []
  for (;;) {
    const sign = takeComparison(stream)
    const compare = sign === undefined ? undefined : comparisons[sign]
    if (!compare) break
    rest.push({ compare, value: parseChain(stream, ['+', '-']) })
  }
  if (rest.length === 0) return first
  return scope => {
    let left = first(scope)
    for (const { compare, value } of rest) {
      const right = value(scope)
      if (!compare(left, right)) return false
      left = right
    }
    return true
  }
}

function takeComparison(stream: TokenStream): string | undefined {
  if (stream.isOperator('==', '!=', '<', '<=', '>', '>=')) return stream.next().text
  if (stream.skip('in')) return 'in'
  if (!stream.isName('not') || stream.peek(1).text !== 'in') return undefined
  stream.next()
  stream.next()
  return 'not in'
}

/** Compile operators of the same precedence, from the left. */
function parseChain(stream: TokenStream, signs: readonly Operator[]): Expression {
  const parseOperand = signs.includes('+') ? parseJoined : parsePower
  let left = parseOperand(stream)
  for (;;) {
    const sign = signs.find(each => stream.skip(each))
    if (sign === undefined) return left
    const [a, b] = [left, parseOperand(stream)]
    left = scope => calculateValues(sign, a(scope), b(scope), scope.limits)
  }
}

function parseJoined(stream: TokenStream): Expression {
  const parts = [parseChain(stream, ['*', '/', '//', '%'])]
  while (stream.skip('~')) parts.push(parseChain(stream, ['*', '/', '//', '%']))
  const [only] = parts
  if (only && parts.length === 1) return only
  return scope => {
    const text = parts.map(part => printValue(part(scope))).join('')
    scope.limits.allowText(text.length)
    return text
  }
}

function parsePower(stream: TokenStream): Expression {
  let left = parseUnary(stream)
  while (stream.skip('**')) {
    const [a, b] = [left, parseUnary(stream)]
    left = scope => calculateValues('**', a(scope), b(scope), scope.limits)
  }
  return left
}

function parseUnary(stream: TokenStream, withFilter = true): Expression {
  let value: Expression
  if (stream.isOperator('-', '+')) {
    const sign = stream.next().text
    const operand = parseUnary(stream, false)
    value = scope => negateValue(operand(scope), sign === '-')
  } else value = parsePrimary(stream)
  value = parsePostfix(stream, value)
  return withFilter ? parseFilters(stream, value) : value
}

function parsePrimary(stream: TokenStream): Expression {
  const { kind, text } = stream.next()
  if (kind === 'name') return readName(text)
  if (kind === 'text') {
    let whole = text
    while (stream.peek().kind === 'text') whole += stream.next().text
    return () => whole
  }
  if (kind === 'integer') {
    const number = Number(text)
    return () => number
  }
  if (kind === 'float') {
    const number = new Float(Number(text))
    return () => number
  }
  if (kind === 'operator' && text === '(') return parseParentheses(stream)
  if (kind === 'operator' && text === '[') {
    const items = parseItems(stream, ']')
    return scope => new List(items.map(item => item(scope)))
  }
  if (kind === 'operator' && text === '{') return parseDictionary(stream)
  throw new Error(kind === 'end' ? 'an expression is missing' : `"${text}" stands where a value is expected`)
}

const constants: Record<string, Value> = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
}

function readName(name: string): Expression {
  if (!Object.hasOwn(constants, name)) return scope => scope.get(name)
  const value = constants[name]
  return () => value
}

function parseParentheses(stream: TokenStream): Expression {
  if (stream.skip(')')) return () => new List([], true)
  const value = parseTuple(stream)
  stream.expect(')')
  return value
}

function parseItems(stream: TokenStream, close: string): Expression[] {
  const items: Expression[] = []
  while (!stream.skip(close)) {
    if (items.length > 0) stream.expect(',')
    if (stream.skip(close)) break
    items.push(parseExpression(stream))
  }
  return items
}

function parseDictionary(stream: TokenStream): Expression {
  const entries: [Expression, Expression][] = []
  while (!stream.skip('}')) {
    if (entries.length > 0) stream.expect(',')
    if (stream.skip('}')) break
    const key = parseExpression(stream)
    stream.expect(':')
    entries.push([key, parseExpression(stream)])
  }
  return scope =>
    new Dict(new Map(entries.map(([key, value]): [Value, Value] => [keyOf(key(scope)), value(scope)])))
}

/** Compile the attributes, items and calls after a value. */
function parsePostfix(stream: TokenStream, start: Expression): Expression {
  let value = start
  for (;;) {
    if (stream.skip('.')) value = parseAttribute(stream, value)
    else if (stream.skip('[')) value = parseSubscript(stream, value)
    else if (stream.skip('(')) value = parseCall(stream, value)
    else return value
  }
}

function parseAttribute(stream: TokenStream, object: Expression): Expression {
  const { kind, text } = stream.next()
  if (kind === 'integer') return scope => getItem(object(scope), Number(text))
  if (kind !== 'name') throw new Error(`a name is expected where "${text}" stands`)
  return scope => getAttribute(object(scope), text, scope.limits)
}

function parseCall(stream: TokenStream, callee: Expression): Expression {
  const readArguments = parseArguments(stream)
  return scope => callValue(callee(scope), readArguments(scope), scope.limits)
}

function parseSubscript(stream: TokenStream, object: Expression): Expression {
  const bounds: (Expression | undefined)[] = []
  let isSlice = false
  let isTuple = false
  let current: Expression | undefined
  while (!stream.skip(']')) {
    if (stream.skip(':')) {
      isSlice = true
      bounds.push(current)
      current = undefined
    } else if (stream.skip(',')) {
      isTuple = true
      bounds.push(current)
      current = undefined
    } else current = parseExpression(stream)
  }
  if (isSlice && isTuple) throw new Error('a subscript with both slices and commas')
  if (isTuple) {
    const keys = [...bounds, current].filter(each => each !== undefined)
    return scope =>
      getItem(
        object(scope),
        new List(
          keys.map(key => key(scope)),
          true,
        ),
        scope.limits,
      )
  }
  if (isSlice) {
    const [from, to, step] = [...bounds, current]
    return scope => sliceValue(object(scope), from?.(scope), to?.(scope), step?.(scope))
  }
  const key = current
  if (!key) throw new Error('a subscript is empty')
  return scope => getItem(object(scope), key(scope), scope.limits)
}

/** Compile the arguments of a call, after its opening parenthesis. */
export function parseArguments(stream: TokenStream): (scope: Scope) => Arguments {
  const parts: { kind: 'one' | 'many' | 'named' | 'dictionary'; name: string; value: Expression }[] = []
  while (!stream.skip(')')) {
    if (parts.length > 0) stream.expect(',')
    if (stream.skip(')')) break
    if (stream.skip('**')) parts.push({ kind: 'dictionary', name: '', value: parseExpression(stream) })
    else if (stream.skip('*')) parts.push({ kind: 'many', name: '', value: parseExpression(stream) })
    else if (
      stream.peek().kind === 'name' &&
      stream.peek(1).kind === 'operator' &&
      stream.peek(1).text === '='
    ) {
      const name = stream.next().text
      stream.next()
      parts.push({ kind: 'named', name, value: parseExpression(stream) })
    } else parts.push({ kind: 'one', name: '', value: parseExpression(stream) })
  }
  return scope => {
    const list: Value[] = []
    const named = new Map<string, Value>()
    for (const { kind, name, value } of parts) {
      const given = value(scope)
      if (kind === 'one') list.push(given)
      else if (kind === 'many') list.push(...itemsOf(given))
      else if (kind === 'named') named.set(name, given)
      else if (given instanceof Dict)
        for (const [key, item] of given.entries) named.set(printValue(key), item)
    }
    return { list, named }
  }
}

const noArguments = (): Arguments => ({ list: [], named: new Map() })

/** Compile the filters, tests and calls after a value. */
function parseFilters(stream: TokenStream, start: Expression): Expression {
  let value = start
  for (;;) {
    if (stream.skip('|')) value = parseFilter(stream, value)
    else if (stream.skip('is')) value = parseTest(stream, value)
    else if (stream.skip('(')) value = parseCall(stream, value)
    else return value
  }
}

/** Compile a filter, after its `|`. */
export function parseFilter(stream: TokenStream, value: Expression): Expression {
  const name = parseDottedName(stream)
  const readArguments = stream.skip('(') ? parseArguments(stream) : noArguments
  return scope => applyFilter(name, value(scope), readArguments(scope), scope.limits)
}

function parseTest(stream: TokenStream, value: Expression): Expression {
  const isNegated = stream.skip('not')
  const name = parseDottedName(stream)
  let readArguments: (scope: Scope) => Arguments = noArguments
  if (stream.skip('(')) readArguments = parseArguments(stream)
  else if (startsTestArgument(stream)) {
    const argument = parsePostfix(stream, parsePrimary(stream))
    readArguments = scope => ({ list: [argument(scope)], named: new Map() })
  }
  if (name === 'filter') return scope => hasFilter(printValue(value(scope))) !== isNegated
  return scope => applyTest(name, value(scope), readArguments(scope)) !== isNegated
}

function parseDottedName(stream: TokenStream): string {
  let name = stream.expectName()
  while (stream.skip('.')) name += `.${stream.expectName()}`
  return name
}

const startsTestArgument = (stream: TokenStream): boolean =>
  stream.isOperator('[', '{') ||
  ['text', 'integer', 'float'].includes(stream.peek().kind) ||
  (stream.peek().kind === 'name' && !stream.isName('else', 'or', 'and', 'if', 'in', 'not', 'is', 'recursive'))
