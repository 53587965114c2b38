import { parentPort, receiveMessageOnPort, type Transferable } from 'node:worker_threads'
import { Fault, type FaultCode } from '../../shared/rpc.ts'

/** A message to a thread. `more` asks for the next item, which is made while the previous one is used. */
export type ThreadOrder =
  | { type: 'do'; job: unknown }
  | { type: 'more' }
  | { type: 'stop' }
  | { type: 'close' }

/** A message from a thread. Each job ends with a message other than an item. */
export type ThreadNews<T> =
  | { type: 'item'; item: T }
  | { type: 'end' }
  | { type: 'fault'; code: FaultCode; message: string }
  | { type: 'bug'; stack: string }

/** Tells a job that it must stop. */
export type Stopping = {
  signal: AbortSignal
  /** Throws if the job must stop. Call it between steps, even in work that never waits. */
  check(): void
}

/**
 * Run the jobs sent to this thread (`start-thread.ts`), one after the other. `handOver` names the parts of an
 * item that are moved instead of copied.
 */
export function workInThread<T>(
  work: (job: never, stopping: Stopping) => AsyncIterable<T>,
  handOver: (item: T) => readonly Transferable[] = () => [],
): void {
  const port = parentPort!
  let stopping = new AbortController()
  let more = Promise.withResolvers<void>()

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const say = (news: ThreadNews<T>, moved: readonly Transferable[] = []) => port.postMessage(news, moved)

  function follow(order: ThreadOrder): void {
    if (order.type === 'do') void answer(order.job)
    else if (order.type === 'close') port.close()
    else {
      if (order.type === 'stop') stopping.abort(new Fault('cancelled', 'Cancelled.'))
      more.resolve()
    }
  }

  function check(): void {
    const waiting = receiveMessageOnPort(port)
    if (waiting) follow(waiting.message as ThreadOrder)
    stopping.signal.throwIfAborted()
  }

  async function answer(job: unknown): Promise<void> {
    stopping = new AbortController()
    const { signal } = stopping
    more = Promise.withResolvers()
    more.resolve()
    try {
      for await (const item of work(job as never, { signal, check })) {
        await more.promise
        more = Promise.withResolvers()
        if (signal.aborted) more.resolve()
        say({ type: 'item', item }, handOver(item))
      }
      await more.promise
      say({ type: 'end' })
    } catch (error) {
      if (error instanceof Fault) say({ type: 'fault', code: error.code, message: error.message })
      else
        say({ type: 'bug', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }

  port.on('message', follow)
}
