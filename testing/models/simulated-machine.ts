import { adaptThreads } from '../../src/main/models/engines/local/processor/adapt-threads.ts'
import { watchCores } from '../../src/main/models/engines/local/processor/spare-cores.ts'
import type { Work } from '../../src/main/models/engines/local/processor/thread-search.ts'

/** The duration of a token on a simulated computer with this many threads, in milliseconds. */
export type TokenMs = {
  (work: Work, threads: number, random: () => number): number
  /** Cores that other programs use; none if absent. */
  busy?: number
}

/** The time and tokens of steps that an engine ran on the computer. */
type Did = { ms: number; tokens: number }

/**
 * A computer whose clock moves only while the engine works or rests. Times vary as on a real computer; the
 * same seed gives the same times. It has as many cores as the engine may use threads, and reports how long
 * they were idle, unless it hides that like a sandbox.
 */
export function simulate(most: number, { seed = 1, hidesIdle = false } = {}) {
  let clock = 0
  let idleMs = 1
  let threads = most
  let tokenMs: TokenMs = () => 20
  const changes: { at: number; threads: number }[] = []
  const random = numbers(seed)
  const engine = adaptThreads(
    most,
    count => {
      if (count !== threads) changes.push({ at: clock, threads: count })
      threads = count
    },
    () => clock,
    watchCores(
      () => clock,
      () => (hidesIdle ? 0 : idleMs),
    ),
  )
  const step = async (work: Work, position: number, tokens: number): Promise<number> => {
    const startedAt = clock
    await engine.run(work, { position, tokens, isTelling: true }, async () => {
      const ms = tokenMs(work, threads, random) * tokens
      clock += ms
      idleMs += Math.max(0, most - (tokenMs.busy ?? 0) - threads) * ms
    })
    return clock - startedAt
  }
  const machine = {
    changes,
    engine,
    get threads() {
      return threads
    },
    get now() {
      return clock
    },
    /** From now on tokens take this long. */
    becomes: (next: TokenMs) => void (tokenMs = next),
    rest(ms: number) {
      clock += ms
      idleMs += (most - Math.min(most, tokenMs.busy ?? 0)) * ms
    },
    async read(tokens: number, position = 0): Promise<Did> {
      let ms = 0
      for (let at = 0; at < tokens; at += 64)
        ms += await step('reading', position + at, Math.min(64, tokens - at))
      return { ms, tokens }
    },
    async write(tokens: number, position = 0): Promise<Did> {
      let ms = 0
      for (let at = 0; at < tokens; at++) ms += await step('writing', position + at, 1)
      return { ms, tokens }
    },
    /** Answer one message after another for this long, and return the time per token. */
    async chat(forMs: number): Promise<Record<Work, number>> {
      const sums = { reading: { ms: 0, tokens: 0 }, writing: { ms: 0, tokens: 0 } }
      const until = clock + forMs
      while (machine.now < until) {
        for (const [work, did] of [
          ['reading', await machine.read(192)],
          ['writing', await machine.write(60, 192)],
        ] as const) {
          sums[work].ms += did.ms
          sums[work].tokens += did.tokens
        }
      }
      return {
        reading: sums.reading.ms / sums.reading.tokens,
        writing: sums.writing.ms / sums.writing.tokens,
      }
    },
  }
  return machine
}

/** The average time of `work` with a fixed number of threads. */
export function fixedMs(tokenMs: TokenMs, work: Work, threads: number): number {
  const random = numbers(99)
  const times = Array.from({ length: 4_000 }, () => tokenMs(work, threads, random))
  return times.reduce((sum, ms) => sum + ms, 0) / times.length
}

/**
 * A computer with this many cores, some of them used by other programs. With a thread too many, a step
 * occasionally waits until the system gives the thread a core again, and all other threads wait with it.
 */
export function machineWith({
  cores,
  busy = 0,
  oneThread = { reading: 3.2, writing: 18 },
}: {
  cores: number
  busy?: number
  oneThread?: Record<Work, number>
}): TokenMs {
  const tokenMs: TokenMs = (work, threads, random) => {
    // Writing is limited by memory, so it gains less from more threads.
    const gain = work === 'reading' ? threads ** 0.9 : threads ** 0.6
    const ms = (oneThread[work] / gain) * (1 + random() * 0.1)
    const free = cores - busy
    if (threads <= free) return ms
    const shared = 1 + Math.max(0, busy - cores + 1) * (0.2 + random() * 0.8)
    if (threads === 1) return ms * shared
    const isPutAside = random() < 0.25
    return ms * shared * (isPutAside ? 5 + random() * 5 : 1.7)
  }
  return Object.assign(tokenMs, { busy })
}

function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
