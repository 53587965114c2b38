/** Watches how long tokens take, and gives threads back to the machine when it has none to spare. */
export type TokenWatch = {
  /** A token of a reply took this long to evaluate, in milliseconds. */
  token(ms: number): void
  /** Nobody is being answered any more. */
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

/**
 * Watch the tokens of a model that has so many threads. After three tokens in a row that take five times as long as usual,
 * more of them with others in between, or one that takes seconds, half of the threads go on, down to one; all of them are
 * back as soon as the engine is idle.
 */
export function watchTokens(most: number, setThreads: (threads: number) => void): TokenWatch {
  let threads = most
  let usual: number | undefined
  let slow = 0

  const change = (to: number) => {
    slow = 0
    if (to === threads) return
    threads = to
    setThreads(to)
  }

  const learn = (ms: number) => {
    if (usual === undefined) usual = ms
    else usual += (ms - usual) * (ms < usual ? share.faster : share.slower)
  }

  return {
    token(ms) {
      const isSlow = usual !== undefined && ms > noticeableMs && ms > usual * tooSlow
      const isHopeless = isSlow && ms > hopeless.ms && ms > (usual ?? ms) * hopeless.times
      if (isSlow) slow += isHopeless ? tooManySlow : 1
      else slow = Math.max(0, slow - relief)
      if (slow >= tooManySlow) change(Math.max(1, Math.floor(threads / 2)))
      // With fewer threads a token takes longer, which must not become the usual.
      else if (!isSlow && threads === most) learn(ms)
    },
    idle: () => change(most),
  }
}
