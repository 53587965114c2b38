import type { Delegated } from './contract/delegation.ts'

const states: Record<Exclude<Delegated['state'], 'ended'>, string> = {
  waiting: 'waits for a free place',
  running: 'works',
  asks: 'asks you',
  stalled: 'no sign of life for 10 minutes',
}
const ends: Record<NonNullable<Delegated['end']>, string> = {
  done: 'answered',
  stopped: 'stopped',
  budget_exhausted: 'budget used up',
  tool_calls_invalid: 'its calls could not run',
  failed: 'failed',
  unknown: 'cut off when Talaria ended',
}

/** How a sub-agent stands, in a few words. */
export const standingOf = ({ state, end }: Pick<Delegated, 'state' | 'end'>): string =>
  state === 'ended' ? ends[end ?? 'unknown'] : states[state]
