import { fork } from 'node:child_process'
import type { SpawnEngine, EngineChild } from '../../../interface/engine-child.ts'
import { entryPath } from '../../../../lib/disk/shipped-files.ts'
import { tidyUp } from '../../../../lib/processes/tidy-up.ts'
import type { EnginePort } from './serve-engine.ts'
import { isFromEngine, pulseMs, type EngineProgress, type EngineResult, type ToEngine } from './protocol.ts'

/**
 * Start the engine as a child process of plain Node. Its output is discarded, because our own output may be
 * data for another program.
 */
export const forkEngine: SpawnEngine = (script, env, switches) => {
  const child = fork(script, [], {
    env,
    execArgv: switches,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = Promise.withResolvers<string>()
  child.once('exit', (code, signal) => ended.resolve(signal ?? String(code)))
  child.on('error', error => ended.resolve(error.message))
  return {
    // Messages to a dying process get lost. Its exit event follows soon enough.
    post: message => void (child.connected && child.send(message as object, () => undefined)),
    onMessage: listener => child.on('message', listener),
    onExit: listener => void ended.promise.then(listener),
    kill: () => void tidyUp('end an engine', () => child.kill('SIGKILL')),
  }
}

/** Start the engine in its own process. Throws what `spawn` throws. */
export const startEngineProcess = (spawn: SpawnEngine): EngineChild =>
  spawn(entryPath('engine-process'), engineEnvironment(), engineSwitches)

/** A small young generation saves 10 MB, and decoding creates few short-lived objects. */
const engineSwitches = ['--max-semi-space-size=2']

/**
 * Return the environment of an engine: no secrets, and no slow stack traces for crashes. One libuv thread
 * keeps all decodes on one core, which is a third faster.
 */
function engineEnvironment(): NodeJS.ProcessEnv {
  const env = Object.entries(process.env).filter(
    ([name]) => !/KEY|TOKEN|SECRET|PASSWORD|NODE_OPTIONS/i.test(name),
  )
  return { ...Object.fromEntries(env), GGML_NO_BACKTRACE: '1', UV_THREADPOOL_SIZE: '1' }
}

const patienceMs = 5_000

/**
 * Start the engine inside this process, for machines where it cannot have its own. It behaves like a child
 * process: it says hello, and after `kill` it exits once its memory is freed.
 */
export function startInlineEngine(): EngineChild {
  let toHost: ((message: unknown) => void) | undefined
  let toEngine: ((message: unknown) => void) | undefined
  const exited = Promise.withResolvers<string>()
  const port: EnginePort = {
    post: message => toHost?.(message),
    onMessage: listener => (toEngine = listener),
  }
  // Imported lazily: with a separate engine process, the main process never needs it.
  const engine = import('./serve-engine.ts').then(({ serveEngine }) => serveEngine(port))
  engine.catch((error: unknown) => exited.resolve(error instanceof Error ? error.message : String(error)))
  let isKilled = false
  return {
    // Asynchronous like a pipe: a sender does not expect an answer before it continues.
    post: message => setImmediate(() => isKilled || toEngine?.(message)),
    onMessage: listener => (toHost = listener),
    onExit: listener => void exited.promise.then(listener),
    kill() {
      if (isKilled) return
      isKilled = true
      // Abandon native work that does not stop, so that callers waiting for the exit can continue.
      setTimeout(() => exited.resolve('0'), patienceMs).unref()
      void engine
        .then(engine => engine.close())
        .then(
          () => exited.resolve('0'),
          (error: unknown) => exited.resolve(String(error)),
        )
    },
  }
}

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
  /** True after the engine's `hello`; false if it exits or stays silent instead. */
  readonly hello: Promise<boolean>
  /** Resolves after the engine has exited, with its exit code or the name of a signal. */
  readonly ended: Promise<string>
  /** Ask a question. Never rejects. If the engine is lost, every open question ends as `lost`. */
  ask(
    question: Question,
    options?: { signal?: AbortSignal; onProgress?: (event: EngineProgress) => void },
  ): Promise<EngineResult | { kind: 'lost'; how: string }>
  /** End the engine and wait until it is gone. */
  end(): Promise<void>
}

const limits = {
  /** How long to wait for `hello`. Starting takes a fraction of a second, even on slow machines. */
  helloMs: 30_000,
  /** How long to wait after a cancel. Stopping takes a fraction of a second; a slower engine is stuck. */
  cancelMs: 5_000,
  /** Maximum missed heartbeats while there is work. Not a time: the clock jumps when a machine sleeps. */
  silentBeats: 15,
}

/** Connect to an engine that was just started. Its own description of a crash goes to `report`. */
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

  child.onMessage(message => tidyUp('read what an engine said', () => hear(message)))
  function hear(message: unknown): void {
    if (!isFromEngine(message)) return
    silence = 0
    if (message.t === 'hello') hello.resolve(true)
    else if (message.t === 'crash') report(new Error(`The engine crashed: ${message.trace}`))
    else if (message.t === 'end') {
      pending.get(message.id)?.resolve(message.result)
      pending.delete(message.id)
    } else if (message.t !== 'pulse') pending.get(message.id)?.onProgress(message)
  }
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
