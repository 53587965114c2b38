import { readFileSync } from 'node:fs'
import { until } from './until.ts'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie process counts as dead.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Wait until all of these processes have ended. */
export const gone = (...pids: number[]): Promise<void> => until(() => !pids.some(isAlive))
