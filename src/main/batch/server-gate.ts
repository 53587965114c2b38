import type { CompletionEvent, EngineFailure, LlmEngine, Prompt } from '../models/interface/engine.ts'

/** Back-off while a server is down, in ms: doubled with each failure. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 120_000
/** The longest wait that a server may ask for, in ms. */
const LONGEST_ASKED_MS = 3_600_000
/** Failures of one request, at a server that answers others, after which it is the fault of the request. */
const MOST_FAILURES = 4

/** What a failure means for the batch. `wait`: nothing may answer for a while. `stop`: no attempt can succeed until a person acts. */
type Meaning = 'wait' | 'stop' | 'of the request'

/** Why the gate is closed, and until when it stays so, in epoch ms. */
type Closed = { text: string; until: number }

/**
 * Holds the requests of all attempts back while their server is down, overloaded or limits them, so that no attempt fails for it. After
 * the wait one request is let through, and the others follow when it was answered.
 */
export type ServerGate = {
  /** The same engine behind the gate. */
  guard<E extends LlmEngine>(engine: E): E
  /** Hold back each request of a session until `until` resolves. */
  hold(sessionId: string, until: () => Promise<void>): void
  /** Forget a session. */
  letGo(sessionId: string): void
  /** Judge a failure that came before any request, such as that of a missing model. */
  judge(failure: EngineFailure): void
  /** Whether a request of this session broke off in the middle: its attempt says nothing of the row. Asking forgets it. */
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
  /** Nothing more can be done until a person acts. */
  stop(failure: EngineFailure): void
}): ServerGate {
  let closed: Closed | undefined
  let failures = 0
  let answered = 0
  let isTrying = false
  /** Those that wait, the first to try first; who failed waits behind all others. */
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
    // Those that were on their way when it closed fail too, and say nothing new but how long to wait.
    const isNew = !closed || now() >= closed.until
    const backOff = isNew ? Math.min(FIRST_WAIT_MS * 2 ** failures++, LONGEST_WAIT_MS) : 0
    const until = now() + Math.min(Math.max(backOff, waitMs), LONGEST_ASKED_MS)
    closed = { text, until: Math.max(until, closed?.until ?? 0) }
    changed()
  }

  /** Wait until a request may go; resolves at once when `signal` aborts. */
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

  /** One request. Returns a failure that is to be waited for; any other outcome is handed on. */
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
      // Left in the middle, by a stop or because what came was enough.
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

/** `refused` also stands for a filter of contents, which is about one request. */
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
