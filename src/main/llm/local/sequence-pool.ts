import type { LlamaContext, LlamaContextSequence } from 'node-llama-cpp'

/** One conversation's place in the context; `release` must be called once. */
export type SequenceLease = { sequence: LlamaContextSequence; release(): void }

/** The places of a context, each of which keeps the evaluated tokens of the conversation that had it last. */
export type SequencePool = {
  /** Wait for a place; undefined when `signal` aborts first. */
  lease(sessionId: string, signal: AbortSignal): Promise<SequenceLease | undefined>
  /** Conversations that are being worked on right now. */
  readonly active: number
}

type Place = { sequence: LlamaContextSequence; sessionId: string; busy: boolean; usedAt: number }

/** Make the pool for a context; a conversation gets its old place back unless another one needed it since. */
export function createSequencePool(context: LlamaContext): SequencePool {
  const places: Place[] = []
  const waiting: (() => void)[] = []
  let clock = 0

  const choose = (sessionId: string): Place | undefined => {
    const own = places.find(place => place.sessionId === sessionId)
    if (own) return own.busy ? undefined : own
    if (context.sequencesLeft > 0) {
      const sequence = context.getSequence({ contextShift: { strategy: refuseToForget } })
      const place = { sequence, sessionId, busy: false, usedAt: 0 }
      places.push(place)
      return place
    }
    return places.filter(place => !place.busy).toSorted((a, b) => a.usedAt - b.usedAt)[0]
  }

  return {
    get active() {
      return places.filter(place => place.busy).length
    },
    async lease(sessionId, signal) {
      for (;;) {
        if (signal.aborted) return undefined
        const place = choose(sessionId)
        if (place) {
          Object.assign(place, { sessionId, busy: true, usedAt: ++clock })
          return { sequence: place.sequence, release: () => release(place) }
        }
        await new Promise<void>(resolve => {
          waiting.push(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      }
    },
  }

  function release(place: Place) {
    place.busy = false
    // Everybody looks again, in the order of coming: a place may suit one conversation and not the other.
    for (const wake of waiting.splice(0)) wake()
  }
}

/** The library would silently drop the beginning of a full context, which is the system prompt. */
function refuseToForget(): never {
  throw new ContextFullError()
}

/** The context has no room for another token; only seen if the check before evaluating was wrong. */
export class ContextFullError extends Error {
  override readonly name = 'ContextFullError'
}
