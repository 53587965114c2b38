import { readdirSync, readFileSync } from 'node:fs'

/**
 * An expected failure as a value: functions that may fail return `T | Refusal`. The text is for the user or
 * the model; further fields may be added. Bugs are thrown instead.
 */
export type Refusal = { refused: string }

/** Return whether an outcome is a refusal. */
export const isRefusal = (outcome: unknown): outcome is Refusal =>
  typeof outcome === 'object' &&
  outcome !== null &&
  'refused' in outcome &&
  typeof outcome.refused === 'string'

/** Parse a text as JSON. If it is not JSON, return undefined, which JSON cannot express. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Parse a number such as ` -0.5 `; undefined if the text is not one. */
export const numberIn = (text: string): number | undefined =>
  /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,2})?\s*$/i.test(text) ? Number(text) : undefined

const REASONS: Record<string, string> = {
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOENT: 'its folder does not exist',
  EEXIST: 'a file of that name is in the way',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
}

/** Return the reason of a file-system error, as text. */
export const reasonOf = (code: string | undefined): string =>
  REASONS[code ?? ''] ?? `the system says ${code ?? 'nothing'}`

/** Return whether an error code means that the disk is full. */
export const isNoRoom = (code: unknown): boolean => code === 'ENOSPC' || code === 'EDQUOT'

/** The data of a Fault caused by the system: the error code, so that callers need not parse the text. */
export type SystemData = { system: string }

/** Return the code in the data of a Fault, such as `ENOSPC`; empty if it has none. */
export function systemCodeIn(data: unknown): string {
  const { system } = (data ?? {}) as Partial<SystemData>
  return typeof system === 'string' ? system : ''
}

/** For a `catch` of something that may be missing: return undefined then, and rethrow other errors. */
export function undefinedIfMissing(error: unknown): undefined {
  if (fileErrorCode(error) !== 'ENOENT') throw error
}

/** Return the code of a file-system error, such as `ENOENT`. Rethrows others; Fault codes are lower case. */
export function fileErrorCode(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof Error && typeof code === 'string' && /^[A-Z]/.test(code)) return code
  throw error
}

type Cause = Error & { code?: unknown }

/** Return an error with its causes, including one error per address for a host with several. */
export function causesOf(error: unknown, depth = 0): Cause[] {
  if (!(error instanceof Error) || depth > 5) return []
  const several = error instanceof AggregateError ? error.errors : []
  return [error, ...[error.cause, ...several].flatMap(each => causesOf(each, depth + 1))]
}

/** Return the names in a folder; empty if it is missing or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Return the text of a file; empty if it is missing or cannot be read. */
export function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
