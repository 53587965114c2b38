import type { EngineChild } from '../../../app/host-types.ts'
import { isFromEngine, pulseMs } from './protocol.ts'
import type { EngineProgress, EngineResult, ToEngine } from './protocol.ts'

/** A question without its id. */
type Question = ToEngine extends infer M
  ? M extends { t: 'cancel' }
    ? never
    : M extends ToEngine
      ? Omit<M, 'id'>
      : never
  : never

/** The host's end of a connection to an engine. */
export type EngineLink = {
  /** True when the engine says hello; false when it exits or stays silent first. */
  readonly hello: Promise<boolean>
  /** Resolves when the engine has exited, with its exit code or the name of a signal. */
  readonly ended: Promise<string>
  /** Ask a question; never rejects. If the engine is lost, every open question ends as `lost`. */
  ask(
    question: Question,
    options?: { signal?: AbortSignal; onProgress?: (event: EngineProgress) => void },
  ): Promise<EngineResult | { kind: 'lost'; how: string }>
  /** End the engine and wait until it is gone. */
  end(): Promise<void>
}

const limits = {
  /** Starting a process takes a fraction of a second, even on slow machines. */
  helloMs: 30_000,
  /** Stopping takes a fraction of a second. An engine that misses this deadline is stuck. */
  cancelMs: 5_000,
  /** Missed heartbeats while there is work. They are counted, because the clock jumps when a machine sleeps. */
  silentBeats: 15,
}

/** Connect to an engine that was just started. Its own account of a crash goes to `report`. */
export function openLink(child: EngineChild, report: (error: unknown) => void): EngineLink {
  const hello = Promise.withResolvers<boolean>()
  const ended = Promise.withResolvers<string>()
  const pending = new Map<number, Pending>()
  let endedAs: string | undefined
  let lastId = 0
  let silence = 0

  const helloTimer = setTimeout(() => hello.resolve(false), limits.helloMs)
  const beat = setInterval(() => {
    silence = pending.size === 0 ? 0 : silence + 1
    if (silence > limits.silentBeats) child.kill()
  }, pulseMs)
  beat.unref()

  child.onMessage(message => {
    if (!isFromEngine(message)) return
    silence = 0
    if (message.t === 'hello') hello.resolve(true)
    else if (message.t === 'crash') report(new Error(`The engine crashed: ${message.trace}`))
    else if (message.t === 'end') {
      pending.get(message.id)?.resolve(message.result)
      pending.delete(message.id)
    } else if (message.t !== 'pulse') pending.get(message.id)?.onProgress(message)
  })
  child.onExit(how => {
    clearInterval(beat)
    clearTimeout(helloTimer)
    endedAs = how
    hello.resolve(false)
    ended.resolve(how)
    for (const each of pending.values()) each.resolve({ kind: 'lost', how })
    pending.clear()
  })

  return {
    hello: hello.promise.finally(() => clearTimeout(helloTimer)),
    ended: ended.promise,
    async ask(question, { signal, onProgress = () => undefined } = {}) {
      if (endedAs !== undefined) return { kind: 'lost', how: endedAs }
      const id = ++lastId
      const answer = Promise.withResolvers<Answer>()
      pending.set(id, { resolve: answer.resolve, onProgress })
      let timer: NodeJS.Timeout | undefined
      const cancel = () => {
        child.post({ t: 'cancel', id } satisfies ToEngine)
        timer = setTimeout(() => child.kill(), limits.cancelMs)
      }
      child.post({ ...question, id } satisfies ToEngine)
      if (signal?.aborted) cancel()
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        return await answer.promise
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
      }
    },
    async end() {
      child.kill()
      await ended.promise
    },
  }
}

type Answer = EngineResult | { kind: 'lost'; how: string }
type Pending = { resolve(answer: Answer): void; onProgress(event: EngineProgress): void }
