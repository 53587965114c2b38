import { bindMacro, parseParameters } from './bind-macro.ts'
import { createLoop } from '../create-loop.ts'
import { parseArguments, parseExpression, parseFilter, parseTuple } from './parse-expression.ts'
import { parseTarget } from './parse-target.ts'
import { printValue } from '../print-values.ts'
import { readTags, type Piece } from './read-tags.ts'
import { Output, Scope, type Expression, type Statement } from '../run-limits.ts'
import { TokenStream } from './token-stream.ts'
import { isTrue, itemsOf, nothing, type Arguments, type Value } from '../values.ts'

/** Compile the source of a template. */
export function parseTemplate(source: string): Statement {
  const reader = { pieces: readTags(source), at: 0 }
  const { body, stream } = parseBody(reader, [])
  if (stream) throw new Error(`"${stream.peek().text}" has no beginning`)
  return body
}

type Reader = { pieces: readonly Piece[]; at: number }

/** Parse statements up to a tag that starts with one of `ends`. That tag's name has already been read. */
function parseBody(
  reader: Reader,
  ends: readonly string[],
): { body: Statement; stream: TokenStream | undefined; end: string } {
  const statements: Statement[] = []
  while (reader.at < reader.pieces.length) {
    const piece = reader.pieces[reader.at++]
    if (!piece) break
    if (piece.kind === 'text') {
      const { text } = piece
      statements.push((_, out) => write(out, text))
      continue
    }
    const stream = new TokenStream(piece.tokens)
    if (piece.kind === 'output') {
      const value = parseTuple(stream)
      stream.expectEnd()
      statements.push((scope, out) => write(out, printValue(value(scope))))
      continue
    }
    if (stream.isName(...ends)) return { body: joinStatements(statements), stream, end: stream.next().text }
    if (/^end|^el(?:se|if)$/.test(stream.peek().text))
      throw new Error(`"${stream.peek().text}" has no beginning`)
    statements.push(parseStatement(reader, stream))
  }
  if (ends.length > 0) throw new Error(`"${ends.at(-1)}" is missing`)
  return { body: joinStatements(statements), stream: undefined, end: '' }
}

function write(out: Output, text: string): undefined {
  out.add(text)
}

function joinStatements(statements: readonly Statement[]): Statement {
  return (scope, out) => {
    for (const statement of statements) {
      const leaves = statement(scope, out)
      if (leaves !== undefined) return leaves
    }
    return undefined
  }
}

const parsers: Record<string, (reader: Reader, stream: TokenStream) => Statement> = {
  if: parseIf,
  for: parseFor,
  set: parseSet,
  macro: parseMacro,
  call: parseCallBlock,
  filter: parseFilterBlock,
  with: parseWith,
  do: (_, stream) => {
    const value = parseTuple(stream)
    return scope => {
      value(scope)
      return undefined
    }
  },
  break: () => () => 'break',
  continue: () => () => 'continue',
  block: reader => parseInScope(reader, 'endblock'),
  autoescape: reader => parseInScope(reader, 'endautoescape'),
  generation: reader => parseBody(reader, ['endgeneration']).body,
}

function parseStatement(reader: Reader, stream: TokenStream): Statement {
  const name = stream.expectName()
  const parse = Object.hasOwn(parsers, name) ? parsers[name] : undefined
  if (!parse) throw new Error(`the tag "${name}" is unknown`)
  const statement = parse(reader, stream)
  // These tags have arguments that are ignored, and so still unread.
  if (!['block', 'autoescape', 'generation'].includes(name)) stream.expectEnd()
  return statement
}

function parseInScope(reader: Reader, end: string): Statement {
  const { body } = parseBody(reader, [end])
  return (scope, out) => body(new Scope(scope, scope.limits), out)
}

function parseIf(reader: Reader, stream: TokenStream): Statement {
  const condition = parseTuple(stream)
  stream.expectEnd()
  const { body, stream: next, end } = parseBody(reader, ['elif', 'else', 'endif'])
  const otherwise =
    end === 'elif' && next
      ? parseIf(reader, next)
      : end === 'else'
        ? parseBody(reader, ['endif']).body
        : undefined
  return (scope, out) => (isTrue(condition(scope)) ? body(scope, out) : otherwise?.(scope, out))
}

function parseFor(reader: Reader, stream: TokenStream): Statement {
  const assign = parseTarget(stream, false)
  stream.expect('in')
  const items = parseTuple(stream, false)
  const condition = stream.skip('if') ? parseExpression(stream) : undefined
  const isRecursive = stream.skip('recursive')
  stream.expectEnd()
  const { body, end } = parseBody(reader, ['else', 'endfor'])
  const otherwise = end === 'else' ? parseBody(reader, ['endfor']).body : undefined

  const chosen = (scope: Scope, value: Value): readonly Value[] => {
    const all = itemsOf(value)
    if (!condition) return all
    return all.filter(item => {
      scope.limits.tick()
      const inner = new Scope(scope, scope.limits)
      assign(inner, item)
      return isTrue(condition(inner))
    })
  }
  const run = (scope: Scope, out: Output, value: Value, depth: number): undefined | 'break' | 'continue' => {
    const list = chosen(scope, value)
    if (list.length === 0) return otherwise?.(new Scope(scope, scope.limits), out)
    const again = isRecursive
      ? (args: Arguments): Value =>
          scope.limits.enter(() => {
            const inner = new Output(scope.limits)
            run(scope, inner, args.list[0], depth + 1)
            return inner.text
          })
      : undefined
    const loop = createLoop(list, depth, again)
    for (const [at, item] of list.entries()) {
      scope.limits.tick()
      loop.at = at
      const inner = new Scope(scope, scope.limits)
      inner.set('loop', loop)
      assign(inner, item)
      if (body(inner, out) === 'break') break
    }
    return undefined
  }
  return (scope, out) => run(scope, out, items(scope), 1)
}

function parseSet(reader: Reader, stream: TokenStream): Statement {
  const assign = parseTarget(stream, true)
  if (stream.skip('=')) {
    const value = parseTuple(stream)
    return scope => {
      assign(scope, value(scope))
      return undefined
    }
  }
  const filter = parseFilterChain(stream)
  const { body } = parseBody(reader, ['endset'])
  return scope => {
    assign(scope, filter(scope, runApart(body, scope)))
    return undefined
  }
}

/** Compile the filters after the name of a block. */
function parseFilterChain(stream: TokenStream): (scope: Scope, text: string) => Value {
  let piped: Value
  let value: Expression = () => piped
  while (stream.skip('|')) value = parseFilter(stream, value)
  return (scope, text) => {
    piped = text
    return value(scope)
  }
}

/** Run statements in their own scope, and return the text that they write. */
function runApart(body: Statement, scope: Scope): string {
  const out = new Output(scope.limits)
  body(new Scope(scope, scope.limits), out)
  return out.text
}

function parseMacro(reader: Reader, stream: TokenStream): Statement {
  const name = stream.expectName()
  stream.expect('(')
  const parameters = parseParameters(stream)
  const { body } = parseBody(reader, ['endmacro'])
  return scope => {
    scope.set(name, args => callMacro(scope, inner => bindMacro(inner, parameters, args), body))
    return undefined
  }
}

function callMacro(scope: Scope, bind: (inner: Scope) => void, body: Statement): string {
  return scope.limits.enter(() => {
    const inner = new Scope(scope, scope.limits)
    bind(inner)
    const out = new Output(scope.limits)
    body(inner, out)
    return out.text
  })
}

/** Compile `{% call(item) list(items) %}…{% endcall %}`: the macro may call the block as `caller`. */
function parseCallBlock(reader: Reader, stream: TokenStream): Statement {
  const parameters = stream.skip('(') ? parseParameters(stream) : []
  const callee = parseCallee(stream)
  const readArguments = stream.skip('(') ? parseArguments(stream) : () => nothing
  const { body } = parseBody(reader, ['endcall'])
  return (scope, out) => {
    const macro = callee(scope)
    if (typeof macro !== 'function') throw new Error('a call block calls something that is no macro')
    const caller = (args: Arguments): Value =>
      callMacro(scope, inner => bindMacro(inner, parameters, args), body)
    const { list, named } = readArguments(scope)
    out.add(printValue(macro({ list, named: new Map([...named, ['caller', caller]]) })))
    return undefined
  }
}

function parseCallee(stream: TokenStream): Expression {
  const name = stream.expectName()
  return scope => scope.get(name)
}

function parseFilterBlock(reader: Reader, stream: TokenStream): Statement {
  let piped: Value
  let value = parseFilter(stream, () => piped)
  while (stream.skip('|')) value = parseFilter(stream, value)
  stream.expectEnd()
  const { body } = parseBody(reader, ['endfilter'])
  return (scope, out) => {
    piped = runApart(body, scope)
    out.add(printValue(value(scope)))
    return undefined
  }
}

function parseWith(reader: Reader, stream: TokenStream): Statement {
  const set: ((outer: Scope, inner: Scope) => void)[] = []
  while (stream.peek().kind !== 'end') {
    if (set.length > 0) stream.expect(',')
    const assign = parseTarget(stream, false)
    stream.expect('=')
    const value = parseExpression(stream)
    set.push((outer, inner) => assign(inner, value(outer)))
  }
  const { body } = parseBody(reader, ['endwith'])
  return (scope, out) => {
    const inner = new Scope(scope, scope.limits)
    for (const each of set) each(scope, inner)
    return body(inner, out)
  }
}
