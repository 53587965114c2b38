/** The messages that the user offers to one run while it is running. */
export type Steering = {
  /** Resolves to whether the text was taken; false if the signal aborts or the run ends first. */
  offer(text: string, signal: AbortSignal): Promise<boolean>
  /** Pass on the offers, in order. An offer counts as taken once `give` has returned. */
  take(give: (text: string) => void): void
  /** The run has ended, so nothing will be taken. */
  end(): void
}

type Offer = { text: string; settle(isTaken: boolean): void }

/** Create the offers of a run, in memory only: the sender keeps a text until it is taken. */
export function createSteering(): Steering {
  const offers = new Set<Offer>()
  let isOver = false
  return {
    offer(text, signal) {
      if (isOver || signal.aborted) return Promise.resolve(false)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const withdraw = () => offer.settle(false)
      const offer: Offer = {
        text,
        settle(isTaken) {
          signal.removeEventListener('abort', withdraw)
          offers.delete(offer)
          resolve(isTaken)
        },
      }
      signal.addEventListener('abort', withdraw)
      offers.add(offer)
      return promise
    },
    take(give) {
      for (const offer of offers) {
        give(offer.text)
        offer.settle(true)
      }
    },
    end() {
      isOver = true
      for (const offer of offers) offer.settle(false)
    },
  }
}

/**
 * Remove a part of a draft that was given to a run. A draft is the unsent texts of a window with blank lines
 * between them; see `draft-keeper.ts`.
 */
export function draftWithout(draft: string, given: string): string {
  const parts = `\n\n${draft}\n\n`
  const at = parts.indexOf(`\n\n${given}\n\n`)
  if (given === '' || at < 0) return draft
  return (parts.slice(0, at) + parts.slice(at + given.length + 2)).slice(2, -2)
}
