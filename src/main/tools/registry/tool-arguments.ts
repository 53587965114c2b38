import type { z } from 'zod'
import { numberIn, parseJson } from '../../lib/expected-errors.ts'
import { similarity } from '../../lib/words/similarity.ts'
import { byCount } from '../../../shared/text/amounts.ts'

/** The part of a JSON Schema that is needed to correct arguments. */
export type Parameters = {
  properties?: Record<string, Record<string, unknown>>
  required?: string[]
} & Record<string, unknown>

/** Other names that models use for an argument. They are accepted but never advertised. */
const ALIASES: Record<string, readonly string[]> = {
  path: ['file_path', 'file', 'filename', 'file_name', 'filepath', 'folder', 'directory', 'dir'],
  file_path: ['path', 'file', 'filename', 'file_name'],
  content: ['new_text', 'new_content', 'text', 'value', 'body', 'entry', 'contents', 'data'],
  old_text: ['old_string', 'old_content', 'old_str', 'old', 'match', 'find'],
  old_string: ['old_text', 'old_str', 'old', 'search', 'find'],
  new_string: ['new_text', 'new_str', 'new', 'replacement', 'replace', 'replace_with'],
  replace_all: ['all', 'global'],
  command: ['cmd', 'script', 'shell_command'],
  cwd: ['workdir', 'working_directory', 'working_dir', 'directory', 'dir', 'folder'],
  timeout_s: ['timeout', 'timeout_seconds', 'timeout_sec'],
  action: ['operation', 'op'],
  operations: ['changes', 'batch', 'ops'],
  target: ['store', 'scope', 'file'],
  name: ['skill', 'skill_name'],
  query: ['q', 'search', 'search_query', 'keywords', 'question'],
  pattern: ['query', 'regex', 'search', 'q'],
  glob: ['include', 'file_pattern', 'file_glob'],
  session_id: ['chat_id', 'conversation_id', 'session', 'chat'],
  around_message_id: ['message_id', 'around'],
  since: ['from', 'after', 'start_date', 'from_date'],
  until: ['to', 'before', 'end_date', 'to_date'],
  role: ['role_filter', 'roles'],
  limit: ['max_results', 'count', 'top_k', 'max_lines', 'lines'],
  offset: ['start_line', 'line', 'start'],
  depth: ['max_depth', 'levels'],
}

/**
 * Correct common, unambiguous mistakes of models, at every depth: numbers, booleans and lists given as text,
 * `oldString` for `old_string`, other names of an argument, and null for optional fields.
 */
export function coerceArguments(args: Record<string, unknown>, schema: Parameters): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  const bySpelling = spellingsOf(args, properties)
  const coerced: [string, unknown][] = []
  for (const [given, value] of Object.entries(args)) {
    const meant = bySpelling.get(spellingOf(given)) ?? given
    const name = Object.hasOwn(args, meant) ? given : meant
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const mayBeLeftOut = !required.includes(name)
    if (mayBeLeftOut && isNothing(value, property?.['type'])) continue
    coerced.push([name, property ? coerceValue(value, property) : value])
  }
  return Object.fromEntries(coerced)
}

/**
 * The argument that each spelling means. An alias counts only if the argument itself is missing; an alias of
 * two arguments goes to the later one.
 */
function spellingsOf(
  args: Record<string, unknown>,
  properties: NonNullable<Parameters['properties']>,
): Map<string, string> {
  const own = new Map(Object.keys(properties).map(name => [spellingOf(name), name]))
  const given = new Set(Object.keys(args).map(spellingOf))
  const meant = new Map(own)
  for (const name of Object.keys(properties).toReversed()) {
    if (given.has(spellingOf(name))) continue
    const alias = ALIASES[name]?.map(spellingOf).find(each => given.has(each) && !meant.has(each))
    if (alias !== undefined) meant.set(alias, name)
  }
  return meant
}

/** A name without case and separators. */
export const spellingOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const isNothing = (value: unknown, type: unknown) =>
  value === null || (value === '' && type !== undefined && type !== 'string')

function coerceValue(value: unknown, schema: Record<string, unknown>): unknown {
  const { type } = schema
  if (type === 'string' && typeof value === 'number') return String(value)
  if (type === 'array' || type === 'object') return coerceWithin(parsed(value, type), schema)
  if (type === 'string' || typeof value !== 'string') return value
  if (type === 'number' || type === 'integer') return numberIn(value) ?? value
  const text = value.trim()
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return value
}

/** Parse a list or an object that was written as text; return anything else unchanged. */
function parsed(value: unknown, type: 'array' | 'object'): unknown {
  const read = typeof value === 'string' ? parseJson(value) : undefined
  return typeof read === 'object' && read !== null && Array.isArray(read) === (type === 'array')
    ? read
    : value
}

/** Correct the items of a list and the fields of an object. */
function coerceWithin(value: unknown, schema: Record<string, unknown>): unknown {
  const items = schema['items']
  if (Array.isArray(value))
    return isSchema(items) ? value.map((item: unknown) => coerceValue(item, items)) : value
  if (typeof value !== 'object' || value === null || !isSchema(schema['properties'])) return value
  return coerceArguments(value as Record<string, unknown>, schema)
}

const isSchema = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MOST_NAMED = 5

/** The start of the note that names the arguments left out. */
export const LEFT_OUT_NOTE = 'Not taken by this tool, and left out: '

/** The note that names unknown arguments, also inside lists and objects; undefined if there are none. */
export function unknownArguments(args: Record<string, unknown>, schema: Parameters): string | undefined {
  const names = [...new Set(unknownIn(args, schema))].map(name => `"${name.slice(0, 40)}"`)
  if (names.length === 0) return undefined
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `${LEFT_OUT_NOTE}${names.slice(0, MOST_NAMED).join(', ')}${more}.`
}

function unknownIn(value: unknown, schema: Record<string, unknown>): string[] {
  const { items, properties } = schema
  if (Array.isArray(value)) return isSchema(items) ? value.flatMap(item => unknownIn(item, items)) : []
  if (!isSchema(value) || !isSchema(properties)) return []
  return Object.entries(value).flatMap(([name, each]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    return isSchema(property) ? unknownIn(each, property) : [name]
  })
}

type Issue = z.core.$ZodIssue

const MOST_SHOWN = 3
const WORDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Explain in one line what is wrong with arguments: the field, the expected type and the given value. */
export function explainIssues(
  issues: readonly Issue[],
  args: Record<string, unknown>,
  schema: Parameters,
): string {
  // A field can break several rules; the first one is enough.
  const faults = [
    ...new Map(issues.toReversed().map(issue => [issue.path.join('.'), issue])).values(),
  ].toReversed()
  const shown = faults.slice(0, MOST_SHOWN).map(issue => explain(issue, args, schema))
  const more = faults.length > MOST_SHOWN ? `; and ${faults.length - MOST_SHOWN} more` : ''
  return `Wrong arguments: ${shown.join('; ')}${more}.`.replace(/\?\.$/, '?')
}

function explain(issue: Issue, args: Record<string, unknown>, schema: Parameters): string {
  const field = issue.path.map(String).join('.')
  const given = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    args,
  )
  if (given === undefined && issue.path.length === 1) return missing(field, args, schema)
  return `"${field}" must be ${expected(issue, schema)}, not ${inShort(given)}`
}

function missing(field: string, args: Record<string, unknown>, { properties = {} }: Parameters): string {
  const type = properties[field]?.['type']
  const unknown = Object.keys(args)
    .filter(name => !Object.hasOwn(properties, name))
    .map(name => name.slice(0, 40))
  const meant = unknown.find(name => isLike(name, field))
  const others = unknown.slice(0, 5).map(name => `"${name}"`)
  const hint =
    meant === undefined ? `this tool takes no ${others.join(', ')}` : `did you mean it by "${meant}"?`
  const word = (typeof type === 'string' && WORDS[type]) || 'a value'
  return `"${field}" (${word}) is missing${unknown.length > 0 ? `; ${hint}` : ''}`
}

function isLike(name: string, field: string): boolean {
  const [a, b] = [spellingOf(name), spellingOf(field)]
  return a.includes(b) || (a.length > 2 && b.includes(a)) || similarity(a, b) >= 0.5
}

function expected(issue: Issue, { properties = {} }: Parameters): string {
  switch (issue.code) {
    case 'invalid_type':
      // Zod checks integers as numbers first; the schema knows the real type.
      return WORDS[wholeOf(issue, properties) ?? issue.expected] ?? issue.expected
    case 'invalid_value':
      return `one of ${issue.values.map(value => JSON.stringify(value)).join(', ')}`
    case 'too_small':
      return `at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`
    case 'too_big':
      return `at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`
    default:
      return `valid (${issue.message})`
  }
}

function wholeOf({ path }: Issue, properties: NonNullable<Parameters['properties']>): string | undefined {
  const type = path.length === 1 ? properties[String(path[0])]?.['type'] : undefined
  return type === 'integer' ? type : undefined
}

function unitOf(origin: string, size: number | bigint): string {
  if (origin === 'string') return byCount(size, ' character', ' characters')
  if (origin === 'array') return ' long'
  return ''
}

function inShort(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57).toWellFormed()}…` : text
}
