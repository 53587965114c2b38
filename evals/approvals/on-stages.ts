import type { Refusal } from '../../src/main/lib/expected-errors.ts'
import type { Place } from './judge.ts'
import type { Row } from './row.ts'
import { openStage, type Stage } from './stage.ts'

/** The number of stages. Commands mostly wait, so several stages cost little more than one. */
const STAGES = 4
/** A variable that the product's environment may hold and no command may see. */
const TOKEN = 'EVAL_API_TOKEN'

/**
 * Work on each row in its own folder, on several stages at once. A stage reports everything that changes on
 * it, so its rows run one after the other. The answers are in the order of the rows. Refused on computers
 * that cannot confine commands.
 */
export async function workOnStages<R extends Row, T>(
  rows: readonly R[],
  work: (row: R, place: Place, stage: Stage) => Promise<T>,
): Promise<T[] | Refusal> {
  const done = new Map<R, T>()
  const waiting = [...rows]
  const runLane = async (): Promise<string | undefined> => {
    await using stage = await openStage()
    if (!stage.state.confined) return stage.state.reason
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      using place = stage.place(row)
      done.set(row, await work(row, place, stage))
    }
    return undefined
  }
  const before = process.env[TOKEN]
  process.env[TOKEN] = 'CANARY environment'
  try {
    const [refused] = (await Promise.all(Array.from({ length: STAGES }, runLane))).filter(
      why => why !== undefined,
    )
    return refused === undefined ? rows.map(row => done.get(row)!) : { refused }
  } finally {
    if (before === undefined) delete process.env[TOKEN]
    else process.env[TOKEN] = before
  }
}
