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

/** A tool of a server that may be offered, with what a call of it must look like. */
export type ServerTool = {
  /** As the server names it, without what hides or moves text; `sent`: to the letter, as a call must name it. */
  name: string
  sent: string
  /** Without characters that hide or move text. */
  description: string
  schema: Record<string, unknown>
  /** Of name, description, schema and annotations, as the server sent them. */
  hash: string
  /** As the server sent it, as JSON. */
  definition: string
  /** Of name and schema, for servers whose descriptions change at every start. */
  shapeHash: string
  /** Why the arguments do not fit the schema; undefined if they do. */
  problemOf(args: unknown): string | undefined
  /** Why nothing is checked by its schema, so that the server alone does; undefined if it is. */
  whyUnchecked(): string | undefined
  /** The arguments in the form that the schema asks for, wherever only one reading of them fits it. */
  mend(args: Record<string, unknown>): Record<string, unknown>
  /** Why data that it answered are not what it says it returns; undefined if they are, or if it says nothing usable of that. */
  mismatchOf(data: unknown): string | undefined
}

type RefusedTool = { name: string; problem: string }
export type JudgedTools = { tools: ServerTool[]; refused: RefusedTool[] }

/** Limits for what one server lists. */
export const MOST_TOOLS = 500
const LONGEST_NAME = 500
const LONGEST_DESCRIPTION = 8_000

/**
 * Judge each tool of a list alone, so that a bad one never takes the others with it. `listed` is what the server sent,
 * unchecked.
 */
export const judgeTools = (listed: readonly unknown[]): JudgedTools => runToEnd(judgeSteps(listed))

/** The same, a step for each tool: the texts of one take up to some milliseconds. */
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

/** A name on one line. One of nothing but hidden characters is shown by their codes. */
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
  // A tool without a schema takes no arguments that we know of.
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

/** What a tool says it returns, if that can be read. A wrong one says nothing against the tool. */
const usableOutput = (given: unknown): Record<string, unknown> | undefined =>
  isRecord(given) && isReadable(given) ? given : undefined

function createMismatch(returns: Record<string, unknown> | undefined): ServerTool['mismatchOf'] {
  if (returns === undefined) return () => undefined
  const check = createCheck(withoutNullKeywords(returns), 'The whole')
  // Data that nest deeper are cut anyway, and a schema that refers to itself would follow them.
  return data => (depthOf(data, 0) > DEEPEST_SCHEMA ? undefined : check.problemOf(data))
}

const HEADER = 'x-mcp-header'
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/**
 * Why a declaration of an argument that is repeated as a header (SEP-2243) is wrong; a tool with such a one is refused, as
 * the protocol asks.
 */
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

/** Whether arguments of a tool are repeated as headers of the request. */
export const hasHeaders = (schema: unknown): boolean =>
  JSON.stringify(schema ?? null).includes(`"${HEADER}":`)

/** A text without characters that cannot be seen or that move others. */
export function withoutHidden(text: string): string {
  let kept = ''
  let from = 0
  for (const span of hiddenSpans(text)) {
    kept += text.slice(from, span.from)
    from = span.to
  }
  return kept + text.slice(from)
}
