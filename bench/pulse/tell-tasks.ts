import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TimedCall } from './caller.ts'
import { readTasks, type Called } from './read-profile.ts'

/** The most tasks that are printed, and the least processor time of one, in ms. */
const MOST_TASKS = 12
const LEAST_MS = 10
/** The least share of its task that a function must take to be printed. */
const LEAST_SHARE = 0.3

/**
 * Node's options for a profile in `folder`. A sample is taken each half millisecond; a slice of work takes
 * five milliseconds.
 */
export const profileOptions = (folder: string): string[] => [
  '--cpu-prof',
  `--cpu-prof-dir=${folder}`,
  '--cpu-prof-interval=500',
]

/**
 * The longest tasks in the main thread of the ended host while calls waited for longer than `ms`, as text.
 */
export function tellTasks(folder: string, calls: readonly TimedCall[], ms: number): string {
  // The main thread is number 0; other threads of the host have files of their own.
  const file = readdirSync(folder).find(name => /\.0\.\d+\.cpuprofile$/.test(name))
  if (file === undefined) throw new Error(`The host left no profile in ${folder}.`)
  const waits = calls.filter(call => call.ms > ms).map(({ at, ms: took }) => ({ from: at, to: at + took }))
  const tasks = readTasks(join(folder, file), waits).filter(task => task.ms >= LEAST_MS)
  return tasks
    .slice(0, MOST_TASKS)
    .map(task => `  ${Math.round(task.ms)} ms at a stretch\n${linesOf(task.functions, task.ms, 2).join('')}`)
    .join('')
}

function linesOf({ calls }: Called, whole: number, depth: number): string[] {
  return [...calls.values()]
    .filter(({ ms }) => ms >= whole * LEAST_SHARE)
    .flatMap(called => [
      `${' '.repeat(depth)}${called.ms.toFixed(0).padStart(4)} ${called.name}\n`,
      ...linesOf(called, whole, depth + 1),
    ])
}
