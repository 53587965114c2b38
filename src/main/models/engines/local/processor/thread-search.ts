import type { SpareCores } from './spare-cores.ts'

/** The kind of a step: read a chunk of a prompt, or write a token. */
export type Work = 'reading' | 'writing'

/** Finds the fastest number of threads for one kind of work, while other programs come and go. */
export type ThreadSearch = {
  /** The best number found so far. */
  readonly chosen: number
  /** The number for the next step: the chosen one, or one under trial. */
  readonly next: number
  /** Whether it is time to try more threads, if there are cores for them. */
  readonly isDue: boolean
  /** Record the duration of a step with `next` threads. Returns a change if the machine is busy or quiet. */
  recordStep(ms: number, tokens: number): Change | undefined
  /** Discard current samples: the next tokens are unrelated, so their times are not comparable. */
  restart(): void
  /** Start again after a long rest, because the machine's load is unknown. */
  restartAfterRest(): void
  /** Apply a change that the search for the other kind of work has detected. */
  followChange(change: Change): void
}

/** The number of threads after a change of load, and how long to wait before testing it. */
type Change = { to: 'fewer' | 'more'; threads: number; waitMs: number }

/** Minimum length of a sample, in ms; shorter times are mostly noise. */
const sampleMs = 8
/**
 * Number of samples before and during a trial, and of late samples that start one. Times of single tokens
 * vary; a chunk of a prompt is already an average.
 */
const samples = {
  reading: { before: 1, trial: 1, slightlyLate: 1, veryLate: 1 },
  writing: { before: 4, trial: 3, slightlyLate: 3, veryLate: 2 },
}
/** Multiples of the usual time from which a step counts as late. */
const late = { slightly: 1.4, very: 3 }
/** A single step this late and this long is enough to count as very late. */
const hopeless = { times: 10, ms: 600 }
/**
 * Limits for a trial, relative to the time before it. To be kept it must be clearly better, especially one
 * with fewer threads and no other reason. A trial as bad as `hopeless` ends at once.
 */
const verdict = { better: 0.94, fewer: 0.88, hopeless: 1.5 }
/** Number of first samples to ignore, which include paging in the weights. */
const warmSamples = 3
/**
 * Weight of a step in the running average. A fast step shows what is possible; a slow one may have waited.
 */
const share = { faster: 1 / 4, slower: 1 / 32 }
/**
 * The time between two trials of more threads. It doubles between `leastMs` and `mostMs`. It is longer for
 * trials so costly that they would take more than `share` of the time. After late steps it is at most
 * `lateMs`, because their cause may be over. It is `shortMs` if the system tells how many cores are idle.
 */
const pause = { leastMs: 1_000, mostMs: 8_000, share: 0.03, costlyMs: 60_000, lateMs: 4_000, shortMs: 500 }
/** The share of each additional core that must have been idle for a trial of more threads. */
const idleShare = 0.6
/** How long a machine must stay quiet after threads were added to count as stable, in ms. */
const quietMs = 10_000
/** Samples between two trials of fewer threads while steps are slightly late. Failed trials double them. */
const rest = { least: 8, most: 512 }

/** The reason for a trial: to search for a better number, or because steps are late or very late. */
type Reason = 'search' | 'late' | 'very late'
type Trial = { at: number; times: number[]; ms: number; tokens: number; reason: Reason }

/**
 * Search the numbers from one to `most`, starting with all of them. Late steps lead to a trial of half the
 * threads, and a period without late steps to one with more. A trial lasts a few tokens and is compared with
 * those just before it. Failed trials of more threads become rarer, because one may cost as much as a hundred
 * tokens: all threads of a step wait for one that the system has descheduled. For the same reason there are
 * no such trials while the system reports no idle core.
 */
export function searchThreads(work: Work, most: number, cores: SpareCores): ThreadSearch {
  const numbers = numbersUpTo(most)
  const top = numbers.length - 1
  const needed = samples[work]
  const usual = new Map<number, number>()
  /** Where to start again after a rest: the best number on a quiet machine. */
  let home = top
  let at = home
  let trial: Trial | undefined
  let recent: { time: number; ms: number; isLate: boolean }[] = []
  let sample = { ms: 0, tokens: 0 }
  let warmLeft = warmSamples
  /** Whether fewer threads have not been tried yet. */
  let isUntried = true
  let waitMs = 0
  let pauseMs: number = pause.leastMs
  let sinceRiseMs = quietMs
  let sinceTrial: number = rest.least
  let restSamples: number = rest.least

  const numberAt = (index: number) => numbers[index] ?? 1
  const before = () => mean(recent.map(({ time }) => time))
  const choose = (index: number) => {
    at = index
    trial = undefined
    recent = []
  }
  /** Start a trial. If steps are very late, the other kind of work changes before the trial ends. */
  const begin = (index: number, reason: Reason): Change | undefined => {
    // Times before the first late step belong to another load.
    if (reason !== 'search') recent = recent.slice(recent.findIndex(step => step.isLate))
    trial = { at: index, times: [], ms: 0, tokens: 0, reason }
    if (reason !== 'very late') return undefined
    return { to: 'fewer', threads: numberAt(index), waitMs: pause.leastMs }
  }
  const half = () => numbers.findLastIndex(number => number <= Math.max(1, numberAt(at) / 2))

  /** Block trials of more threads for `ms`, or longer if a trial has just lost a lot of time. */
  const wait = (ms: number, lostMs: number) => {
    pauseMs = Math.min(Math.max(ms, pause.leastMs), pause.mostMs)
    waitMs = Math.max(pauseMs, Math.min(lostMs / pause.share, pause.costlyMs))
  }

  /** Record a step time, and return whether it was late. */
  const learn = (time: number): boolean => {
    const threads = numberAt(at)
    const known = usual.get(threads)
    if (known === undefined) usual.set(threads, time)
    else if (time > known * late.slightly) return true
    else usual.set(threads, known + (time - known) * (time < known ? share.faster : share.slower))
    return false
  }
  const lateness = (): Reason | undefined => {
    const known = usual.get(numberAt(at)) ?? Infinity
    const last = recent.at(-1)
    if (last && last.ms > hopeless.ms && last.time > known * hopeless.times) return 'very late'
    if (recent.filter(({ time }) => time > known * late.very).length >= needed.veryLate) return 'very late'
    const lateOnes = recent.filter(({ isLate }) => isLate)
    return lateOnes.length >= needed.slightlyLate && sinceTrial >= restSamples ? 'late' : undefined
  }

  const lower = ({ at: index, reason }: Trial, time: number): Change | undefined => {
    const was = before()
    const lostMs = recent.reduce((sum, { ms }) => sum + ms, 0) * (1 - time / was)
    wait(sinceRiseMs < quietMs ? pauseMs * 2 : pause.leastMs, Math.min(lostMs, pause.lateMs * pause.share))
    if (cores.isKnown && sinceRiseMs >= quietMs) waitMs = pause.shortMs
    restSamples = rest.least
    usual.set(numberAt(index), time)
    choose(index)
    if (reason !== 'search') return { to: 'fewer', threads: numberAt(index), waitMs }
    home = index
    return undefined
  }
  const raise = ({ at: index }: Trial, time: number): Change => {
    waitMs = 0
    sinceRiseMs = 0
    usual.set(numberAt(index), time)
    choose(index)
    home = Math.max(home, index)
    return { to: 'more', threads: numberAt(index), waitMs }
  }
  const giveUp = ({ at: index, reason, ms, tokens }: Trial): Change | undefined => {
    if (index > at) {
      wait(pauseMs * 2, ms - tokens * before())
    } else {
      isUntried = false
      if (reason !== 'search') restSamples = Math.min(restSamples * 2, rest.most)
      // The usual time has changed: the conversation may have become long.
      usual.set(numberAt(at), before())
    }
    choose(at)
    return reason === 'very late' ? { to: 'more', threads: numberAt(at), waitMs } : undefined
  }

  const judge = (tried: Trial, time: number): Change | undefined => {
    const was = before()
    const isHopeless = time > was * verdict.hopeless && tried.at > at
    if (tried.times.length < needed.trial && !isHopeless) return undefined
    sinceTrial = 0
    const average = mean(tried.times)
    const enough = tried.reason === 'search' && tried.at < at ? verdict.fewer : verdict.better
    if (isHopeless || average > was * enough) return giveUp(tried)
    return tried.at > at ? raise(tried, average) : lower(tried, average)
  }

  /** Whether there seem to be cores for the next number of threads. If not, the trial can wait. */
  const maySpare = (): boolean => {
    if (!cores.isKnown) return true
    const spare = cores.count()
    if (spare === undefined) return false
    const isEnough = spare >= (numberAt(at + 1) - numberAt(at)) * idleShare
    if (!isEnough) waitMs = pause.leastMs
    return isEnough
  }

  const look = (time: number, ms: number): Change | undefined => {
    sinceTrial++
    recent = [...recent, { time, ms, isLate: learn(time) }].slice(-needed.before)
    const reason = at > 0 ? lateness() : undefined
    if (reason) return begin(half(), reason)
    if (recent.length < needed.before) return undefined
    if (at > 0 && isUntried) return begin(half(), 'search')
    return at < top && waitMs <= 0 && maySpare() ? begin(at + 1, 'search') : undefined
  }

  return {
    get chosen() {
      return numberAt(at)
    },
    get next() {
      return numberAt(trial?.at ?? at)
    },
    get isDue() {
      return at < top && waitMs <= 0
    },
    recordStep(ms, tokens) {
      waitMs -= ms
      sinceRiseMs += ms
      sample = { ms: sample.ms + ms, tokens: sample.tokens + tokens }
      if (sample.ms < sampleMs) return undefined
      const { ms: sumMs, tokens: sumTokens } = sample
      sample = { ms: 0, tokens: 0 }
      const time = sumMs / sumTokens
      if (trial) {
        trial.times.push(time)
        trial.ms += sumMs
        trial.tokens += sumTokens
        return judge(trial, time)
      }
      if (warmLeft === 0) return look(time, sumMs)
      warmLeft--
      return undefined
    },
    restart() {
      sample = { ms: 0, tokens: 0 }
      choose(at)
    },
    restartAfterRest() {
      sample = { ms: 0, tokens: 0 }
      choose(home)
      waitMs = pause.leastMs
      pauseMs = pause.leastMs
      sinceRiseMs = quietMs
    },
    followChange({ to, threads, waitMs: longest }) {
      const index = numbers.findLastIndex(number => number <= threads)
      if (to === 'fewer' ? index > at : index <= at) return
      if (index !== at) choose(index)
      if (to === 'fewer') {
        waitMs = Math.max(waitMs, longest)
      } else {
        isUntried = true
        sinceRiseMs = 0
      }
    },
  }
}

/**
 * Return the numbers worth trying: all up to four, then in steps of about a third, and one less than all.
 * @internal Its test sees the numbers that a search of a few seconds does not reach.
 */
export function numbersUpTo(most: number): number[] {
  const steps = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256].filter(number => number < most)
  return [...new Set([...steps, Math.max(1, most - 1), most])].toSorted((a, b) => a - b)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
