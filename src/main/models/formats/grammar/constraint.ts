import type { Format, ToolSpec } from '../format-types.ts'
import { beforeBody } from '../write-calls.ts'
import { writeBody } from './write-body.ts'
import { newBudget, readSchema } from './read-schema.ts'
import { createRules, literal, sequence } from './gbnf-rules.ts'
import { jsonSyntax, writeValuesIn } from './write-values.ts'

/** A grammar that makes a part of a reply valid. Only the local engine supports it; others ignore it. */
export type Constraint = {
  /** The text after which the grammar applies: `<tool_call>`. Ignored inside thoughts and quoted code. */
  after: string
  /** `start`: only if nothing but thoughts and blanks precedes `after` in the reply. */
  where: 'anywhere' | 'start'
  /** A GBNF grammar with the root `root` for everything that may follow, up to and including `end`. */
  gbnf: string
  /** The text that ends the part. Empty if the body marks its own end, or for `text` with the reply. */
  end: string
  /**
   * With `jsonAfter`, `end` counts only after a complete JSON value, because a string may contain any text.
   * The value starts after the first `jsonAfter` at or after the start of `after`; if `jsonAfter` is empty,
   * it starts there directly. With `text`, the body cannot contain `end`.
   */
  body: 'text' | { jsonAfter: string }
}

/**
 * Constrain a model to calls of these tools, from the start of a call in its format. The name must be that of
 * a tool, and the arguments must satisfy its schema as far as possible. Undefined without tools.
 */
export function callConstraint(format: Format, tools: readonly ToolSpec[]): Constraint | undefined {
  if (tools.length === 0) return undefined
  const { mark, notation, where, each } = format
  const rules = createRules()
  const budget = newBudget()
  const known = tools.map(({ name, parameters }) => ({ name, shape: readSchema(parameters, budget) }))
  const end = endOf(format)
  const isOpen = opensObject(format)
  // If no text follows the calls of a message, no string may contain the mark that follows each call.
  const avoided = end === '' && each ? each[1].trim() : end
  const call = rules.rule(
    writeBody(rules, notation, known, { end: avoided, isOpen, isAmongOthers: each !== undefined }),
  )
  const body = each ? writeRow(format, each, call) : call
  return {
    after: mark,
    where,
    gbnf: rules.text(sequence(writeRest(format, isOpen), body, writeClose(format, end))),
    end,
    body: bodyOf(format, isOpen),
  }
}

/**
 * The constraints for calls of these tools, one for each spelling of the mark. If a single bracket opens a
 * Python list, ordinary text may start the same way. Only the name after the bracket distinguishes them, so
 * there is one constraint for each tool.
 */
export function callConstraints(format: Format, tools: readonly ToolSpec[]): readonly Constraint[] {
  const all = callConstraint(format, tools)
  if (!all) return []
  if (format.notation.kind !== 'python' || format.mark !== '[')
    return [all, ...(format.otherMarks ?? []).map(mark => startingAt(all, mark))]
  return tools.map(({ name }): Constraint => {
    const rules = createRules()
    const budget = newBudget()
    const known = tools.map(tool => ({ name: tool.name, shape: readSchema(tool.parameters, budget) }))
    const body = writeBody(rules, format.notation, known, {
      end: '',
      isOpen: true,
      isAmongOthers: false,
      begun: name,
    })
    return { ...all, after: `[${name}(`, gbnf: rules.text(body) }
  })
}

/** The same constraint after another spelling of its mark, which the body may follow directly. */
const startingAt = (constraint: Constraint, after: string): Constraint => {
  const { body } = constraint
  const isAtOnce = body !== 'text' && body.jsonAfter === constraint.after
  return { ...constraint, after, body: isAtOnce ? { jsonAfter: after } : body }
}

/** Up to 16 consecutive calls. A model that writes more has started to repeat itself. */
function writeRow(
  { between = '\n' }: Format,
  [before, after]: NonNullable<Format['each']>,
  call: string,
): string {
  const one = sequence(literal(before), call, literal(after))
  return sequence(one, `(${sequence(literal(between), one)}){0,15}`)
}

/** Whether the text that opens a call is already the start of the JSON object. */
const opensObject = (format: Format): boolean => beforeBody(format) !== format.open

/** The text that ends a call. In Python it includes the line feed before it, which no string can contain. */
function endOf({ notation, close }: Format): string {
  return notation.kind === 'python' && close.startsWith('\n') ? close.trimEnd() : close.trim()
}

const behind = (open: string, mark: string) => open.slice(open.indexOf(mark) + mark.length)

/** The text from the mark to the body. After a whole tag, blanks are optional. */
function writeRest({ open, mark }: Format, isOpen: boolean): string {
  // The optional blank after the colon is then part of the body.
  if (isOpen) return ''
  const rest = behind(open, mark)
  if (!/(?:[^>]>|\])$/.test(mark)) return literal(rest)
  const blank = /\s$/.test(rest) && rest.trim() !== '' ? '[ \\n]?' : ''
  // A word would merge with the following text.
  return sequence('[ \\n]?', literal(rest.trim()), /\w\s+$/.test(rest) ? literal('\n') : blank)
}

function writeClose({ close }: Format, end: string): string {
  const before = close.slice(0, close.indexOf(end))
  return sequence(before === '' ? '' : `${literal(before)}?`, literal(end))
}

function bodyOf(format: Format, isOpen: boolean): Constraint['body'] {
  const { open, mark, notation, each } = format
  // In a row of calls, no value can contain the end.
  if (each) return 'text'
  if (notation.kind === 'named') return { jsonAfter: notation.joint.trim() || notation.joint }
  if (notation.kind !== 'json') return 'text'
  return { jsonAfter: isOpen ? beforeBody(format) : behind(open, mark).trim() || mark }
}

/** Constrain a whole reply to one JSON value that satisfies the schema, as far as possible. */
export function answerConstraint(schema: unknown): Constraint {
  const rules = createRules()
  const { value } = writeValuesIn(rules, jsonSyntax())
  const gbnf = rules.text(value(readSchema(schema)))
  return { after: '', where: 'start', gbnf, end: '', body: { jsonAfter: '' } }
}
