import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Fault } from '../../shared/rpc.ts'
import { asFault, isDamage } from './database-faults.ts'

/**
 * Hold a home folder until it is closed or the process ends, however it ends: the system drops the lock with the
 * process. Throws a `busy` Fault when another process holds it.
 */
export function lockHome(home: string): { close(): void } {
  const path = join(home, '.lock')
  let lock: Database.Database | undefined
  try {
    lock = new Database(path, { timeout: 0 })
    lock.exec('begin exclusive')
  } catch (error) {
    lock?.close()
    if (isDamage(error)) throw new Fault('not_ready', `${path} is not a lock of Talaria. Delete it.`)
    const fault = asFault(error, path)
    if (!(fault instanceof Fault) || fault.code !== 'busy') throw fault
    const way = 'Use that one, or start this one with another folder (--home).'
    throw new Fault('busy', `Talaria is already running with the folder ${home}. ${way}`)
  }
  const held = lock
  return { close: () => void held.close() }
}
