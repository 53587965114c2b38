import { isNode, LineCounter, parseDocument, isMap, isScalar, visit, type Document, type Scalar } from 'yaml'
import { z } from 'zod'
import { many } from '../../shared/text/amounts.ts'
import { numberIn } from '../lib/expected-errors.ts'
import { redactText } from '../untrusted/redact.ts'
import { nearestNames } from '../lib/words/similarity.ts'
import { auxiliaryOf } from './sections/model-settings.ts'
import { Config, CONFIG_VERSION } from './schema.ts'

// With more mistakes than this, the file is not a configuration. Also the limit for unknown settings.
const MAX_FLAWS = 20
/** Maximum length of the file, in characters. Parsing a longer one would block the window for seconds. */
const MOST_CHARACTERS = 250_000

/** A mistake in the file: its place, its description, and what Talaria does about it. */
export type Flaw = { id: string; where: string; text: string; effect: string; isOld?: true }

/** A parsed configuration file. It must not be written while it has flaws. */
export type Parsed = {
  config: Config
  document: Document
  flaws: Flaw[]
  /** Settings that this version does not know; they stay in the file. */
  unknown: Flaw[]
  /** Return the line that sets a setting; undefined if none does, or not to an allowed value. */
  lineOf(path: readonly string[]): number | undefined
}

/** Parse a configuration. Invalid values get their defaults; the rest is used. */
export function parseConfig(text: string, newest = CONFIG_VERSION): Parsed {
  const lines = new LineCounter()
  const isTooLong = text.length > MOST_CHARACTERS
  const document = readDocument(isTooLong ? '' : text, lines)
  const broken = (where: string, why: string): Parsed => ({
    config: Config.parse({}),
    document,
    flaws: [{ id: 'config-syntax', where, text: why, effect: 'All settings have their defaults.' }],
    unknown: [],
    lineOf: () => undefined,
  })
  if (isTooLong) return broken('', `it is longer than ${MOST_CHARACTERS.toLocaleString('en')} characters`)
  const [error] = document.errors
  if (error) {
    const { line, col } = lines.linePos(error.pos[0])
    return broken(`line ${line}, column ${col}`, inWords(error.message))
  }
  let raw: unknown
  try {
    const repeated = repeatedKey(document)
    if (repeated) {
      const { line, col } = lines.linePos(repeated.range?.[0] ?? 0)
      return broken(`line ${line}, column ${col}`, `“${String(repeated.value)}” is there twice`)
    }
    raw = withoutNulls(document.toJS() ?? {})
  } catch (cause) {
    // Only this step finds aliases that are unresolved or expand without limit.
    return broken('', inWords((cause as Error).message))
  }

  const where = (path: readonly PropertyKey[]): string => {
    const node = path.length > 0 ? document.getIn(path, true) : document.contents
    if (isNode(node) && node.range) return `line ${lines.linePos(node.range[0]).line}`
    return path.length > 0 ? where(path.slice(0, -1)) : ''
  }
  const flaw = (path: readonly PropertyKey[], what: string, effect: string): Flaw => {
    const name = path.join('.')
    const found = { id: `config-${name}`, where: where(path) }
    const old = OLD_FORMS.find(form => form.path.test(name) && form.isOld(path.reduce<unknown>(valueAt, raw)))
    if (old) return { ...found, text: old.text, effect: `${effect} ${RENAME}`, isOld: true }
    return { ...found, text: what, effect }
  }
  const { config, issues } = salvage(raw)
  const flaws = issues.map(issue => flaw(issue.path, describe(raw, issue), 'It is left out.'))
  if (config.config_version > newest) {
    const text = 'the file was written by a newer Talaria'
    flaws.push(flaw(['config_version'], text, 'What this version knows of it is used. Update Talaria.'))
  }
  const strange = unknownKeys(Config, raw)
  const unknown = strange
    .slice(0, MAX_FLAWS)
    .map(path =>
      flaw(path, `there is no setting ${path.join('.')}${nearest(path)}`, 'It is kept but does nothing.'),
    )
  if (strange.length > MAX_FLAWS) {
    const left = many(strange.length - MAX_FLAWS, 'more setting is', 'more settings are')
    unknown.push({ id: 'config-unknown', where: '', text: `${left} unknown`, effect: 'They do nothing.' })
  }
  const isLost = issues.length > MAX_FLAWS || issues.some(issue => issue.path.length === 0)
  const wrong = new Set(issues.map(issue => issue.path.join('.')))
  const lineOf = (path: readonly string[]) => {
    const isUsed = !isLost && path.every((_, at) => !wrong.has(path.slice(0, at + 1).join('.')))
    const line = isUsed && path.reduce<unknown>(valueAt, raw) !== undefined ? where(path) : ''
    return line === '' ? undefined : Number(line.slice('line '.length))
  }
  return { config, document, flaws, unknown, lineOf }
}

/**
 * Parse the YAML without stack traces and duplicate checks. Each mistake is an Error, and a file may have
 * thousands: traces would take most of the time. The duplicate check compares each key with all others.
 */
function readDocument(text: string, lineCounter: LineCounter): Document {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false })
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Return the first key that occurs twice in its group. */
function repeatedKey(document: Document): Scalar | undefined {
  let repeated: Scalar | undefined
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      repeated = items
        .map(({ key }) => key)
        .filter(isScalar)
        .find(({ value }) => seen.size === seen.add(value).size)
      return repeated && visit.BREAK
    },
  })
  return repeated
}

const LEAST_ALIKE = 0.6
/** Return a setting or group with a similar name, as a hint to the user. */
function nearest(path: readonly (string | number)[]): string {
  const schema = path
    .slice(0, -1)
    .reduce<z.ZodType | undefined>((inner, key) => shapeOf(inner)?.[key], Config)
  const [like] = nearestNames(String(path.at(-1)), Object.keys(shapeOf(schema) ?? {}), LEAST_ALIKE)
  return like === undefined ? '' : ` (did you mean ${[...path.slice(0, -1), like].join('.')}?)`
}

const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> | undefined => {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema
  return inner instanceof z.ZodObject ? inner.shape : undefined
}

/** Rephrase messages of the YAML library that only programmers understand. */
function inWords(message: string): string {
  if (message.includes('call stack')) return 'it is nested too deeply or refers to itself'
  if (message.includes('multiple documents')) return 'it holds more than one document (a line of ---)'
  return message
}

/**
 * Drop invalid values one at a time until the rest is valid. An invalid list entry is dropped whole. A number
 * in quotation marks is read as a number.
 */
function salvage(raw: unknown): { config: Config; issues: z.core.$ZodIssue[] } {
  const kept: unknown = structuredClone(raw)
  const issues: z.core.$ZodIssue[] = []
  for (;;) {
    const checked = Config.safeParse(kept)
    if (checked.success) return { config: checked.data, issues }
    // From the end, so that the indexes of earlier entries stay valid.
    const issue = checked.error.issues.at(-1)!
    if (unquoteNumber(kept, issue.path)) continue
    issues.unshift(issue)
    if (issue.path.length === 0 || issues.length > MAX_FLAWS) return { config: Config.parse({}), issues }
    drop(kept, issue.path)
  }
}

/** Replace a text by the number it contains; false if it is not a number. */
function unquoteNumber(from: unknown, path: readonly PropertyKey[]): boolean {
  const key = path.at(-1)
  const holder = path.slice(0, -1).reduce<unknown>(valueAt, from) as Record<PropertyKey, unknown> | undefined
  const value = key === undefined ? undefined : valueAt(holder, key)
  const number = typeof value === 'string' ? numberIn(value) : undefined
  if (number !== undefined) holder![key!] = number
  return number !== undefined
}

const valueAt = (holder: unknown, key: PropertyKey): unknown =>
  (holder as Record<PropertyKey, unknown> | undefined)?.[key]

function drop(from: unknown, path: readonly PropertyKey[]): void {
  const [key, ...rest] = path as [string | number, ...PropertyKey[]]
  if (Array.isArray(from)) from.splice(Number(key), 1)
  else if (rest.length === 0) delete (from as Record<string, unknown>)[key]
  else drop((from as Record<string, unknown>)[key], rest)
}

function describe(raw: unknown, { path, message }: z.core.$ZodIssue): string {
  const name = path.length > 0 ? path.join('.') : 'the file'
  const value = path.reduce<unknown>(valueAt, raw)
  if (value === undefined) return `${name} is missing; it must be ${message}`
  const shown = redactText(JSON.stringify(value))
  return `${name} is ${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}, but must be ${message}`
}

/** In YAML a name without a value is null; here that means “the default”. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== null)
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutNulls(each)]))
}

function unknownKeys(schema: z.ZodType, raw: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return unknownKeys(schema.unwrap() as z.ZodType, raw, path)
  }
  if (schema instanceof z.ZodArray && Array.isArray(raw)) {
    return raw.flatMap((each, at) => unknownKeys(schema.element as z.ZodType, each, [...path, at]))
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return []
  if (schema instanceof z.ZodRecord)
    return Object.entries(raw).flatMap(([key, each]) =>
      unknownKeys(schema.valueType as z.ZodType, each, [...path, key]),
    )
  if (!(schema instanceof z.ZodObject)) return []
  const known = new Map(Object.entries<z.ZodType>(schema.shape))
  return Object.entries(raw).flatMap(([key, each]) => {
    const inner = known.get(key)
    return inner ? unknownKeys(inner, each, [...path, key]) : [[...path, key]]
  })
}

/** Converts a document of version `n` (its place in the list, from 1) to version `n + 1`. */
export type ConfigMigration = (document: Document) => void

/** Outdated forms that a file without a version may still have. `config migrate` updates them. */
const OLD_FORMS: readonly { path: RegExp; isOld(value: unknown): boolean; text: string }[] = [
  {
    path: /^engine\.gpu$/,
    isOld: value => typeof value === 'boolean',
    text: 'engine.gpu is “auto” or “off” since version 2, which was true or false',
  },
  {
    path: /^models\.options\..+\.dialect$/,
    isOld: () => true,
    text: 'dialect is called format since version 3',
  },
]
const RENAME = '“talaria config migrate” brings it up to date.'

/** Version 2 names the graphics interface instead of true or false; true becomes `auto`. */
const nameGpu: ConfigMigration = document => {
  const gpu = document.getIn(['engine', 'gpu'], true)
  if (isScalar(gpu) && typeof gpu.value === 'boolean') gpu.value = gpu.value ? 'auto' : 'off'
}

/** Version 3 renames a model's tool-call format from `dialect` to `format`. */
const nameFormat: ConfigMigration = document => {
  const options = document.getIn(['models', 'options'], true)
  if (!isMap(options)) return
  for (const { value: model } of options.items) {
    if (!isMap(model) || model.has('format')) continue
    for (const { key } of model.items) if (isScalar(key) && key.value === 'dialect') key.value = 'format'
  }
}

/** Version 4 replaces the one model for auxiliary work by one model for each kind of it. */
const nameAuxiliary: ConfigMigration = document => {
  const given = document.getIn(['models', 'auxiliary'], true)
  if (!isScalar(given) || typeof given.value !== 'string' || given.value === '') return
  const each = document.createNode(auxiliaryOf(given.value))
  if (given.comment) each.commentBefore = given.comment
  document.setIn(['models', 'auxiliary'], each)
}

/** One migration for each step between two versions, in order. */
export const configMigrations: readonly ConfigMigration[] = [nameGpu, nameFormat, nameAuxiliary]

/**
 * Bring a document up to the newest version, in place. Returns the version it had, or undefined if there was
 * nothing to do. A file without `config_version` was written by hand and counts as `unnamed`, by default the
 * newest version.
 */
export function migrateConfig(
  document: Document,
  migrations: readonly ConfigMigration[],
  unnamed?: number,
): number | undefined {
  const newest = migrations.length + 1
  const version: unknown = document.toJS()?.config_version ?? unnamed
  if (!Number.isInteger(version) || (version as number) < 1 || (version as number) >= newest) return undefined
  for (const migrate of migrations.slice((version as number) - 1)) migrate(document)
  document.set('config_version', newest)
  if (!document.has('settings_version')) setSettingsVersion(document, version as number)
  return version as number
}

/** Record in a document which settings the user knows, below `config_version` or else at the top. */
export function setSettingsVersion(document: Document, version: number): void {
  if (!isMap(document.contents) || document.has('settings_version'))
    return document.set('settings_version', version)
  const { items } = document.contents
  const above = items.findIndex(({ key }) => isScalar(key) && key.value === 'config_version')
  items.splice(above + 1, 0, document.createPair('settings_version', version) as (typeof items)[number])
}
