import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { hiddenSpans } from '../../shared/visible-text/hidden-characters.ts'
import { hashOf } from '../lib/shown-hash.ts'
import { unsafeReason } from '../memory/unsafe-text.ts'
import { safePattern } from './safe-pattern.ts'

/** A tool of a server that may be offered, with what a call of it must look like. */
export type ServerTool = {
  /** As the server names it. */
  name: string
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
  /** Why data that it answered are not what it says it returns; undefined if they are, or if it says nothing usable of that. */
  mismatchOf(data: unknown): string | undefined
}

type RefusedTool = { name: string; problem: string }
export type JudgedTools = { tools: ServerTool[]; refused: RefusedTool[] }

/** Limits for what one server lists. */
export const MOST_TOOLS = 500
const LONGEST_NAME = 128
const LONGEST_DESCRIPTION = 8_000
const LARGEST_SCHEMA = 100_000
export const DEEPEST_SCHEMA = 40
const NAME = /^[A-Za-z0-9_./-]+$/

/**
 * Judge each tool of a list alone, so that a bad one never takes the others with it. `listed` is what the server sent,
 * unchecked.
 */
export function judgeTools(listed: readonly unknown[]): JudgedTools {
  const tools: ServerTool[] = []
  const refused: RefusedTool[] = []
  for (const [at, given] of listed.slice(0, MOST_TOOLS).entries()) {
    const name = nameOf(given, at)
    const judged = tools.some(tool => tool.name === name)
      ? 'Another tool of this server has the same name.'
      : judgeTool(given)
    if (typeof judged === 'string') refused.push({ name, problem: judged })
    else tools.push(judged)
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
  if (typeof name !== 'string' || name === '') return `tool ${at + 1}`
  return withoutHidden(name).replaceAll(/\s+/g, ' ').slice(0, LONGEST_NAME)
}

function judgeTool(given: unknown): ServerTool | string {
  if (!isRecord(given)) return 'It is not an object.'
  const { name, description = '', inputSchema: schema, annotations = null, outputSchema } = given
  if (typeof name !== 'string' || name === '') return 'It has no name.'
  if (name.length > LONGEST_NAME) return `Its name has more than ${LONGEST_NAME} characters.`
  if (!NAME.test(name)) return 'Its name has characters other than letters, digits, dots, slashes, - and _.'
  if (typeof description !== 'string') return 'Its description is not a text.'
  if (description.length > LONGEST_DESCRIPTION)
    return `Its description has more than ${LONGEST_DESCRIPTION} characters.`
  if (!isRecord(schema)) return 'It has no schema for its arguments.'
  if (depthOf(annotations, 0) > DEEPEST_SCHEMA)
    return `Its annotations are nested deeper than ${DEEPEST_SCHEMA} levels.`
  const problem = schemaProblem(schema)
  if (problem !== undefined) return problem
  const shown = withoutHidden(description)
  const unsafe = unsafeReason(`${name}\n${shown}\n${textsIn(schema).join('\n')}`)
  if (unsafe !== undefined) return `Its text looks like an attempt to give the model orders: ${unsafe}`
  const returns = usableOutput(outputSchema)
  return {
    name,
    description: shown,
    schema,
    definition: JSON.stringify({
      name,
      description,
      inputSchema: schema,
      annotations,
      ...(returns && { outputSchema: returns }),
    }),
    hash: hashOf({ name, description, schema, annotations }),
    shapeHash: hashOf({ name, schema }),
    problemOf: createCheck(bare(schema), 'The arguments'),
    mismatchOf: createMismatch(returns),
  }
}

/** What a tool says it returns, if that can be checked. A wrong one says nothing against the tool. */
const usableOutput = (given: unknown): Record<string, unknown> | undefined =>
  isRecord(given) && schemaProblem({ ...given, type: 'object' }) === undefined ? given : undefined

function createMismatch(returns: Record<string, unknown> | undefined): ServerTool['mismatchOf'] {
  if (returns === undefined) return () => undefined
  const { $schema: _dialect, $id: _id, ...schema } = returns
  const check = createCheck(schema, 'The whole')
  // Data that nest deeper are cut anyway, and a schema that refers to itself would follow them.
  return data => (depthOf(data, 0) > DEEPEST_SCHEMA ? undefined : check(data))
}

/** Why a schema is not taken, before anything reads it; undefined if it is. */
function schemaProblem(schema: Record<string, unknown>): string | undefined {
  if (depthOf(schema, 0) > DEEPEST_SCHEMA) return `Its schema is nested deeper than ${DEEPEST_SCHEMA} levels.`
  if (JSON.stringify(schema).length > LARGEST_SCHEMA)
    return `Its schema has more than ${LARGEST_SCHEMA / 1_000} kB.`
  const type = schema['type']
  if (type !== undefined && type !== 'object') return 'Its schema describes something other than an object.'
  const header = headerProblem(schema)
  if (header !== undefined) return header
  const references = referencesIn(schema)
  if (references.some(reference => !reference.startsWith('#')))
    return 'Its schema refers to an address outside, and nothing is fetched.'
  if (references.some(reference => reference.startsWith('#/') && !leadsSomewhere(schema, reference)))
    return 'Its schema refers to a part that it does not have.'
  const meta = (shared ??= newValidator())
  const pattern = patternsIn(schema).find(each => safePattern(each) === undefined)
  if (pattern !== undefined)
    return `Its schema has a pattern that is no regular expression, or may take for ever: ${withoutHidden(pattern).slice(0, 100)}`
  if (meta.validateSchema(bare(schema)) === true) return undefined
  const [issue] = meta.errors ?? []
  return `Its schema is not valid: ${issue?.instancePath ?? ''} ${issue?.message ?? ''}`
    .slice(0, 300)
    .trimEnd()
}

/** Prepared once, at the first tool: that takes longer than checking a hundred schemas. */
let shared: Ajv2020 | undefined

function newValidator(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: false,
    logger: false,
    // Otherwise 0.07 is no multiple of 0.01, because doubles are not exact.
    multipleOfPrecision: 4,
    code: { regExp: patternFor },
  })
  formats(ajv)
  return ajv
}

const patternFor = Object.assign((source: string) => safePattern(source) ?? never(source), {
  // Only a check that is written to a file would use it.
  code: 'new RegExp',
})
function never(source: string): never {
  throw new Error(`the pattern ${source.slice(0, 100)} cannot be checked`)
}

/** Dialects differ in nothing that matters here, and ids of different tools would collide. */
const bare = ({ $schema: _dialect, $id: _id, ...schema }: Record<string, unknown>) => ({
  type: 'object',
  ...schema,
})

function leadsSomewhere(schema: unknown, reference: string): boolean {
  let at = schema
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return false
    at = (at as Record<string, unknown>)[key]
  }
  return true
}

/** A part of a reference; unchanged if it is not encoded in a valid way. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}

/** A guard against recursion: it stops one level below the limit. */
export function depthOf(value: unknown, depth: number): number {
  if (depth > DEEPEST_SCHEMA || typeof value !== 'object' || value === null) return depth
  return Object.values(value).reduce<number>((most, item) => Math.max(most, depthOf(item, depth + 1)), depth)
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) =>
    /^\$(?:dynamicR|recursiveR|r)ef$/.test(key) && typeof item === 'string' ? [item] : referencesIn(item),
  )
}

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    if (key === 'pattern' && typeof item === 'string') return [item]
    const keys = key === 'patternProperties' && isRecord(item) ? Object.keys(item) : []
    return [...keys, ...patternsIn(item)]
  })
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

/** Compiled at the first call: most tools of a server are never called. `whole` is what a value without a path is called. */
function createCheck(schema: Record<string, unknown>, whole: string): ServerTool['problemOf'] {
  let check: ValidateFunction | string | undefined
  return value => {
    check ??= compileSchema(schema)
    return typeof check === 'string' ? check : problemOf(check, value, whole)
  }
}

function compileSchema(schema: Record<string, unknown>): ValidateFunction | string {
  try {
    return newValidator().compile(schema)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `The schema of the tool cannot be used: ${withoutHidden(reason).slice(0, 200)}`
  }
}

function problemOf(check: ValidateFunction, value: unknown, whole: string): string | undefined {
  if (check(value)) return undefined
  const [issue] = check.errors ?? []
  if (!issue) return `${whole} do not fit the schema.`
  const where = issue.instancePath === '' ? whole : `\`${issue.instancePath.slice(1).replaceAll('/', '.')}\``
  const detail = isRecord(issue.params) ? detailOf(issue.params) : ''
  return `${where} ${issue.message ?? 'do not fit the schema'}${detail}.`
}

function detailOf(params: Record<string, unknown>): string {
  const named = params['allowedValues'] ?? params['additionalProperty']
  return named === undefined ? '' : ` (${JSON.stringify(named).slice(0, 300)})`
}

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

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
