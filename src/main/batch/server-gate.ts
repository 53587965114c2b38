import type { CompletionEvent, EngineFailure, LlmEngine, Prompt } from '../models/interface/engine.ts'

/** Back-off while a server is down, in ms. It doubles with each failure. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 120_000
/** Maximum wait that a server may ask for, in ms. */
const LONGEST_ASKED_MS = 3_600_000
/** Failures of one request, on a server that answers others, after which the request is at fault. */
const MOST_FAILURES = 4

/** The effect of a failure. `wait`: requests fail for a while. `stop`: all fail until the user acts. */
type Meaning = 'wait' | 'stop' | 'of the request'

/** Why the gate is closed, and until when, in epoch ms. */
type Closed = { text: string; until: number }

/**
 * Holds back all attempts' requests while their server is down, overloaded or rate-limited, so that no
 * attempt fails for that. After the wait one request is let through; the others follow once it was answered.
 */
export type ServerGate = {
  /** Put an engine behind the gate. */
  guard<E extends LlmEngine>(engine: E): E
  /** Hold back each request of a session until `until` resolves. */
  hold(sessionId: string, until: () => Promise<void>): void
  /** Forget a session. */
  letGo(sessionId: string): void
  /** Judge a failure that happened before any request, such as a missing model. */
  judge(failure: EngineFailure): void
  /** Whether a request of this session broke off midway, which voids its attempt. Asking resets it. */
  wasBroken(sessionId: string): boolean
  readonly closed: Closed | undefined
}

export function createServerGate({
  now,
  onChange,
  stop,
}: {
  now(): number
  /** The gate closed or opened. */
  onChange(): void
  /** No request can succeed until the user acts. */
  stop(failure: EngineFailure): void
}): ServerGate {
  let closed: Closed | undefined
  let failures = 0
  let answered = 0
  let isTrying = false
  /** Waiting requests in order. A request that has failed moves to the end. */
  const waiting: object[] = []
  let wake = Promise.withResolvers<void>()
  const broken = new Set<string>()
  const held = new Map<string, () => Promise<void>>()

  function wakeAll() {
    wake.resolve()
    wake = Promise.withResolvers()
  }
  function changed() {
    wakeAll()
    onChange()
  }
  function open() {
    answered++
    failures = 0
    isTrying = false
    if (!closed) return
    closed = undefined
    changed()
  }
  function close({ text, waitMs = 0 }: EngineFailure) {
    isTrying = false
    // Requests already sent when the gate closed fail too. All they add is how long to wait.
    const isNew = !closed || now() >= closed.until
    const backOff = isNew ? Math.min(FIRST_WAIT_MS * 2 ** failures++, LONGEST_WAIT_MS) : 0
    const until = now() + Math.min(Math.max(backOff, waitMs), LONGEST_ASKED_MS)
    closed = { text, until: Math.max(until, closed?.until ?? 0) }
    changed()
  }

  /** Wait until a request may be sent. Resolves immediately if `signal` aborts. */
  async function pass(signal: AbortSignal): Promise<void> {
    const own = {}
    waiting.push(own)
    try {
      for (;;) {
        if (!closed || signal.aborted) return
        const wait = closed.until - now()
        if (wait <= 0 && !isTrying && waiting[0] === own) {
          isTrying = true
          return
        }
        await nextChange(wait > 0 ? wait : undefined, signal)
      }
    } finally {
      waiting.splice(waiting.indexOf(own), 1)
      if (signal.aborted) wakeAll()
    }
  }
  async function nextChange(ms: number | undefined, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = ms === undefined ? undefined : setTimeout(resolve, Math.min(ms, 2 ** 31 - 1))
    const leave = () => resolve()
    signal.addEventListener('abort', leave, { once: true })
    await Promise.race([promise, wake.promise])
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }

  function guard<E extends LlmEngine>(engine: E): E {
    async function* complete(
      prompt: Prompt,
      signal: AbortSignal,
    ): AsyncGenerator<CompletionEvent, void, void> {
      await held.get(prompt.sessionId)?.()
      const answeredBefore = answered
      for (let tries = 1; ; tries++) {
        await pass(signal)
        if (signal.aborted) return
        const failure = yield* once(engine, prompt, signal)
        if (!failure) return
        const isPoison =
          failure.code !== 'rate_limited' &&
          failure.code !== 'unreachable' &&
          tries >= MOST_FAILURES &&
          answered > answeredBefore
        if (!isPoison) close(failure)
        else {
          open()
          yield { type: 'failed', ...failure }
          return
        }
      }
    }
    return { ...engine, complete }
  }

  /** Send a request once. Returns a failure that should be waited for, and yields any other outcome. */
  async function* once(
    engine: LlmEngine,
    prompt: Prompt,
    signal: AbortSignal,
  ): AsyncGenerator<CompletionEvent, EngineFailure | undefined, void> {
    let hasSaid = false
    try {
      for await (const event of engine.complete(prompt, signal)) {
        if (event.type === 'failed') {
          const meaning = meaningOf(event)
          if (meaning === 'wait' && !hasSaid) return event
          if (meaning === 'wait') {
            broken.add(prompt.sessionId)
            close(event)
          } else if (meaning === 'stop') stop(event)
          else open()
        } else if (event.type === 'done') open()
        else if (event.type === 'text' || event.type === 'reasoning' || event.type === 'call') hasSaid = true
        yield event
      }
      return undefined
    } finally {
      // The caller stopped midway, or had received enough.
      if (isTrying && (signal.aborted || hasSaid)) {
        isTrying = false
        wakeAll()
      }
    }
  }

  return {
    guard,
    hold: (sessionId, until) => void held.set(sessionId, until),
    letGo: sessionId => void held.delete(sessionId),
    judge(failure) {
      if (meaningOf(failure) === 'stop') stop(failure)
    },
    wasBroken: sessionId => broken.delete(sessionId),
    get closed() {
      return closed
    },
  }
}

/** `refused` includes content filters, which concern a single request. */
function meaningOf({ code, elsewhere }: EngineFailure): Meaning {
  switch (code) {
    case 'rate_limited':
    case 'unreachable':
    case 'engine_gone':
      return 'wait'
    case 'internal':
      return elsewhere ? 'wait' : 'of the request'
    case 'refused':
      return elsewhere ? 'stop' : 'of the request'
    case 'model_missing':
    case 'model_unreadable':
    case 'out_of_memory':
      return 'stop'
    default:
      return 'of the request'
  }
}
