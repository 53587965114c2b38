import type { Talk } from '../talk.ts'

/** One kind of exchange. `false` says that it does not fit here, and then nothing was written. */
export type Task = {
  id: string
  /** How often it is taken, beside the others. */
  weight: number
  /** The same in training, where what is hard to learn is practised more. */
  learned?: number
  run(talk: Talk): Promise<false | void>
}
