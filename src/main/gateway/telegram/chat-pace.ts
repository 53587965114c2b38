/** What time it is in ms, and a wait that ends early when the signal is aborted. */
export type PaceClock = {
  now(this: void): number
  wait(this: void, ms: number, signal?: AbortSignal): Promise<void>
}

/** When something may be sent to one chat. Everything that goes there asks the same pace. */
export type ChatPace = {
  /** Wait until it may be sent, behind those that asked before. False: the signal ended the wait. */
  awaitTurn(signal?: AbortSignal): Promise<boolean>
  /** Take a turn if there is one now, and return 0; else after how many ms to ask again. */
  tryTurn(): number
  /** How long Telegram still asks to wait, in ms. */
  pauseLeft(): number
  /** Send nothing before so many seconds have passed, because Telegram said so: each call before makes it longer. */
  pauseFor(seconds: number): void
}

/** Telegram's limits are not published: one message or edit a second is what a private chat takes. */
const PRIVATE_MS = 1_000
/** A group takes twenty a minute. */
const GROUP_MS = 3_000

/** Create the pace of one chat. */
export function createChatPace({ now, wait }: PaceClock, { isGroup = false } = {}): ChatPace {
  const between = isGroup ? GROUP_MS : PRIVATE_MS
  let free = 0
  let pausedUntil = 0
  let last: Promise<unknown> = Promise.resolve()

  async function takeTurn(signal: AbortSignal | undefined): Promise<boolean> {
    // A pause may begin while this one waits.
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
