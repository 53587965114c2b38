/** The current time in ms, and a wait that ends early if the signal is aborted. */
export type PaceClock = {
  now(this: void): number
  wait(this: void, ms: number, signal?: AbortSignal): Promise<void>
}

/** Limits the rate of sending to one chat. All messages to it share one pace. */
export type ChatPace = {
  /** Wait for a turn, after earlier callers. False: the signal ended the wait. */
  awaitTurn(signal?: AbortSignal): Promise<boolean>
  /** Take a turn if one is free, and return 0; else return in how many ms to try again. */
  tryTurn(): number
  /** Return how long Telegram still wants us to wait, in ms. */
  pauseLeft(): number
  /** Send nothing for so many seconds, as Telegram demands. Calling earlier would prolong the wait. */
  pauseFor(seconds: number): void
}

/** Ms between messages in a private chat. Telegram's limits are not published; one per second works. */
const PRIVATE_MS = 1_000
/** Time between messages in a group, in ms: twenty per minute. */
const GROUP_MS = 3_000

/** Create the pace of one chat. */
export function createChatPace({ now, wait }: PaceClock, { isGroup = false } = {}): ChatPace {
  const between = isGroup ? GROUP_MS : PRIVATE_MS
  let free = 0
  let pausedUntil = 0
  let last: Promise<unknown> = Promise.resolve()

  async function takeTurn(signal: AbortSignal | undefined): Promise<boolean> {
    // A pause may start during this wait.
    while (free > now()) {
      await wait(free - now(), signal)
      if (signal?.aborted === true) return false
    }
    if (signal?.aborted === true) return false
    free = now() + between
    return true
  }

  return {
    awaitTurn(signal) {
      const turn = last.then(() => takeTurn(signal))
      last = turn
      return turn
    },
    tryTurn() {
      const left = Math.max(0, free - now())
      if (left === 0) free = now() + between
      return left
    },
    pauseLeft: () => Math.max(0, pausedUntil - now()),
    pauseFor(seconds) {
      pausedUntil = Math.max(pausedUntil, now() + seconds * 1_000)
      free = Math.max(free, now() + seconds * 1_000)
    },
  }
}
