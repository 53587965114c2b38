import type { Refusal } from '../lib/expected-errors.ts'
import { isRecord } from '../lib/json-fields.ts'
import { createCheck, type SchemaCheck } from './check-schema.ts'

const LARGEST_SCHEMA = 100_000
export const DEEPEST_SCHEMA = 40

/** A schema that may be used, without keywords that are null, and its check. */
export type JudgedSchema = { schema: Record<string, unknown>; check: SchemaCheck }

/**
 * Judge the schema of an object that a stranger or a model wrote. Only excessive schemas are refused. A
 * schema that our check cannot read is accepted; `check.whyUnchecked` says why. `whole` names a value without
 * a path.
 */
export function judgeSchema(given: Record<string, unknown>, whole: string): JudgedSchema | Refusal {
  if (depthOf(given, 0) > DEEPEST_SCHEMA)
    return { refused: `Its schema is nested deeper than ${DEEPEST_SCHEMA} levels.` }
  if (!isReadable(given)) return { refused: `Its schema has more than ${LARGEST_SCHEMA / 1_000} kB.` }
  const schema = withoutNullKeywords(given)
  // Arguments are always an object, whatever the schema says or leaves out.
  return { schema, check: createCheck({ ...schema, type: 'object' }, whole) }
}

/** Whether a schema is small enough to be read. */
export const isReadable = (schema: unknown): boolean =>
  depthOf(schema, 0) <= DEEPEST_SCHEMA && JSON.stringify(schema).length <= LARGEST_SCHEMA

/** The depth of a value. It guards against recursion and stops one level below the limit. */
export function depthOf(value: unknown, depth: number): number {
  if (depth > DEEPEST_SCHEMA || typeof value !== 'object' || value === null) return depth
  return Object.values(value).reduce<number>((most, item) => Math.max(most, depthOf(item, depth + 1)), depth)
}

/** All texts in a schema that is not nested too deeply: what a model would read besides keywords. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** Keywords of JSON Schema whose value is data, in which null is a value. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples'])
/** Keywords whose value maps names to schemas. A name without a schema is still a name. */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])

/** Remove keywords that are null. The schema must not be nested deeper than the stack allows. */
export function withoutNullKeywords(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (DATA.has(key)) return [[key, value]]
      if (value === null) return []
      if (BY_NAME.has(key) && isRecord(value))
        return [
          [key, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each ?? {})]))],
        ]
      return [[key, inner(value)]]
    }),
  )
}

const inner = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(inner) : isRecord(value) ? withoutNullKeywords(value) : value
