import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp'
import { isTemporaryId } from '../../../../../shared/text/temporary-chats.ts'
import { settledOrAborted } from '../async-queues.ts'

/** A conversation's right to a sequence of the context. Call `release` once. */
export type SequenceLease = {
  sequence: LlamaContextSequence
  /**
   * Call before every step of the work. Background work waits here while a foreground answer is running.
   * Other work may use its sequence meanwhile, but it has the same tokens again when this resolves. False if
   * the signal of the lease has aborted: the sequence must no longer be used.
   */
  pass(): Promise<boolean>
  /** Erase the evaluated tokens, if the sequence still belongs to this lease. */
  clear(): Promise<void>
  release(): void
}

/** The conversation that requests a sequence. */
type Holder = { sessionId: string; isBackground: boolean }

/** The sequences of a context. Each keeps the evaluated tokens of its last conversation. */
export type SequencePool = {
  /** Wait for a sequence; undefined if `signal` aborts first. */
  lease(holder: Holder, signal: AbortSignal): Promise<SequenceLease | undefined>
  /** Give up the tokens of a conversation, or of all conversations, so that they are never saved. */
  forget(sessionId: string | undefined): void
  /** The idle chats whose tokens are in a sequence, most recently used first. */
  readonly held: readonly { sequence: LlamaContextSequence; sessionId: string }[]
  /** Number of conversations with work in progress. */
  readonly active: number
}

/**
 * Saves and restores the tokens of a sequence. `keep` saves tokens that may be needed again, by a chat or by
 * no particular one. `refill` makes a sequence contain exactly `tokens`.
 */
export type SequenceStore = {
  keep(sequence: LlamaContextSequence, sessionId: string | undefined): Promise<void>
  /** Stops early if `goesOn` returns false. */
  refill(sequence: LlamaContextSequence, tokens: Token[], goesOn: () => boolean): Promise<void>
}

type Slot = {
  sequence: LlamaContextSequence
  /** The conversation whose tokens the sequence contains. */
  owner: Holder
  usedAt: number
  worker: Worker | undefined
  /** Background work that was interrupted and will need exactly this sequence again. */
  displaced: Worker | undefined
}

type Worker = Holder & {
  slot: Slot
  /** Whether the worker waits for the gate, so that other work may use its sequence. */
  isWaiting: boolean
  /** The tokens of the worker's sequence when other work took it. */
  lost: Token[] | undefined
}

const nobody: Holder = { sessionId: '', isBackground: true }

/** Create the pool for a context. A conversation gets its old sequence back unless it was taken since. */
export function createSequencePool(
  context: LlamaContext,
  gate: ForegroundGate,
  contents: SequenceStore,
): SequencePool {
  const slots: Slot[] = []
  let waiting: (() => void)[] = []
  let clock = 0

  /** Let all waiters check again, in order of arrival: a sequence may suit only some conversations. */
  const wake = () => {
    const awake = waiting
    waiting = []
    for (const resolve of awake) resolve()
  }
  const change = (signal: AbortSignal) =>
    settledOrAborted(new Promise<void>(resolve => waiting.push(resolve)), signal)
  gate.onOpen(wake)

  const choose = ({ sessionId, isBackground }: Holder): Slot | undefined => {
    if (isBackground && !gate.isOpen) return undefined
    const isFree = (slot: Slot) =>
      isBackground ? !slot.worker && !slot.displaced : !slot.worker || slot.worker.isWaiting
    const own = slots.find(slot => slot.owner.sessionId === sessionId)
    if (own) return isFree(own) ? own : undefined
    if (context.sequencesLeft > 0) return open()
    // Prefer to evict leftovers of background work, and avoid evicting interrupted work.
    const cost = ({ worker, displaced, owner }: Slot) =>
      (worker ? 4 : 0) + (displaced ? 2 : 0) + (owner.isBackground ? 0 : 1)
    return slots.filter(isFree).toSorted((a, b) => cost(a) - cost(b) || a.usedAt - b.usedAt)[0]
  }

  const open = (): Slot => {
    const sequence = context.getSequence({ contextShift: { strategy: refuseToForget } })
    const slot = { sequence, owner: nobody, usedAt: 0, worker: undefined, displaced: undefined }
    slots.push(slot)
    return slot
  }

  /** Assign a sequence to a worker. Saves the previous conversation's tokens if they may be needed again. */
  const occupy = async (slot: Slot, worker: Worker): Promise<void> => {
    const { owner, sequence } = slot
    const before = slot.worker
    if (before && before !== worker) {
      before.lost ??= sequence.contextTokens
      slot.displaced = before
    }
    if (slot.displaced === worker) slot.displaced = undefined
    slot.worker = worker
    slot.usedAt = ++clock
    const isOwn = owner.sessionId === worker.sessionId
    // A review continues from its chat's tokens. The chat stays the owner, because it will need them again.
    const isBackground = worker.isBackground && !(isOwn && !owner.isBackground)
    slot.owner = { sessionId: worker.sessionId, isBackground }
    // Within the same conversation nothing needs to be saved: the shared tokens stay in place.
    const isInterrupted = before !== undefined && before.sessionId !== worker.sessionId
    const isLeft = !owner.isBackground && !isOwn
    const isTemporary = [owner, before].some(each => each && isTemporaryId(each.sessionId))
    if ((isInterrupted || isLeft) && !isTemporary)
      await contents.keep(sequence, owner.isBackground ? undefined : owner.sessionId)
  }

  const pass = async (worker: Worker, signal: AbortSignal): Promise<boolean> => {
    const { slot } = worker
    const mayGoOn = () => gate.isOpen && !signal.aborted
    for (;;) {
      if (signal.aborted) return false
      if (!worker.isBackground) return true
      if (mayGoOn() && (slot.worker === worker || !slot.worker)) {
        worker.isWaiting = false
        if (slot.worker !== worker) await occupy(slot, worker)
        if (worker.lost) await contents.refill(slot.sequence, worker.lost, mayGoOn)
        if (mayGoOn()) {
          worker.lost = undefined
          return true
        }
      } else {
        // Wake the others only once, or two waiters would wake each other forever.
        if (!worker.isWaiting) wake()
        worker.isWaiting = true
        await change(signal)
      }
    }
  }

  const release = (worker: Worker) => {
    const { slot } = worker
    if (slot.worker === worker) slot.worker = undefined
    if (slot.displaced === worker) slot.displaced = undefined
    wake()
  }

  return {
    get active() {
      return slots.filter(({ worker }) => worker && !worker.isWaiting).length
    },
    forget(sessionId) {
      for (const slot of slots)
        if (sessionId === undefined || slot.owner.sessionId === sessionId) slot.owner = nobody
    },
    get held() {
      return slots
        .filter(({ owner, worker }) => !owner.isBackground && !worker)
        .toSorted((a, b) => b.usedAt - a.usedAt)
        .map(({ sequence, owner: { sessionId } }) => ({ sequence, sessionId }))
    },
    async lease(holder, signal) {
      for (;;) {
        if (signal.aborted) return undefined
        const slot = choose(holder)
        if (!slot) {
          await change(signal)
          continue
        }
        const worker: Worker = { ...holder, slot, isWaiting: false, lost: undefined }
        try {
          await occupy(slot, worker)
        } catch (error) {
          release(worker)
          throw error
        }
        return {
          sequence: slot.sequence,
          pass: () => pass(worker, signal),
          clear: async () => {
            if (slot.worker === worker) await slot.sequence.clearHistory()
          },
          release: () => release(worker),
        }
      }
    },
  }
}

/** Throw: the library would otherwise drop the start of a full context, which is the system prompt. */
function refuseToForget(): never {
  throw new ContextFullError()
}

/** The context has no free token left. This occurs only if the check before evaluating was wrong. */
export class ContextFullError extends Error {
  override readonly name = 'ContextFullError'
}

/** Holds back background work while a foreground answer is running. */
export type ForegroundGate = {
  readonly isOpen: boolean
  /** Register a running answer. The returned function ends it. */
  enter(): () => void
  /** Call `listener` whenever the gate opens. */
  onOpen(listener: () => void): void
}

/** Create an open gate. */
export function createForegroundGate(): ForegroundGate {
  const listeners: (() => void)[] = []
  let inside = 0
  return {
    get isOpen() {
      return inside === 0
    },
    enter() {
      inside++
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        inside--
        if (inside === 0) for (const listener of listeners) listener()
      }
    },
    onOpen: listener => void listeners.push(listener),
  }
}
