/** Watches how long tokens take, and keeps the number of threads at what is fastest while other programs come and go. */
export type TokenWatch = {
  /** A token of a reply took this long to evaluate, in milliseconds. */
  token(ms: number): void
  /** Nobody is being answered any more. After a rest the engine begins with its usual threads again. */
  idle(): void
}

/** So many times the usual is no chance: all threads of a step wait for one that the system has put aside. */
const tooSlow = 5
const tooManySlow = 3
/** A token that takes this much longer than usual, and seconds, is not waited for twice. */
const hopeless = { times: 25, ms: 1_000 }
/** What a token in time makes up for: slow ones come in twos and threes, with fast ones in between. */
const relief = 0.25
/** Below this a token is fast enough for anybody, and a clock too coarse to judge it. */
const noticeableMs = 10
/** How much one token counts in what is usual. A fast one shows what is possible, a slow one may have had to wait. */
const share = { faster: 1 / 4, slower: 1 / 64 }
/** From so many times the usual on it is worth finding out whether fewer threads would do better. */
const suspicious = 1.5
/** Tokens that are compared; the first one after a change pays for it and does not count. */
const compared = { before: 8, trial: 4 }
/** A trial must be clearly better, and is over at once when it is as bad as this. */
const verdict = { better: 0.93, worse: 3 }
/** Tokens between two trials. They double with every trial that was in vain. */
const pause = { fewer: 8, more: 32, most: 512 }

/** After such a rest nobody knows whether the machine is still busy. */
const restMs = 30_000

/** How many threads a model begins with, how many it may have, and whether it was measured that more are no better. */
export type Threads = { threads: number; most: number; isMeasured: boolean }

/**
 * Watch the tokens of a model. After three in a row that take five times as long as usual, more of them with others in
 * between, or one that takes seconds, half of the threads go on, down to one. Where tokens are slower than usual by less,
 * half of the threads are tried for a few tokens and kept if that is faster; and now and then twice as many are tried.
 */
export function watchTokens(
  { threads: usualThreads, most, isMeasured }: Threads,
  setThreads: (threads: number) => void,
): TokenWatch {
  let chosen = usualThreads
  let running = usualThreads
  let usual: number | undefined
  let slow = 0
  let recent: number[] = []
  let trial: { threads: number; times: number[] } | undefined
  let since = 0
  let isUntried = !isMeasured
  let rest: NodeJS.Timeout | undefined
  const waits = { fewer: pause.fewer, more: pause.more }

  const run = (threads: number) => {
    if (threads === running) return
    running = threads
    setThreads(threads)
  }
  const choose = (threads: number) => {
    chosen = threads
    trial = undefined
    recent = []
    since = 0
    slow = 0
    run(threads)
  }

  const learn = (ms: number) => {
    if (usual === undefined) usual = ms
    else usual += (ms - usual) * (ms < usual ? share.faster : share.slower)
  }

  /** A trial of another number: over early when it is hopeless, and otherwise after a few tokens. */
  const judge = ({ threads, times }: NonNullable<typeof trial>, ms: number) => {
    times.push(ms)
    const before = median(recent)
    const isWorse = ms > noticeableMs && ms > before * verdict.worse
    if (!isWorse && times.length <= compared.trial) return
    const direction = threads < chosen ? 'fewer' : 'more'
    const isBetter = !isWorse && median(times.slice(1)) < before * verdict.better
    waits[direction] = isBetter ? pause[direction] : Math.min(waits[direction] * 2, pause.most)
    choose(isBetter ? threads : chosen)
  }

  /** What a token takes with this many threads, if nobody else wants the cores. */
  const expected = () => (usual === undefined ? Infinity : usual * Math.max(1, usualThreads / chosen))
  const half = () => Math.max(1, Math.floor(chosen / 2))
  /** Which other number to try now, if any. */
  const nextTrial = (): number | undefined => {
    if (recent.length < compared.before) return undefined
    const ms = median(recent)
    if (ms <= noticeableMs) return undefined
    const isSlower = ms > expected() * suspicious
    if (chosen > 1 && isSlower && since >= waits.fewer) return half()
    // A number that nobody has measured is put to the test once.
    if (chosen > 1 && isUntried) {
      isUntried = false
      return half()
    }
    if (chosen < most && since >= waits.more) return Math.min(chosen * 2, most)
    return undefined
  }

  return {
    token(ms) {
      clearTimeout(rest)
      if (trial) return judge(trial, ms)
      const isSlow = ms > noticeableMs && ms > expected() * tooSlow
      const isHopeless = isSlow && ms > hopeless.ms && ms > expected() * hopeless.times
      if (isSlow) slow += isHopeless ? tooManySlow : 1
      else slow = Math.max(0, slow - relief)
      if (slow >= tooManySlow && chosen > 1) return choose(half())
      // With fewer threads a token takes longer, which must not become the usual.
      if (!isSlow && chosen >= usualThreads) learn(ms)
      since++
      recent = [...recent, ms].slice(-compared.before)
      const threads = nextTrial()
      if (threads === undefined) return
      trial = { threads, times: [] }
      run(threads)
    },
    idle() {
      choose(chosen)
      // The next reply soon finds out whether there is more to have.
      waits.more = pause.fewer
      clearTimeout(rest)
      if (chosen < usualThreads) rest = setTimeout(() => choose(usualThreads), restMs).unref()
    },
  }
}

function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
