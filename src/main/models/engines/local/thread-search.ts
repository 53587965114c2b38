import type { SpareCores } from './spare-cores.ts'

/** What a step of the engine does: read a piece of a prompt, or write a token. */
export type Work = 'reading' | 'writing'

/** Finds the number of threads with which one kind of work is fastest, while other programs come and go. */
export type ThreadSearch = {
  /** The number that was found to be best so far. */
  readonly chosen: number
  /** The number for the next step: the chosen one, or one that is being tried. */
  readonly next: number
  /** Whether it is time to try more threads, if there are cores for them. */
  readonly isDue: boolean
  /** A step of so many tokens took this long with `next` threads. Tells when the machine has turned out to be busy or quiet. */
  took(ms: number, tokens: number): Change | undefined
  /** Other tokens come now, whose times say nothing about the ones before. */
  restart(): void
  /** There was a long rest: whether the machine is still busy has to be found out again. */
  beginAgain(): void
  /** The other kind of work has found out that the machine has changed. */
  follow(change: Change): void
}

/** With how many threads a machine that has changed is worked with, and for how long that is not put to the test. */
export type Change = { to: 'fewer' | 'more'; threads: number; waitMs: number }

/** A sample is at least this long: shorter times are mostly noise. */
const sampleMs = 8
/** So many samples before a trial and in it. Times of tokens vary, a piece of a prompt is an average in itself. */
const samples = {
  reading: { before: 1, trial: 1, slightlyLate: 1, veryLate: 1 },
  writing: { before: 4, trial: 3, slightlyLate: 3, veryLate: 2 },
}
/** From so many times the usual on a step is late. */
const late = { slightly: 1.4, very: 3 }
/** One step as late as this, and as long, is enough. */
const hopeless = { times: 10, ms: 600 }
/**
 * What is tried must be clearly better to be kept, most of all fewer threads without a reason. A trial is over at once when
 * it is as bad as the last number.
 */
const verdict = { better: 0.94, fewer: 0.88, hopeless: 1.5 }
/** The first samples pay for what is only now brought into memory. */
const warmSamples = 3
/** How much a step counts in what is usual. A fast one shows what is possible, a slow one may have had to wait. */
const share = { faster: 1 / 4, slower: 1 / 32 }
/**
 * The time between two trials of more threads doubles between these bounds, and goes beyond them for trials so costly
 * that they would take more than this share of the time. After steps that came late it is no longer than `lateMs`, since
 * whatever that was may be over, and short where the system tells whether there are cores to spare.
 */
const pause = { leastMs: 1_000, mostMs: 8_000, share: 0.03, costlyMs: 60_000, lateMs: 4_000, shortMs: 500 }
/** So much of every further core must have been idle for a trial of more threads. */
const idleShare = 0.6
/** A machine that has stayed quiet for so long after threads were added is not one that comes and goes. */
const quietMs = 10_000
/** Samples between two trials of fewer threads while steps are slightly late; they double with every one in vain. */
const rest = { least: 8, most: 512 }

/** Why numbers are tried: to find out whether fewer or more are better, or because steps come late, perhaps very late. */
type Reason = 'search' | 'late' | 'very late'
type Trial = { at: number; times: number[]; ms: number; tokens: number; reason: Reason }

/**
 * Search among the numbers from one to `most`, beginning with all of them. Late steps lead to a trial of half the
 * threads, a while without them to one of more; a trial lasts a few tokens beside those just before it. Trials of more
 * threads that were in vain become rarer, because one of them may cost as much as a hundred tokens: all threads of a step
 * wait for one that the system has put aside. That is also why there are none while the system says that no core is idle.
 */
export function searchThreads(work: Work, most: number, cores: SpareCores): ThreadSearch {
  const numbers = numbersUpTo(most)
  const top = numbers.length - 1
  const needed = samples[work]
  const usual = new Map<number, number>()
  /** Where to begin again after a rest: what is best on a quiet machine. */
  let home = top
  let at = home
  let trial: Trial | undefined
  let recent: { time: number; ms: number; isLate: boolean }[] = []
  let sample = { ms: 0, tokens: 0 }
  let warmLeft = warmSamples
  /** Whether it is not known yet that fewer are no better. */
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
  /** Very late steps are reason enough for the other kind of work not to wait for the end of the trial. */
  const begin = (index: number, reason: Reason): Change | undefined => {
    // What came in time was another machine.
    if (reason !== 'search') recent = recent.slice(recent.findIndex(step => step.isLate))
    trial = { at: index, times: [], ms: 0, tokens: 0, reason }
    if (reason !== 'very late') return undefined
    return { to: 'fewer', threads: numberAt(index), waitMs: pause.leastMs }
  }
  const half = () => numbers.findLastIndex(number => number <= Math.max(1, numberAt(at) / 2))

  /** Try no more threads for so long, or longer if that has just lost a lot of time. */
  const wait = (ms: number, lostMs: number) => {
    pauseMs = Math.min(Math.max(ms, pause.leastMs), pause.mostMs)
    waitMs = Math.max(pauseMs, Math.min(lostMs / pause.share, pause.costlyMs))
  }

  /** Take in what a step took, and tell whether it was late. */
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
      // So this is what a step takes now: the conversation may have become long.
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

  /** Whether there seem to be cores for the next number of threads. Without any, the question can wait. */
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
    took(ms, tokens) {
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
    beginAgain() {
      sample = { ms: 0, tokens: 0 }
      choose(home)
      waitMs = pause.leastMs
      pauseMs = pause.leastMs
      sinceRiseMs = quietMs
    },
    follow({ to, threads, waitMs: longest }) {
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

/** The numbers that are worth trying: every one up to four, then in steps of a third or so, and one less than all. */
export function numbersUpTo(most: number): number[] {
  const steps = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256].filter(number => number < most)
  return [...new Set([...steps, Math.max(1, most - 1), most])].toSorted((a, b) => a - b)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
