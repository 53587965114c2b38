import { hiddenSpans } from '../../shared/visible-text/hidden-characters.ts'
import { createCheck } from '../json-schema/check-schema.ts'
import {
  DEEPEST_SCHEMA,
  depthOf,
  isReadable,
  judgeSchema,
  textsIn,
  withoutNullKeywords,
} from '../json-schema/judge-schema.ts'
import { mendArguments } from '../json-schema/mend-by-schema.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { isRecord } from '../lib/json-fields.ts'
import { hashOf } from '../lib/shown-hash.ts'
import { runToEnd } from '../lib/timing.ts'
import { findOrders } from '../untrusted/pushing-text.ts'
import { plainTool } from './mending/plain-tool.ts'

/** A tool of a server that may be offered, with checks for its calls. */
export type ServerTool = {
  /** The name without hidden or reordering characters. `sent`: the exact name, which calls must use. */
  name: string
  sent: string
  /** Without hidden or reordering characters. */
  description: string
  schema: Record<string, unknown>
  /** Hash of name, description, schema and annotations, as the server sent them. */
  hash: string
  /** The tool as the server sent it, as JSON. */
  definition: string
  /** Hash of name and schema, for servers whose descriptions change at every start. */
  shapeHash: string
  /** The reason why arguments do not fit the schema; undefined if they do. */
  problemOf(args: unknown): string | undefined
  /** The reason why only the server checks arguments, and not the schema; undefined if it is used. */
  whyUnchecked(): string | undefined
  /** Convert arguments to the form that the schema demands, if only one interpretation fits. */
  mend(args: Record<string, unknown>): Record<string, unknown>
  /** How returned data differ from the declared ones; undefined if they fit or none are declared usably. */
  mismatchOf(data: unknown): string | undefined
}

type RefusedTool = { name: string; problem: string }
export type JudgedTools = { tools: ServerTool[]; refused: RefusedTool[] }

/** Limits on what one server lists. */
export const MOST_TOOLS = 500
const LONGEST_NAME = 500
const LONGEST_DESCRIPTION = 8_000

/** Judge each tool of a list separately, so that a bad one does not affect others. `listed` is unchecked. */
export const judgeTools = (listed: readonly unknown[]): JudgedTools => runToEnd(judgeSteps(listed))

/** Judge the tools with a pause after each, because one may take some milliseconds. */
export function* judgeSteps(listed: readonly unknown[]): Generator<void, JudgedTools, void> {
  const tools: ServerTool[] = []
  const refused: RefusedTool[] = []
  for (const [at, sent] of listed.slice(0, MOST_TOOLS).entries()) {
    const given = plainTool(sent)
    const name = nameOf(given, at)
    const judged = tools.some(tool => tool.name === name)
      ? 'Another tool of this server has the same name.'
      : judgeTool(given)
    if (typeof judged === 'string') refused.push({ name, problem: judged })
    else tools.push(judged)
    yield
  }
  if (listed.length > MOST_TOOLS)
    refused.push({
      name: `${listed.length - MOST_TOOLS} more`,
      problem: `A server may have up to ${MOST_TOOLS} tools; the others are left out.`,
    })
  return { tools, refused }
}

function nameOf(given: unknown, at: number): string {
  const name = isRecord(given) ? given['name'] : undefined
  if (typeof name !== 'string' || name.trim() === '') return `tool ${at + 1}`
  return shownName(name).slice(0, LONGEST_NAME)
}

/** A name on one line. A name of only hidden characters is shown by their codes. */
function shownName(sent: string): string {
  const shown = withoutHidden(sent)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return shown === '' ? encodeURIComponent(sent.toWellFormed()) : shown
}

function judgeTool(given: unknown): ServerTool | string {
  if (!isRecord(given)) return 'It is not an object.'
  const { name: sent, inputSchema, annotations = null, outputSchema } = given
  const description = given['description'] ?? ''
  if (typeof sent !== 'string' || sent.trim() === '') return 'It has no name.'
  const name = shownName(sent)
  if (sent.length > LONGEST_NAME) return `Its name has more than ${LONGEST_NAME} characters.`
  if (typeof description !== 'string') return 'Its description is not a text.'
  if (description.length > LONGEST_DESCRIPTION)
    return `Its description has more than ${LONGEST_DESCRIPTION} characters.`
  // A tool without a schema takes no known arguments.
  const asSent = inputSchema ?? { type: 'object' }
  if (!isRecord(asSent)) return 'Its schema is not an object.'
  if (depthOf(annotations, 0) > DEEPEST_SCHEMA)
    return `Its annotations are nested deeper than ${DEEPEST_SCHEMA} levels.`
  const judged = judgeSchema(asSent, 'The arguments')
  if (isRefusal(judged)) return judged.refused
  const shown = withoutHidden(description)
  const problem = headerProblem(asSent) ?? findOrders([name, shown, ...textsIn(asSent)])
  if (problem !== undefined) return problem
  const { schema, check } = judged
  const returns = usableOutput(outputSchema)
  return {
    name,
    sent,
    description: shown,
    schema,
    definition: JSON.stringify({
      name: sent,
      description,
      inputSchema: asSent,
      annotations,
      ...(returns && { outputSchema: returns }),
    }),
    hash: hashOf({ name: sent, description, schema: asSent, annotations }),
    shapeHash: hashOf({ name: sent, schema: asSent }),
    problemOf: check.problemOf,
    whyUnchecked: check.whyUnchecked,
    mend: args => mendArguments(args, schema, check),
    mismatchOf: createMismatch(returns),
  }
}

/** The declared output of a tool, if it is usable. A wrong declaration does not count against the tool. */
const usableOutput = (given: unknown): Record<string, unknown> | undefined =>
  isRecord(given) && isReadable(given) ? given : undefined

function createMismatch(returns: Record<string, unknown> | undefined): ServerTool['mismatchOf'] {
  if (returns === undefined) return () => undefined
  const check = createCheck(withoutNullKeywords(returns), 'The whole')
  // Deeper data are cut anyway, and a recursive schema would follow them.
  return data => (depthOf(data, 0) > DEEPEST_SCHEMA ? undefined : check.problemOf(data))
}

const HEADER = 'x-mcp-header'
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** The reason why a declaration of a header argument (SEP-2243) is wrong; such a tool must be refused. */
function headerProblem(node: unknown, seen = new Set<string>(), isDirect = true): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  if (HEADER in node) {
    const { [HEADER]: name, type } = node as Record<string, unknown>
    if (typeof name !== 'string' || !HEADER_NAME.test(name)) return 'It names a header that cannot be one.'
    if (!isDirect || !['string', 'integer', 'boolean'].includes(String(type)))
      return `Its header ${name} stands for something other than a plain argument.`
    if (seen.has(name.toLowerCase())) return `It names the header ${name} twice.`
    seen.add(name.toLowerCase())
  }
  for (const [key, value] of Object.entries(node)) {
    const isProperties = isDirect && key === 'properties' && isRecord(value)
    for (const child of isProperties ? Object.values(value) : [value]) {
      const problem = headerProblem(child, seen, isProperties)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

/** Whether a tool has arguments that are repeated as headers of the request. */
export const hasHeaders = (schema: unknown): boolean =>
  JSON.stringify(schema ?? null).includes(`"${HEADER}":`)

/** Remove characters that are invisible or reorder text. */
export function withoutHidden(text: string): string {
  let kept = ''
  let from = 0
  for (const span of hiddenSpans(text)) {
    kept += text.slice(from, span.from)
    from = span.to
  }
  return kept + text.slice(from)
}
