import { hiddenSpans } from '../../shared/visible-text/hidden-characters.ts'
import { hashOf } from '../lib/shown-hash.ts'
import { runToEnd } from '../lib/timing.ts'
import { unsafeReason } from '../memory/unsafe-text.ts'
import { createCheck } from './check-schema.ts'
import { mendArguments } from './mend-arguments.ts'
import { isRecord, withoutNullKeywords } from './null-is-absent.ts'
import { plainTool } from './plain-tool.ts'

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
const LARGEST_SCHEMA = 100_000
export const DEEPEST_SCHEMA = 40

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
  const problem = schemaProblem(asSent)
  if (problem !== undefined) return problem
  const shown = withoutHidden(description)
  const texts = `${name}\n${shown}\n${textsIn(asSent).join('\n')}`
  const unsafe = unsafeReason(texts) ?? (pushesItselfIn(texts) ? PUSHES : undefined)
  if (unsafe !== undefined) return `Its text looks like an attempt to give the model orders: ${unsafe}`
  const schema = withoutNullKeywords(asSent)
  const returns = usableOutput(outputSchema)
  const check = createCheck(withType(schema), 'The arguments')
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

const PUSHES = 'tells the model when to call it, whatever you asked for'

/** What a tool says it returns, if that can be read. A wrong one says nothing against the tool. */
const usableOutput = (given: unknown): Record<string, unknown> | undefined =>
  isRecord(given) && isReadable(given) ? given : undefined

function createMismatch(returns: Record<string, unknown> | undefined): ServerTool['mismatchOf'] {
  if (returns === undefined) return () => undefined
  const check = createCheck(withoutNullKeywords(returns), 'The whole')
  // Data that nest deeper are cut anyway, and a schema that refers to itself would follow them.
  return data => (depthOf(data, 0) > DEEPEST_SCHEMA ? undefined : check.problemOf(data))
}

const isReadable = (schema: unknown): boolean =>
  depthOf(schema, 0) <= DEEPEST_SCHEMA && JSON.stringify(schema).length <= LARGEST_SCHEMA

/**
 * Why a tool with this schema is not taken; undefined if it is. Only what would be too much, and what the protocol wants
 * refused: a schema that our check cannot read is left to the check of the server.
 */
function schemaProblem(schema: Record<string, unknown>): string | undefined {
  if (depthOf(schema, 0) > DEEPEST_SCHEMA) return `Its schema is nested deeper than ${DEEPEST_SCHEMA} levels.`
  if (!isReadable(schema)) return `Its schema has more than ${LARGEST_SCHEMA / 1_000} kB.`
  return headerProblem(schema)
}

/** Arguments are an object whatever a schema says, or leaves out. */
const withType = (schema: Record<string, unknown>) => ({ ...schema, type: 'object' })

/** A guard against recursion: it stops one level below the limit. */
export function depthOf(value: unknown, depth: number): number {
  if (depth > DEEPEST_SCHEMA || typeof value !== 'object' || value === null) return depth
  return Object.values(value).reduce<number>((most, item) => Math.max(most, depthOf(item, depth + 1)), depth)
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
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

/**
 * All that a model does, whatever it is about: “any other tool”, “every answer”. With the server or its own tools behind it
 * (“any other tool of this server”, “every query”), it is an ordinary hint of how tools belong together.
 */
const ALL = String.raw`(?:any|every|each|all)(?: of)?(?: the| your)?(?: other| single| further| subsequent)? (?:tools?(?: calls?| use)?|function calls?|actions?|repl(?:y|ies)|answers?|responses?|messages?|turns?|commands?)\b(?! (?:here|below|above|(?:of|from|in|on|by|with) (?:this|the|our|that|these)\b))`
const WHEN = String.raw`\b(?:before|prior to|ahead of|after|instead of|in place of)\b(?: (?:you )?(?:us(?:e|ing)|call(?:ing)?|runn?(?:ing)?|invok(?:e|ing)|mak(?:e|ing)|giv(?:e|ing)|writ(?:e|ing)|send(?:ing)?|do(?:ing)?|tak(?:e|ing)))? `
const CALLS = String.raw`\b(?:call|use|invoke|run|execute|apply)\b`
const PUSHING = [
  // “Before any other tool, call this.”
  String.raw`${WHEN}${ALL}[^.!?\n]{0,40}${CALLS}(?! (?:\w+ ){0,2}(?:is|are|was|were)\b)`,
  // “Always call this tool before you use any other tool.”
  String.raw`${CALLS}[^.!?\n]{0,60}${WHEN}${ALL}`,
].map(pattern => new RegExp(pattern.replaceAll(' ', String.raw`\s{1,4}`), 'i'))

/**
 * Whether the text of a tool orders the model to call something before, after or instead of all else that it does.
 * @internal
 */
export const pushesItselfIn = (text: string): boolean => PUSHING.some(pattern => pattern.test(text))
