import { killAppending } from '../other-agents/kill-appending.ts'
import { seededNumbers } from '../gguf/seeded-numbers.ts'
import type { LongRun } from './index.ts'

/** Kill programs that report events, at the end of their sessions, while their spool is read. */
export const spool: LongRun = {
  says: 'programs that hand over events are killed at random moments: no whole line is lost, none counts twice',
  rounds: 1_000,
  async run({ rounds, seed, home }) {
    const next = seededNumbers(seed)
    return killAppending(home, rounds, () => (next() % 1_000_000) / 1_000_000)
  },
}
