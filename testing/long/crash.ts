import { killBatch } from '../batch/kill-batch.ts'
import { crashRounds } from '../crash/rounds.ts'
import { killWhileAnswering } from '../gateway/kill-rounds.ts'
import { seededNumbers } from '../gguf/seeded-numbers.ts'
import type { LongRun } from './index.ts'

/**
 * Kill a process that writes messages and memory, and check after each kill that nothing confirmed is lost.
 */
export const crash: LongRun = {
  says: 'a process that writes messages and memory is killed again and again: nothing confirmed is lost',
  rounds: 300,
  async run({ rounds, seed, home }) {
    const next = seededNumbers(seed)
    const report = await crashRounds(home, rounds, () => (next() % 1_000_000) / 1_000_000)
    return { ...report, lost: 0, halves: 0 }
  },
}

/**
 * Kill a host that answers on a messenger, and check that nothing is lost, run twice, or answered twice
 * without a note.
 */
export const gateway: LongRun = {
  says: 'a host that answers on a messenger is killed again and again: nothing is lost, and nothing runs twice',
  rounds: 200,
  async run({ rounds, seed, home }) {
    const next = seededNumbers(seed)
    return killWhileAnswering(home, rounds, () => (next() % 1_000_000) / 1_000_000)
  },
}

/**
 * Kill a host that runs a batch, and check that no result is lost, changed or duplicated, and that the end is
 * the same.
 */
export const batch: LongRun = {
  says: 'a host that runs a batch is killed again and again: no result is lost or doubled, and the end is the same',
  rounds: 100,
  async run({ rounds, seed, home }) {
    const next = seededNumbers(seed)
    return killBatch(home, rounds, () => (next() % 1_000_000) / 1_000_000)
  },
}
