import { on } from 'node:events'
import { basename } from 'node:path'
import { Worker, type Transferable } from 'node:worker_threads'
import { Fault } from '../../shared/rpc.ts'
import type { ThreadNews, ThreadOrder } from './inside-thread.ts'
import { untilAborted, withinTime } from '../lib/timing.ts'

/** A thread ended while it had work, for example because it ran out of memory. */
export class ThreadEnded extends Error {}

/** A separate thread for one kind of work. It starts with its first job, and again if it has ended early. */
export type Thread<T> = {
  /**
   * Queue a job and yield its items. Leaving the loop or aborting `signal` stops it and waits until it has
   * cleaned up. Objects in `handedOver` are moved to the thread instead of copied. Throws the job's Fault, or
   * `ThreadEnded` if the thread ended.
   */
  run(job: unknown, signal: AbortSignal, handedOver?: readonly Transferable[]): AsyncGenerator<T, void, void>
  /** Stop the current job, and end the thread. */
  close(): Promise<void>
}

type Options = {
  /** The script's `workerData`. */
  data?: unknown
  /** How long a stopped job may clean up before the thread is terminated, in ms. */
  cleaningMs?: number
  /** Maximum memory for the thread's objects in MB; a thread that exceeds it ends. */
  memoryMb?: number
}

const CLEANING_MS = 5_000

/** Prepare a thread. Its script, a file (`entryPath`), calls `workInThread`. */
export function openThread<T>(
  script: string,
  { data, cleaningMs = CLEANING_MS, memoryMb }: Options = {},
): Thread<T> {
  let worker: Worker | undefined
  let last = Promise.resolve()
  const closing = new AbortController()

  function start(): Worker {
    const resourceLimits = memoryMb === undefined ? {} : { maxOldGenerationSizeMb: memoryMb, stackSizeMb: 8 }
    const started = new Worker(script, { workerData: data, env: {}, execArgv: [], resourceLimits })
    const forget = () => {
      if (worker === started) worker = undefined
    }
    // A pending job receives the error as well. Without a listener, an error would end the process.
    started.on('error', forget)
    started.once('exit', forget)
    return started
  }

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const post = (thread: Worker, order: ThreadOrder, handedOver: readonly Transferable[] = []) =>
    thread.postMessage(order, handedOver)

  async function* follow(
    job: unknown,
    signal: AbortSignal,
    handedOver: readonly Transferable[],
  ): AsyncGenerator<T, void, void> {
    const thread = (worker ??= start())
    thread.ref()
    const news = on(thread, 'message', { close: ['exit'] })[Symbol.asyncIterator]()
    const next = async () => (await news.next()) as IteratorResult<[ThreadNews<T>], undefined>
    let isOver = false
    let timer: NodeJS.Timeout | undefined
    const stop = () => {
      post(thread, { type: 'stop' })
      timer ??= setTimeout(() => void thread.terminate(), cleaningMs)
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      post(thread, { type: 'do', job }, handedOver)
      for (;;) {
        const { value, done } = await next()
        if (done) {
          isOver = true
          throwIfStopped(signal)
          throw new ThreadEnded(`The thread ${basename(script)} ended early.`)
        }
        const [said] = value
        isOver = said.type !== 'item'
        if (said.type === 'end') return
        if (said.type === 'fault') throw new Fault(said.code, said.message)
        if (said.type === 'bug') throw new Error(`The thread ${basename(script)} failed: ${said.stack}`)
        yield said.item
        throwIfStopped(signal)
        post(thread, { type: 'more' })
      }
    } catch (error) {
      if (error instanceof Fault) throw error
      throwIfStopped(signal)
      if (worker === thread || error instanceof ThreadEnded) throw error
      // An uncaught error has ended the thread.
      isOver = true
      throw new ThreadEnded(`The thread ${basename(script)} ended early.`, { cause: error })
    } finally {
      signal.removeEventListener('abort', stop)
      if (!isOver) {
        stop()
        while (!isOver) {
          const { value, done } = await next().catch(() => ({ value: undefined, done: true as const }))
          isOver = done === true || value?.[0].type !== 'item'
        }
      }
      clearTimeout(timer)
      await news.return?.()
      thread.unref()
    }
  }

  return {
    async *run(job, given, handedOver = []) {
      const signal = AbortSignal.any([given, closing.signal])
      const before = last
      const ended = Promise.withResolvers<void>()
      last = before.then(() => ended.promise)
      try {
        await untilAborted(before, signal)
        throwIfStopped(signal)
        yield* follow(job, signal, handedOver)
      } finally {
        ended.resolve()
      }
    },
    async close() {
      closing.abort(new Fault('cancelled', 'Talaria is closing.'))
      await last
      const thread = worker
      if (!thread) return
      const ended = new Promise<void>(resolve => thread.once('exit', () => resolve()))
      post(thread, { type: 'close' })
      if (!(await withinTime(cleaningMs, ended))) await thread.terminate()
    },
  }
}

function throwIfStopped({ aborted, reason }: AbortSignal): void {
  if (aborted) throw reason instanceof Fault ? reason : new Fault('cancelled', 'Cancelled.')
}

/** Run one job in a new thread, as `Thread.run` does. */
export async function* runInThread<T>(
  script: string,
  job: unknown,
  signal: AbortSignal,
  { handedOver, ...options }: Pick<Options, 'cleaningMs'> & { handedOver?: readonly Transferable[] } = {},
): AsyncGenerator<T, void, void> {
  const thread = openThread<T>(script, options)
  try {
    yield* thread.run(job, signal, handedOver)
  } finally {
    await thread.close()
  }
}
