import { fileErrorCode, reasonOf } from '../expected-errors.ts'

/** A path that could not be removed, with the reason as the end of a sentence. */
export type Unremoved = { path: string; why: string }

/** The remains of one removal. */
export type LeftList = {
  add(path: string, code: string): void
  /** The first few remains. */
  readonly items: Unremoved[]
  readonly count: number
  /** Whether something may only be in use briefly. */
  readonly mayPass: boolean
}

/** Maximum number of remains to name, for readability. */
const NAMED = 20
const REASONS: Record<string, string> = {
  EACCES: 'this user may not remove it',
  EPERM: 'it is protected, or belongs to another user',
  EBUSY: 'another disk is mounted there, or a program uses it',
  ENOTEMPTY: 'something still writes there',
}
const PASSING = new Set(['EBUSY', 'ENOTEMPTY', 'ENOSPC', 'EDQUOT', 'EMFILE', 'EMLINK'])
const PASSING_ON_WINDOWS = new Set(['EPERM', 'EACCES'])

/** Return why something could not be removed, by the system's error code. */
const whyUnremoved = (code: string): string => REASONS[code] ?? reasonOf(code)

/** An empty list. */
export function listLeft(): LeftList {
  const found = new Map<string, string>()
  let count = 0
  let mayPass = false
  return {
    add(path, code) {
      count++
      mayPass ||= PASSING.has(code) || (process.platform === 'win32' && PASSING_ON_WINDOWS.has(code))
      if (found.size < NAMED) found.set(path, code)
    },
    get items() {
      return [...found].map(([path, code]) => ({ path, why: whyUnremoved(code) }))
    },
    get count() {
      return count
    },
    get mayPass() {
      return mayPass
    },
  }
}

/** Convert a file-system failure to what was left; empty on success. Other errors are thrown. */
export async function leftByError(work: Promise<unknown>, path: string): Promise<Unremoved[]> {
  try {
    await work
    return []
  } catch (error) {
    const why = whyUnremoved(fileErrorCode(error))
    return [{ path: placeOf(error) ?? path, why }]
  }
}

const placeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined
