import {
  Fault,
  notBegun,
  ToClient,
  type CallOptions,
  type Channel,
  type Client,
  type Contract,
  type ToHost,
} from './rpc.ts'

/**
 * Maximum size of a message that a client may send over a socket, in bytes; the host drops a client that
 * sends more.
 */
export const maxMessageBytes = 16 << 20

/**
 * Encode one message for a socket. A message too large for the host is refused here, where its caller gets
 * the error.
 */
export function encodeMessage(message: unknown): string {
  const text = JSON.stringify(message)
  // UTF-8 takes at most three bytes per code unit, so short texts need no counting.
  if (text.length * 3 > maxMessageBytes && new TextEncoder().encode(text).length > maxMessageBytes)
    throw new Fault('bad_input', 'This is too large to send at once. Shorten it to less than 16 MB.')
  return text
}

type Waiting = {
  kind: 'call' | 'stream'
  item(value: unknown): void
  end(value: unknown): void
  fail(fault: Fault): void
}

const cancelled = () => new Fault('cancelled', 'Cancelled.')
const disconnected = () => new Fault('disconnected', 'The host went away.')

/**
 * A typed client over any channel. Leaving a stream's loop, or aborting its signal, stops the work in the
 * host. Every failure is a `Fault`; once the channel has closed, everything pending and everything later is
 * `disconnected`, and `isNotBegun` tells what may be repeated. `isGreeted`: the host says hello when it takes
 * the channel.
 */
export function connectClient<C extends Contract>(
  contract: C,
  channel: Channel,
  { isGreeted = false } = {},
): Client<C> {
  let isTaken = !isGreeted
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let closed = false
  const post = (message: ToHost) => channel.post(message)

  channel.onMessage(raw => {
    const read = ToClient.safeParse(raw)
    isTaken = true
    if (read.success && read.data.t === 'bye') return over(notBegun())
    const id = idOf(raw)
    const caller = waiting.get(id)
    if (!caller) return
    if (read.success && read.data.t === 'item') return caller.item(read.data.value)
    waiting.delete(id)
    if (!read.success) {
      // A host of another version: fail the call, because its answer cannot be read.
      post({ t: 'cancel', id })
      caller.fail(new Fault('internal', 'The host answered in a way that this version does not understand.'))
    } else if (read.data.t === 'end') caller.end(read.data.value)
    else if (read.data.t === 'fail') caller.fail(new Fault(read.data.code, read.data.message, read.data.data))
  })
  channel.onClose(() => over(isTaken ? disconnected() : notBegun()))

  /** Fail everything pending and everything later. A stream may have started without an item. */
  function over(ofCalls: Fault) {
    closed = true
    for (const { kind, fail } of waiting.values()) fail(kind === 'call' ? ofCalls : disconnected())
    waiting.clear()
  }

  /** Start `name` and return a function that drops it and cancels it in the host if it is still running. */
  function start(name: string, input: unknown, caller: Waiting, { signal }: CallOptions) {
    if (closed) throw notBegun()
    if (signal?.aborted) throw cancelled()
    const id = ++lastId
    post({ t: 'call', id, name, input })
    waiting.set(id, caller)
    const stop = () => {
      signal?.removeEventListener('abort', abort)
      if (waiting.delete(id) && !closed) post({ t: 'cancel', id })
    }
    const abort = () => {
      stop()
      caller.fail(cancelled())
    }
    signal?.addEventListener('abort', abort, { once: true })
    return stop
  }

  const callOf =
    (name: string) =>
    async (input: unknown, options: CallOptions = {}) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const stop = start(name, input, { kind: 'call', item() {}, end: resolve, fail: reject }, options)
      return promise.finally(stop)
    }

  const streamOf = (name: string) =>
    async function* (input: unknown, options: CallOptions = {}) {
      const queue: unknown[] = []
      let over: 'no' | 'ended' | Fault = 'no'
      let wake = () => {}
      const finish = (how: 'ended' | Fault) => {
        over = how
        wake()
      }
      const item = (value: unknown) => {
        queue.push(value)
        wake()
      }
      const stop = start(
        name,
        input,
        { kind: 'stream', item, end: () => finish('ended'), fail: finish },
        options,
      )
      try {
        for (;;) {
          for (const value of queue.splice(0)) {
            // Drop items that arrived before the caller aborted.
            if (options.signal?.aborted) throw cancelled()
            yield value
          }
          if (queue.length > 0) continue
          const how = over as 'no' | 'ended' | Fault
          if (how === 'ended') return
          if (how !== 'no') throw how
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      } finally {
        stop()
      }
    }

  return Object.fromEntries(
    Object.entries(contract).map(([name, spec]) => [
      name,
      spec.kind === 'call' ? callOf(name) : streamOf(name),
    ]),
  ) as Client<C>
}

/** The call id of an answer, even of an unreadable one; 0, which no call has, if there is none. */
function idOf(raw: unknown): number {
  const id = typeof raw === 'object' && raw !== null && 'id' in raw ? raw.id : 0
  return typeof id === 'number' ? id : 0
}
