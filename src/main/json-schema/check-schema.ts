import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { letOthersRun } from '../lib/timing.ts'
import { isRecord } from '../lib/json-fields.ts'
import { prepareSchema, STEPS, type Dialect } from './prepare-schema.ts'
import { safePattern } from './safe-pattern.ts'

/** A check with a schema that a stranger wrote. */
export type SchemaCheck = {
  /** Why a value does not fit; undefined if it fits, or if that cannot be decided in time. */
  problemOf(value: unknown): string | undefined
  /** Whether a value certainly fits. */
  fits(value: unknown): boolean
  /** Why this schema cannot be used for checks, so that they are left to the server; undefined if it can. */
  whyUnchecked(): string | undefined
}

/** Maximum number of steps for one check. An undecided check is left to the server. */
const MOST_STEPS = 2_000_000

/** Create a check, compiled on first use: most tools are never called. `whole` names a pathless value. */
export function createCheck(schema: Record<string, unknown>, whole: string): SchemaCheck {
  let made: ValidateFunction | { unchecked: string } | undefined
  const check = () => (made ??= compileSchema(schema))
  return {
    whyUnchecked() {
      const found = check()
      return typeof found === 'function' ? undefined : found.unchecked
    },
    problemOf(value) {
      const found = check()
      return typeof found === 'function' && isValid(found, value) === false
        ? explain(found, whole)
        : undefined
    },
    fits(value) {
      const found = check()
      return typeof found === 'function' && isValid(found, value) === true
    },
  }
}

class TooManySteps extends Error {}
let steps = 0

/** Run a check; undefined if it was not decided. */
function isValid(check: ValidateFunction, value: unknown): boolean | undefined {
  steps = 0
  try {
    return check(value)
  } catch (error) {
    // References in a ring overflow the stack, and a pattern may be too much for its engine.
    if (error instanceof TooManySteps || error instanceof RangeError) return undefined
    throw error
  }
}

function explain(check: ValidateFunction, whole: string): string {
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

/** The dialects in which a schema may be written, the named one first. It may be missing or wrong. */
function dialectsOf({ $schema: named }: Record<string, unknown>): Dialect[] {
  const text = typeof named === 'string' ? named : ''
  const first: Dialect = /draft-0?[34]\b/.test(text)
    ? '4'
    : /draft-0?[67]\b/.test(text)
      ? '7'
      : text.includes('2019-09')
        ? '2019-09'
        : '2020-12'
  return [...new Set<Dialect>([first, '2020-12', '7', '4'])]
}

function compileSchema(schema: Record<string, unknown>): ValidateFunction | { unchecked: string } {
  let first: string | undefined
  for (const dialect of dialectsOf(schema)) {
    const prepared = prepareSchema(schema, dialect)
    const made = 'unchecked' in prepared ? prepared.unchecked : compileIn(dialect, prepared.schema)
    if (typeof made === 'function') return made
    first ??= made
  }
  return { unchecked: first ?? 'Its dialect is not known.' }
}

/** Compile a check, or return why the schema is not valid in this dialect. */
function compileIn(dialect: Dialect, schema: Record<string, unknown>): ValidateFunction | string {
  try {
    const meta = metaOf(dialect)
    if (meta.validateSchema(schema) !== true) {
      const [issue] = meta.errors ?? []
      return `It is not valid: ${issue?.instancePath ?? ''} ${issue?.message ?? ''}`.trimEnd()
    }
    return newValidator(dialect, { meta: false, validateSchema: false }).compile(schema)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const metas = new Map<Dialect, Ajv>()

/** Cached for each dialect: preparing it takes longer than checking a hundred schemas. */
function metaOf(dialect: Dialect): Ajv {
  const known = metas.get(dialect) ?? newValidator(dialect, {})
  metas.set(dialect, known)
  return known
}

/** The parts of the meta-schema, compiled one by one, small ones first: the first takes longest. */
const META_PARTS: Partial<Record<Dialect, readonly string[]>> = {
  '2019-09': ['content', 'format', 'meta-data', 'validation', 'applicator', 'core'],
  '2020-12': ['content', 'format-annotation', 'unevaluated', 'meta-data', 'validation', 'applicator', 'core'],
}

const prepared = new Map<Dialect, Promise<void>>()

/**
 * Prepare to check these schemas, part by part, so that the host can answer other requests in between.
 * Otherwise the first check blocks for 90 ms.
 */
export async function prepareChecks(schemas: readonly Record<string, unknown>[]): Promise<void> {
  for (const dialect of new Set(schemas.map(schema => dialectsOf(schema)[0]!))) {
    const ready = prepared.get(dialect) ?? prepareMeta(dialect)
    prepared.set(dialect, ready)
    await ready
  }
}

async function prepareMeta(dialect: Dialect): Promise<void> {
  await letOthersRun()
  const meta = metaOf(dialect)
  for (const part of META_PARTS[dialect] ?? []) {
    await letOthersRun()
    meta.getSchema(`https://json-schema.org/draft/${dialect}/meta/${part}`)
  }
  await letOthersRun()
  void meta.validateSchema({})
}

function newValidator(dialect: Dialect, more: Options): Ajv {
  const options: Options = {
    strict: false,
    allErrors: false,
    logger: false,
    // Inlined copies of a part would each be compiled again.
    inlineRefs: false,
    // Otherwise 0.07 is not a multiple of 0.01, because doubles are inexact.
    multipleOfPrecision: 4,
    code: { regExp: patternFor },
    ...more,
  }
  const ajv =
    dialect === '2020-12'
      ? new Ajv2020(options)
      : dialect === '2019-09'
        ? new Ajv2019(options)
        : new Ajv(options)
  formats(ajv)
  ajv.addKeyword({ keyword: STEPS, before: '$ref', errors: false, validate: countSteps })
  // Ajv compares every pair of items.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must NOT have duplicate items' },
    validate: (isWanted: boolean, items: readonly unknown[]) => !isWanted || areDifferent(items),
  })
  return ajv
}

function countSteps([weight, each]: readonly [number, number], value: unknown): boolean {
  steps += weight + sizeOf(value) * (1 + each)
  if (steps > MOST_STEPS) throw new TooManySteps()
  return true
}

const sizeOf = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : Array.isArray(value)
      ? value.length
      : isRecord(value)
        ? Object.keys(value).length
        : 0

function areDifferent(items: readonly unknown[]): boolean {
  const seen = new Set<string>()
  for (const item of items) {
    const text = canonical(item)
    steps += text.length
    if (steps > MOST_STEPS) throw new TooManySteps()
    seen.add(text)
  }
  return seen.size === items.length
}

/** A text that is the same for equal values. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isRecord(value)) return JSON.stringify(value) ?? ''
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
  return `{${fields.toSorted().join(',')}}`
}

const patternFor = Object.assign((source: string) => safePattern(source) ?? never(source), {
  // Needed only for a check that is written to a file.
  code: 'new RegExp',
})
function never(source: string): never {
  throw new Error(`the pattern ${source.slice(0, 100)} cannot be checked`)
}
