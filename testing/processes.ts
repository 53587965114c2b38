import { readFileSync } from 'node:fs'
import { until } from './until.ts'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // An orphan that nobody has collected yet is dead all the same.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Wait until none of these processes is left. */
export const gone = (...pids: number[]): Promise<void> => until(() => !pids.some(isAlive))
