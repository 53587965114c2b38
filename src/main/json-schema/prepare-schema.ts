import { isRecord } from '../lib/json-fields.ts'
import { patternCost, safePattern } from './safe-pattern.ts'

/** The supported dialects; `7` includes draft 6. */
export type Dialect = '4' | '7' | '2019-09' | '2020-12'

/** Our keyword that counts the steps of a check: the cost of a value itself, and of each of its parts. */
export const STEPS = 'talaria-steps'

/** A schema in the form that our check accepts, or why that is not possible. */
type Prepared = { schema: Record<string, unknown> } | { unchecked: string }

const ONE = new Set(
  'additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
)
const SEVERAL = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'])
const BY_NAME = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])
const MOST_SCHEMAS = 4_000
/** Maximum cost of all patterns together, for one character. */
const MOST_PATTERN_COST = 20_000

/**
 * Copy a schema so that it can be checked in a bounded number of steps. Unsafe patterns are left out,
 * together with keywords that would turn their absence into a refusal. The server checks what is left out.
 */
export function prepareSchema(given: Record<string, unknown>, dialect: Dialect): Prepared {
  const places = new Set<string>()
  const references: string[] = []
  const isOld = dialect === '4' || dialect === '7'
  let patterns = 0
  let problem: string | undefined
  const isUnsafe = createUnsafe()
  const isLoosened = hasUnsafe(given, isUnsafe)

  const { $schema: _dialect, $id: _id, id, ...rest } = given
  const schema = walk(typeof id === 'string' || id === undefined ? rest : { ...rest, id }, [])
  if (problem !== undefined) return { unchecked: problem }
  const lost = references.find(each => !places.has(each))
  if (lost !== undefined) return { unchecked: 'It refers to a part that it does not have.' }
  return isRecord(schema) ? { schema } : { unchecked: 'It is not an object.' }

  function walk(node: unknown, path: readonly string[]): unknown {
    places.add(JSON.stringify(path))
    if (places.size > MOST_SCHEMAS) problem ??= `It has more than ${MOST_SCHEMAS} parts.`
    if (!isRecord(node) || problem !== undefined) return node
    if ('$dynamicRef' in node || '$recursiveRef' in node || (path.length > 0 && '$id' in node))
      problem = 'It refers to parts in a way that is not followed.'
    const reference = node['$ref']
    if (typeof reference === 'string') follow(reference)
    // Up to draft 7, everything beside a reference is ignored.
    if (isOld && typeof reference === 'string')
      return { $ref: reference, [STEPS]: [1, 0], ...definitionsOf(node, path) }
    const copy: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(node)) copy[key] = part(key, value, [...path, key])
    if (typeof copy['$anchor'] === 'string') places.add(JSON.stringify(`#${copy['$anchor']}`))
    if (!Array.isArray(copy['required'])) delete copy['required']
    if (dialect === '4') replaceBounds(copy)
    const cost = leaveOutPatterns(copy)
    if (isLoosened) loosen(copy, node)
    patterns += cost
    if (patterns > MOST_PATTERN_COST) problem ??= 'Its patterns take too long.'
    copy[STEPS] = [weightOf(node), cost]
    return copy
  }

  function part(key: string, value: unknown, path: readonly string[]): unknown {
    if (SEVERAL.has(key) && Array.isArray(value))
      return value.map((item, at) => walk(item, [...path, String(at)]))
    if (BY_NAME.has(key) && isRecord(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [
          name,
          Array.isArray(item) ? item : walk(item, [...path, name]),
        ]),
      )
    return ONE.has(key) ? walk(value, path) : value
  }

  function definitionsOf(node: Record<string, unknown>, path: readonly string[]): Record<string, unknown> {
    return Object.fromEntries(
      ['$defs', 'definitions'].flatMap(key =>
        key in node ? [[key, part(key, node[key], [...path, key])]] : [],
      ),
    )
  }

  function follow(reference: string): void {
    if (!reference.startsWith('#')) problem = 'It refers to an address outside, and nothing is fetched.'
    else if (reference === '#' || reference === '#/') references.push('[]')
    else references.push(JSON.stringify(reference.startsWith('#/') ? stepsOf(reference) : reference))
  }

  function leaveOutPatterns(copy: Record<string, unknown>): number {
    const { pattern, patternProperties } = copy
    let cost = 0
    if (typeof pattern === 'string') {
      if (isUnsafe(pattern)) delete copy['pattern']
      else cost += patternCost(pattern)
    }
    if (!isRecord(patternProperties)) return cost
    const names = Object.keys(patternProperties)
    const kept = names.filter(name => !isUnsafe(name))
    copy['patternProperties'] = Object.fromEntries(kept.map(name => [name, patternProperties[name]]))
    // Without the removed pattern, the values it allowed would count as additional properties.
    if (kept.length < names.length) delete copy['additionalProperties']
    return kept.reduce((sum, name) => sum + patternCost(name), cost)
  }

  /** Remove keywords that would reject more if a part below them accepts more, such as “not”. */
  function loosen(copy: Record<string, unknown>, node: Record<string, unknown>): void {
    const isLoose = (value: unknown) => hasUnsafe(value, isUnsafe) || hasReference(value)
    if (isLoose(node['not'])) delete copy['not']
    if (isLoose(node['if'])) for (const key of ['if', 'then', 'else']) delete copy[key]
    if (isLoose(node['contains'])) delete copy['maxContains']
    for (const key of ['unevaluatedProperties', 'unevaluatedItems']) delete copy[key]
    if (!isLoose(node['oneOf'])) return
    copy['allOf'] = [...(Array.isArray(copy['allOf']) ? copy['allOf'] : []), { anyOf: copy['oneOf'] }]
    delete copy['oneOf']
  }
}

/** In draft 4, a boolean says whether a bound itself is excluded. */
function replaceBounds(copy: Record<string, unknown>): void {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof copy[exclusive] !== 'boolean') continue
    if (copy[exclusive] && copy[bound] !== undefined) {
      copy[exclusive] = copy[bound]
      delete copy[bound]
    } else delete copy[exclusive]
  }
}

/** How many parts of a schema are read for each value. */
const weightOf = (node: Record<string, unknown>): number =>
  Object.values(node).reduce<number>(
    (sum, value) => sum + (typeof value === 'object' && value !== null ? Object.keys(value).length : 1),
    1,
  )

function createUnsafe(): (pattern: string) => boolean {
  const known = new Map<string, boolean>()
  return pattern => {
    const before = known.get(pattern)
    if (before !== undefined) return before
    const isUnsafe = patternCost(pattern) > MOST_PATTERN_COST || safePattern(pattern) === undefined
    known.set(pattern, isUnsafe)
    return isUnsafe
  }
}

function hasUnsafe(value: unknown, isUnsafe: (pattern: string) => boolean): boolean {
  if (Array.isArray(value)) return value.some(item => hasUnsafe(item, isUnsafe))
  if (!isRecord(value)) return false
  const { pattern, patternProperties } = value
  if (typeof pattern === 'string' && isUnsafe(pattern)) return true
  if (isRecord(patternProperties) && Object.keys(patternProperties).some(isUnsafe)) return true
  return Object.values(value).some(item => hasUnsafe(item, isUnsafe))
}

const hasReference = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasReference)
    : isRecord(value) && ('$ref' in value || Object.values(value).some(hasReference))

/** The path segments of a reference such as `#/$defs/a~1b`. */
export const stepsOf = (reference: string): string[] =>
  reference
    .slice(2)
    .split('/')
    .map(step => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'))

/** Decode a part of a reference; unchanged if its encoding is not valid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
