/** A JSON Schema, or a part of one, from an untrusted source. */
export type Schema = Record<string, unknown>

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const LOWEST = new Set(['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum'])
const HIGHEST = new Set(['minLength', 'minItems', 'minimum', 'exclusiveMinimum'])
const BY_KEY = new Set(['properties', 'patternProperties'])
const INNER = new Set(['items', 'propertyNames'])
/** Annotations, which do not restrict values. */
const NOTES = new Set(
  '$schema $id $comment $anchor $defs definitions title description default examples deprecated'.split(' '),
)

/** Whether a schema restricts values. */
export const saysSomething = (schema: Schema): boolean => Object.keys(schema).some(key => !NOTES.has(key))

/** The types that a schema names; undefined if it names none. */
export function typesOf({ type }: Schema): string[] | undefined {
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter(each => typeof each === 'string') : undefined
}

/**
 * A schema for the values that satisfy both, or a wider one where that cannot be expressed. `type` is empty if no
 * value can satisfy both.
 */
export function mergeSchemas(one: Schema, other: Schema): Schema {
  const merged = new Map(Object.entries(one))
  for (const [key, value] of Object.entries(other)) {
    const present = merged.get(key)
    merged.set(key, present === undefined ? value : mergeKeyword(key, present, value, one, other))
  }
  return Object.fromEntries(merged)
}

function mergeKeyword(key: string, one: unknown, other: unknown, left: Schema, right: Schema): unknown {
  if (key === 'type') return sharedTypes(typesOf(left) ?? [], typesOf(right) ?? [])
  if (key === 'required') return [...new Set([...listOf(one), ...listOf(other)])]
  if (key === 'enum') return listOf(one).filter(value => listOf(other).some(each => isSame(each, value)))
  if (key === 'const') return one
  if (typeof one === 'number' && typeof other === 'number') {
    if (LOWEST.has(key)) return Math.min(one, other)
    if (HIGHEST.has(key)) return Math.max(one, other)
  }
  if (key === 'additionalProperties') {
    if (one === false || other === false) return false
    return isSchema(one) && isSchema(other) ? { allOf: [one, other] } : isSchema(one) ? one : other
  }
  if (INNER.has(key) && isSchema(one) && isSchema(other)) return { allOf: [one, other] }
  if (BY_KEY.has(key) && isSchema(one) && isSchema(other)) return mergeByKey(one, other)
  return one
}

/** The properties of both, in the order of the first. */
function mergeByKey(one: Schema, other: Schema): Schema {
  const merged = new Map(Object.entries(one))
  for (const [key, value] of Object.entries(other)) {
    const present = merged.get(key)
    merged.set(key, present === undefined || isSame(present, value) ? value : { allOf: [present, value] })
  }
  return Object.fromEntries(merged)
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 2_000) : [])

/** Whether two values are equal. Deeply nested values count as different. */
function isSame(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other || depth > 8) return false
  const [keys, others] = [Object.keys(one), Object.keys(other)]
  const at = (value: object, key: string) => (value as Record<string, unknown>)[key]
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every(key => Object.hasOwn(other, key) && isSame(at(one, key), at(other, key), depth + 1))
  )
}

const sharedTypes = (one: readonly string[], other: readonly string[]): string[] =>
  [
    ...one.filter(type => other.includes(type)),
    ...(one.includes('number') && other.includes('integer') ? ['integer'] : []),
    ...(one.includes('integer') && other.includes('number') ? ['integer'] : []),
  ].filter((type, at, all) => all.indexOf(type) === at)
