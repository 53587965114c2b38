import { readdirSync, readFileSync } from 'node:fs'

/**
 * Expected trouble as a value: what may fail returns `T | Refusal`. The text is for the user or the model;
 * further fields may stand beside it. Bugs are thrown.
 */
export type Refusal = { refused: string }

/** Whether an outcome is a refusal. */
export const isRefusal = (outcome: unknown): outcome is Refusal =>
  typeof outcome === 'object' &&
  outcome !== null &&
  'refused' in outcome &&
  typeof outcome.refused === 'string'

/** The parsed JSON of a text; undefined, which JSON cannot express, when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The number that a text writes, such as ` -0.5 `; undefined when it is none. */
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

/** The reason of a file-system error, as text. */
export const reasonOf = (code: string | undefined): string =>
  REASONS[code ?? ''] ?? `the system says ${code ?? 'nothing'}`

/** Whether the code of an error says that there is no room. */
export const isNoRoom = (code: unknown): boolean => code === 'ENOSPC' || code === 'EDQUOT'

/** What a Fault carries as its data where the system refused: its code, so that nobody has to read the words. */
export type SystemData = { system: string }

/** The code in the data of a Fault, such as `ENOSPC`; empty where it has none. */
export function systemCodeIn(data: unknown): string {
  const { system } = (data ?? {}) as Partial<SystemData>
  return typeof system === 'string' ? system : ''
}

/** For a `catch` of something that may be missing: undefined then. Rethrows any other error. */
export function undefinedIfMissing(error: unknown): undefined {
  if (fileErrorCode(error) !== 'ENOENT') throw error
}

/** The code of a file-system error, such as `ENOENT`. Rethrows any other error; codes of Faults are lower case. */
export function fileErrorCode(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof Error && typeof code === 'string' && /^[A-Z]/.test(code)) return code
  throw error
}

type Cause = Error & { code?: unknown }

/** An error, its causes, and for a host with several addresses the error of each. */
export function causesOf(error: unknown, depth = 0): Cause[] {
  if (!(error instanceof Error) || depth > 5) return []
  const several = error instanceof AggregateError ? error.errors : []
  return [error, ...[error.cause, ...several].flatMap(each => causesOf(each, depth + 1))]
}

/** The names in a folder; none if it is missing or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The text of a file; empty if it is missing or cannot be read. */
export function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
