import { round } from '../measure.ts'
import type { Measured } from '../run-parts.ts'
import { findReaders } from './find-readers.ts'
import { readSources, tasksOf } from './tasks.ts'
import { measureAll, type Outcome } from './measure-all.ts'
import { MOST_GROWTH, MOST_MS, SHAPES } from './shapes.ts'
import { INPUTS, type Input } from './table/inputs.ts'

/** Progress is printed after so many functions. */
const SAID_EVERY = 50

/**
 * How long each function of the table takes for each shape of text, in processor time: at 50, 100 and 200
 * thousand characters, as far as it gets texts that long, and at its longest text. Names the functions whose
 * time grows faster than their text, that block their process too long, that do not return, or that could not
 * be called.
 */
export async function benchBounds(): Promise<Measured> {
  const tasks = tasksOf(findReaders(readSources()), Object.keys(SHAPES))
  const over = new Set<string>()
  let worst = { what: '', ms: 0 }
  let done = 0
  await measureAll(tasks, outcome => {
    if (!outcome) {
      if (++done % SAID_EVERY === 0) console.error(`  ${done} of ${tasks.length} functions`)
      return
    }
    const { file, name } = outcome.task
    if ('ms' in outcome && !isInThread(outcome) && outcome.ms > worst.ms)
      worst = { what: `${name}, ${outcome.shape}`, ms: outcome.ms }
    const wrong = whatIsWrong(outcome)
    if (wrong === undefined) return
    over.add(`${file} ${name}`)
    console.error(`${file}, ${name}: ${wrong}`)
  })
  return {
    bounds_parsers: tasks.length,
    bounds_shapes: Object.keys(SHAPES).length,
    bounds_over: over.size,
    bounds_worst_ms: round(worst.ms),
    bounds_worst: worst.what,
  }
}

const inputOf = ({ task }: Outcome): Input => INPUTS[task.input]
const isInThread = (outcome: Outcome): boolean => inputOf(outcome).thread !== undefined

function whatIsWrong(outcome: Outcome): string | undefined {
  if ('failed' in outcome) return `could not be measured: ${outcome.failed}`
  if ('timedOut' in outcome) return `${outcome.timedOut}: it timed out`
  const { shape, ms, growth } = outcome
  const { thread, mostMs = MOST_MS } = inputOf(outcome)
  // A thread is ended after its seconds in any case.
  const isOver = thread ? ms > thread.seconds * 1_000 : ms > mostMs || growth > MOST_GROWTH
  return isOver ? `${shape}: ${round(ms)} ms, ${round(growth)} times a doubling` : undefined
}
