import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp'
import type { Gate } from './gate.ts'
import { settledOrAborted } from './turns.ts'

/** One conversation's place in the context; `release` must be called once. */
export type SequenceLease = {
  sequence: LlamaContextSequence
  /**
   * To be called before every step of the work. Background work waits here while anybody is being answered; its place may
   * be used by others meanwhile, and holds the same tokens again when this resolves. False when the signal of the lease
   * has aborted: the sequence must not be touched any more.
   */
  pass(): Promise<boolean>
  /** Forget what was evaluated, as far as it is still in the place. */
  clear(): Promise<void>
  release(): void
}

/** Who asks for a place. */
export type Holder = { sessionId: string; isBackground: boolean }

/** The places of a context, each of which keeps the evaluated tokens of the conversation that had it last. */
export type SequencePool = {
  /** Wait for a place; undefined when `signal` aborts first. */
  lease(holder: Holder, signal: AbortSignal): Promise<SequenceLease | undefined>
  /** What a conversation has in its place is nobody’s from now on, and so is never saved. */
  forget(sessionId: string): void
  /** Conversations that are being worked on right now. */
  readonly active: number
}

/** What the pool does with tokens: `keep` saves those that may be wanted again, `refill` makes a sequence hold exactly `tokens`. */
export type Contents = {
  keep(sequence: LlamaContextSequence): Promise<void>
  /** Stops half-way as soon as `goesOn` says no. */
  refill(sequence: LlamaContextSequence, tokens: Token[], goesOn: () => boolean): Promise<void>
}

type Place = {
  sequence: LlamaContextSequence
  /** Whose tokens it holds. */
  owner: Holder
  usedAt: number
  worker: Worker | undefined
  /** Background work that had to give way in the middle, and will want exactly this place again. */
  displaced: Worker | undefined
}

type Worker = Holder & {
  place: Place
  /** It waits for the gate, so that others may have its place. */
  isWaiting: boolean
  /** What its sequence held when others took the place. */
  lost: Token[] | undefined
}

const nobody: Holder = { sessionId: '', isBackground: true }

/** Make the pool for a context; a conversation gets its old place back unless another one needed it since. */
export function createSequencePool(context: LlamaContext, gate: Gate, contents: Contents): SequencePool {
  const places: Place[] = []
  let waiting: (() => void)[] = []
  let clock = 0

  /** Everybody looks again, in the order of coming: a place may suit one conversation and not the other. */
  const wake = () => {
    const awake = waiting
    waiting = []
    for (const resolve of awake) resolve()
  }
  const change = (signal: AbortSignal) =>
    settledOrAborted(new Promise<void>(resolve => waiting.push(resolve)), signal)
  gate.onOpen(wake)

  const choose = ({ sessionId, isBackground }: Holder): Place | undefined => {
    if (isBackground && !gate.isOpen) return undefined
    const isFree = (place: Place) =>
      isBackground ? !place.worker && !place.displaced : !place.worker || place.worker.isWaiting
    const own = places.find(place => place.owner.sessionId === sessionId)
    if (own) return isFree(own) ? own : undefined
    if (context.sequencesLeft > 0) return open()
    // What was left by background work is missed the least, and what it is in the middle of the most.
    const cost = ({ worker, displaced, owner }: Place) =>
      (worker ? 4 : 0) + (displaced ? 2 : 0) + (owner.isBackground ? 0 : 1)
    return places.filter(isFree).toSorted((a, b) => cost(a) - cost(b) || a.usedAt - b.usedAt)[0]
  }

  const open = (): Place => {
    const sequence = context.getSequence({ contextShift: { strategy: refuseToForget } })
    const place = { sequence, owner: nobody, usedAt: 0, worker: undefined, displaced: undefined }
    places.push(place)
    return place
  }

  /** Put somebody to work in a place; what it holds of others is saved if it is wanted again. */
  const occupy = async (place: Place, worker: Worker): Promise<void> => {
    const { owner, sequence } = place
    const before = place.worker
    if (before && before !== worker) {
      before.lost ??= sequence.contextTokens
      place.displaced = before
    }
    if (place.displaced === worker) place.displaced = undefined
    place.worker = worker
    place.usedAt = ++clock
    const isOwn = owner.sessionId === worker.sessionId
    // A review reads on behind what its chat has evaluated, and the place stays the chat's: it will want it again.
    const isBackground = worker.isBackground && !(isOwn && !owner.isBackground)
    place.owner = { sessionId: worker.sessionId, isBackground }
    // Whoever goes on in the same conversation needs nothing saved: what matters of it stays where it is.
    const isInterrupted = before !== undefined && before.sessionId !== worker.sessionId
    const isLeft = !owner.isBackground && !isOwn
    if (isInterrupted || isLeft) await contents.keep(sequence)
  }

  const pass = async (worker: Worker, signal: AbortSignal): Promise<boolean> => {
    const { place } = worker
    const mayGoOn = () => gate.isOpen && !signal.aborted
    for (;;) {
      if (signal.aborted) return false
      if (!worker.isBackground) return true
      if (mayGoOn() && (place.worker === worker || !place.worker)) {
        worker.isWaiting = false
        if (place.worker !== worker) await occupy(place, worker)
        if (worker.lost) await contents.refill(place.sequence, worker.lost, mayGoOn)
        if (mayGoOn()) {
          worker.lost = undefined
          return true
        }
      } else {
        // Only once, or two who wait would wake each other for ever.
        if (!worker.isWaiting) wake()
        worker.isWaiting = true
        await change(signal)
      }
    }
  }

  const release = (worker: Worker) => {
    const { place } = worker
    if (place.worker === worker) place.worker = undefined
    if (place.displaced === worker) place.displaced = undefined
    wake()
  }

  return {
    get active() {
      return places.filter(({ worker }) => worker && !worker.isWaiting).length
    },
    forget(sessionId) {
      for (const place of places) if (place.owner.sessionId === sessionId) place.owner = nobody
    },
    async lease(holder, signal) {
      for (;;) {
        if (signal.aborted) return undefined
        const place = choose(holder)
        if (!place) {
          await change(signal)
          continue
        }
        const worker: Worker = { ...holder, place, isWaiting: false, lost: undefined }
        try {
          await occupy(place, worker)
        } catch (error) {
          release(worker)
          throw error
        }
        return {
          sequence: place.sequence,
          pass: () => pass(worker, signal),
          clear: async () => {
            if (place.worker === worker) await place.sequence.clearHistory()
          },
          release: () => release(worker),
        }
      }
    },
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
