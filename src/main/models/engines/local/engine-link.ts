import type { EngineChild } from '../../host-types.ts'
import { isFromEngine, pulseMs } from './protocol.ts'
import type { EngineProgress, EngineResult, ToEngine } from './protocol.ts'

/** A question without its number. */
export type Question = ToEngine extends infer M
  ? M extends { t: 'cancel' }
    ? never
    : M extends ToEngine
      ? Omit<M, 'id'>
      : never
  : never

/** The host's end of a pipe to an engine. */
export type EngineLink = {
  /** Resolves with true when the engine says hello, and with false when it ends or stays silent before. */
  readonly hello: Promise<boolean>
  /** Resolves when the engine has ended, with its exit code or the name of a signal. */
  readonly ended: Promise<string>
  /** Ask something; never rejects. A lost engine ends every question as `lost`. */
  ask(
    question: Question,
    options?: { signal?: AbortSignal; onProgress?: (event: EngineProgress) => void },
  ): Promise<EngineResult | { kind: 'lost'; how: string }>
  /** End the engine and wait until it is gone. */
  end(): Promise<void>
}

const limits = {
  /** Starting a process takes a fraction of a second, also on slow machines. */
  helloMs: 30_000,
  /** A stop takes a fraction of a second; an engine that does not manage it in this time is beyond help. */
  cancelMs: 5_000,
  /** Beats without a pulse while there is work. They are counted, because a clock jumps when a machine sleeps. */
  silentBeats: 15,
}

/** Talk to an engine that was just started. */
export function openLink(child: EngineChild): EngineLink {
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
