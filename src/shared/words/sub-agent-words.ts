import type { Delegated } from '../contract/runs/delegation.ts'

const states: Record<Exclude<Delegated['state'], 'ended'>, string> = {
  waiting: 'waiting for a free slot',
  running: 'working',
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

/** The note on a task that was answered without a tool. This is not a complaint: some tasks need none. */
export const UNLOOKED = 'answered without looking at anything'

/** The state of a sub-agent, in a few words. */
export function standingOf({ state, end, unlooked }: Pick<Delegated, 'state' | 'end' | 'unlooked'>): string {
  if (state !== 'ended') return states[state]
  return end === 'done' && unlooked ? UNLOOKED : ends[end ?? 'unknown']
}
