import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Measurement, Task, Told } from './measure-reader.ts'

/**
 * What happened to a function: a shape of text that it read, a shape from which it did not return, or why it
 * could not be called.
 */
export type Outcome =
  | ({ task: Task } & Measurement)
  | { task: Task; timedOut: string }
  | { task: Task; failed: string }

/** A reading that takes this much processor time counts as endless, in ms. No thread gets more. */
const MOST_READING_MS = 60_000
/** The number of processes at a time. */
const LANES = 2
/** After so many timeouts, a function does not get the other shapes. */
const MOST_TIMEOUTS = 2

/**
 * Measure functions in child processes. When a function does not return from a text within `mostMs` of
 * processor time, its process ends, the function counts as timed out, and it goes on with the next shape in a
 * new process. `hear` gets the outcome of each shape, and `undefined` after each function.
 */
export async function measureAll(
  tasks: readonly Task[],
  hear: (outcome: Outcome | undefined) => void,
  mostMs = MOST_READING_MS,
): Promise<void> {
  const queue = [...tasks]
  await Promise.all(Array.from({ length: LANES }, () => runLane(queue, hear, mostMs)))
}

async function runLane(
  queue: Task[],
  hear: (outcome: Outcome | undefined) => void,
  mostMs: number,
): Promise<void> {
  let child: ChildProcess | undefined
  for (let task = queue.shift(); task; task = queue.shift()) {
    let left = task
    for (let timeouts = 0; timeouts < MOST_TIMEOUTS; timeouts++) {
      child ??= startChild(mostMs)
      const stuck = await measureIn(child, left, hear)
      if (stuck === undefined) break
      child = undefined
      left = { ...task, shapes: task.shapes.slice(task.shapes.indexOf(stuck) + 1) }
    }
    hear(undefined)
  }
  child?.kill()
}

const startChild = (mostMs: number): ChildProcess =>
  fork(join(import.meta.dirname, 'measure-reader.ts'), [String(mostMs)], { execArgv: [], silent: true })

/**
 * Have one function measured. Returns the shape at which its process ended, empty before the first; undefined
 * if it still runs.
 */
async function measureIn(
  child: ChildProcess,
  task: Task,
  hear: (outcome: Outcome) => void,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  let shape = ''
  const read = (told: Told) => {
    if (told.tells === 'begins') shape = told.shape
    else if (told.tells === 'measured') hear({ task, ...told.measured })
    else {
      if (told.tells === 'failed') hear({ task, failed: told.why })
      resolve(undefined)
    }
  }
  const end = (code: number | null) => {
    const isTimeOut = code === null && shape !== ''
    hear(isTimeOut ? { task, timedOut: shape } : { task, failed: `its process ended (${code})` })
    resolve(shape)
  }
  child.on('message', read).on('exit', end)
  child.send(task)
  try {
    return await promise
  } finally {
    child.off('message', read).off('exit', end)
  }
}
