import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Fault } from '../../../shared/rpc.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { asFault, isDamage } from './database-faults.ts'

/**
 * Lock a home folder until it is closed or the process ends, however it ends: the system drops the lock with
 * the process. Only this user can read the file. Throws a `busy` Fault if another process holds the lock.
 * Throws `not_ready` if the file is a link, because locking would then open a file elsewhere.
 */
export function lockHome(home: string): { close(): void } {
  const path = join(home, '.lock')
  let lock: Database.Database | undefined
  try {
    makePrivate(path)
    lock = new Database(path, { timeout: 0 })
    // A journal on disk would need space, which a full disk lacks.
    lock.pragma('journal_mode = memory')
    lock.exec('begin exclusive')
  } catch (error) {
    lock?.close()
    if (error instanceof Fault) throw error
    if (isDamage(error)) throw new Fault('not_ready', `${path} is not a lock file of Talaria. Delete it.`)
    const fault = asFault(error, path)
    if (!(fault instanceof Fault) || fault.code !== 'busy') throw fault
    const way = 'Use that one, or start this one with another folder (--home).'
    throw new Fault('busy', `Talaria is already running with the folder ${home}. ${way}`)
  }
  const held = lock
  return { close: () => void held.close() }
}

/**
 * Create the file for this user only, or remove other users' rights to it. An existing file is not opened: on
 * POSIX, closing any handle of a file drops all locks that this process has on it.
 */
function makePrivate(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink())
    throw new Fault(
      'not_ready',
      `${path} is a link, but the lock of Talaria must be a file. Delete the link.`,
    )
  if (!stats) createPrivate(path)
  else if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
}

function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process created it first.
    if (fileErrorCode(error) !== 'EEXIST') throw error
  }
}
