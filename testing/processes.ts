import { readdirSync, readFileSync } from 'node:fs'
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

/** The running processes whose environment has this variable, as `NAME=value`; on Linux. */
export const processesWith = (variable: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0 && environmentOf(pid).includes(variable) && isAlive(pid))

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    // The process has ended.
    return []
  }
}

/** Wait until all of these processes have ended. */
export const gone = (...pids: number[]): Promise<void> => until(() => !pids.some(isAlive))
