import type { MemoryTarget } from '../desk/memory-of.ts'
import type { Wordings } from '../wording.ts'

/** One kind of thing that people tell, with the ways to tell it, to name it and to ask for it. */
export type Relation = {
  id: string
  target: MemoryTarget
  /** Two facts with the same key cannot both be true. */
  key: string
  /** What an answer must hold. */
  value: string
  /** As it is said; begins with “my”, “i” or the thing itself. */
  said: Wordings
  /** What it is about, such as “my dog's name”; for asking and forgetting. */
  topic: Wordings
  ask: Wordings
}

/** A relation as it is written down: lines below three dashes are kept for the test. */
export type Written = {
  target?: MemoryTarget
  key?: string
  value: string
  said: string
  topic: string
  ask: string
}
