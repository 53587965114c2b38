import Database from 'better-sqlite3'
import { Fault } from '../../shared/rpc.ts'
import { reasonOf } from '../lib/reason-of.ts'

const codeOf = (error: unknown) => (error instanceof Database.SqliteError ? error.code : '')

/** Whether SQLite says that the file itself is broken. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))

/** Turn what SQLite reports into a sentence that a person can act on; what is not its trouble stays as it is. */
export function asFault(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error) {
    const { code } = error as NodeJS.ErrnoException
    return new Fault('not_ready', `${path} cannot be used: ${reasonOf(code)}.`)
  }
  const code = codeOf(error)
  if (code === '') return error
  if (isDamage(error)) {
    return new Fault(
      'not_ready',
      `${path} is damaged. Start Talaria again: it then makes a copy and says what to do.`,
    )
  }
  if (code === 'SQLITE_FULL') {
    return new Fault(
      'not_ready',
      `The disk is full, so this could not be saved in ${path}. Free some space and try again.`,
    )
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) {
    return new Fault(
      'not_ready',
      `Talaria may not write to ${path} or to its folder. Check who owns them, or choose another home folder.`,
    )
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return new Fault(
      'not_ready',
      `The disk refused to read or write ${path} (${code}). Check its free space and health.`,
    )
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new Fault('busy', `Another program is using ${path}. Close it and try again.`)
  }
  return error
}

/** The same methods, with SQLite's errors turned into faults. */
export function guarded<T extends object>(methods: T, path: string): T {
  const entries = Object.entries(methods).map(([name, method]: [string, (...args: unknown[]) => unknown]) => [
    name,
    (...args: unknown[]) => {
      try {
        return method(...args)
      } catch (error) {
        throw asFault(error, path)
      }
    },
  ])
  return Object.fromEntries(entries) as T
}
