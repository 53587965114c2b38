import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Measurement, Task, Told } from './measure-reader.ts'

/** What became of a function: a shape of text that it read, or one that it did not come back from, or why it was not called. */
export type Outcome =
  | ({ task: Task } & Measurement)
  | { task: Task; shape: string; timedOut: number }
  | { task: Task; failed: string }

/** Longer than the slowest that is worth measuring, on a machine that does other things as well. */
const PATIENCE_MS = 20_000
/** A function that did not come back from as many shapes is not asked to read the rest. */
const MOST_TIMEOUTS = 2

/**
 * Measure functions in child processes, as many at a time as `lanes`. One that does not come back from a text is ended, said to
 * have timed out, and goes on with the next shape in a new process. `hear` gets what became of each, and `undefined` after each function.
 */
export async function measureAll(
  tasks: readonly Task[],
  hear: (outcome: Outcome | undefined) => void,
  { lanes = 2, patienceMs = PATIENCE_MS } = {},
): Promise<void> {
  const queue = [...tasks]
  await Promise.all(Array.from({ length: lanes }, () => runLane(queue, hear, patienceMs)))
}

async function runLane(queue: Task[], hear: (outcome: Outcome | undefined) => void, patienceMs: number) {
  let child: ChildProcess | undefined
  for (let task = queue.shift(); task; task = queue.shift()) {
    let left: Task | undefined = task
    for (let timeouts = 0; left && timeouts < MOST_TIMEOUTS; timeouts++) {
      child ??= fork(join(import.meta.dirname, 'measure-reader.ts'), { execArgv: [], silent: true })
      const stuck: string | undefined = await measureIn(child, left, hear, patienceMs)
      if (stuck === undefined) break
      child.kill('SIGKILL')
      child = undefined
      left = { ...task, shapes: task.shapes.slice(task.shapes.indexOf(stuck) + 1) }
    }
    hear(undefined)
  }
  child?.kill()
}

/** Have one function measured. Returns the shape that it did not come back from, empty if that was none. */
async function measureIn(
  child: ChildProcess,
  task: Task,
  hear: (outcome: Outcome) => void,
  patienceMs: number,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  let shape = ''
  const giveUp = () => {
    hear(shape === '' ? { task, failed: 'It does not come back.' } : { task, shape, timedOut: patienceMs })
    resolve(shape)
  }
  let timer = setTimeout(giveUp, patienceMs)
  const read = (told: Told) => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, patienceMs)
    if (told.tells === 'begins') shape = told.shape
    else if (told.tells === 'measured') hear({ task, ...told.measured })
    else {
      if (told.tells === 'failed') hear({ task, failed: told.why })
      resolve(undefined)
    }
  }
  const end = (code: number | null) => {
    hear({ task, failed: `The process ended (${code}) at ${shape}.` })
    resolve(shape)
  }
  child.on('message', read).on('exit', end)
  child.send(task)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.off('message', read).off('exit', end)
  }
}
