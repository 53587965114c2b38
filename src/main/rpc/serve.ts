import { z } from 'zod'
import {
  Fault,
  notBegun,
  ToHost,
  type Channel,
  type Contract,
  type Handlers,
  type ToClient,
} from '../../shared/rpc.ts'

type AnyHandler = (input: unknown, signal: AbortSignal) => unknown

/** Maximum number of concurrent calls and streams of one peer; the next one is `busy`. */
const maxRunning = 256
const maxIssues = 20

/** A peer that is being served. */
export type Served = {
  /** Start no more calls, and tell the peer. Resolves once running ones are answered; streams go on. */
  leave(): Promise<void>
}

/** Return the contract's own text for what is wrong, if it has one; callers may show it to users. */
function badInput(name: string, issues: readonly z.core.$ZodIssue[]): Fault {
  const own = issues.find(({ code }) => code === 'custom')
  return new Fault('bad_input', own?.message ?? `“${name}” was given bad input.`, issues.slice(0, maxIssues))
}

/**
 * Serve one peer until its channel closes, which aborts its running calls. A peer sees Faults only: any other
 * error goes to `report` and becomes `internal`. Malformed messages are dropped.
 */
export function serveContract<C extends Contract>(
  contract: C,
  handlers: Handlers<C>,
  channel: Channel,
  report: (error: unknown) => void,
): Served {
  const calls = new Set<Promise<void>>()
  let isLeaving = false
  const running = new Map<number, AbortController>()
  let open = true

  channel.onClose(() => {
    open = false
    for (const each of running.values()) each.abort(new Fault('cancelled', 'The caller went away.'))
  })
  channel.onMessage(raw => {
    const message = ToHost.safeParse(raw)
    if (!message.success) report(new Error(`Dropped a malformed message. ${z.prettifyError(message.error)}`))
    else if (message.data.t === 'cancel')
      running.get(message.data.id)?.abort(new Fault('cancelled', 'Cancelled.'))
    else if (isLeaving) fail(message.data.id, notBegun())
    else take(message.data)
  })

  function take({ id, name, input }: { id: number; name: string; input?: unknown }) {
    const answered = answer(id, name, input)
    if (!Object.hasOwn(contract, name) || contract[name]?.kind !== 'call') return
    calls.add(answered)
    void answered.then(() => calls.delete(answered))
  }

  async function answer(id: number, name: string, rawInput: unknown) {
    // Answers of two calls with one id would look the same, so only the first call runs.
    if (running.has(id)) return report(new Error(`Dropped a message: the call ${id} is already running.`))
    if (running.size >= maxRunning)
      return fail(id, new Fault('busy', 'Too much is running at once. Wait until some of it has finished.'))
    const cancel = new AbortController()
    running.set(id, cancel)
    try {
      const spec = Object.hasOwn(contract, name) ? contract[name] : undefined
      if (!spec) throw new Fault('not_found', `There is no “${shorten(name)}”.`)
      const input = spec.input.safeParse(rawInput)
      if (!input.success) throw badInput(name, input.error.issues)
      const handler = handlers[name] as AnyHandler
      if (spec.kind === 'call') {
        post({ t: 'end', id, value: await handler(input.data, cancel.signal) })
        return
      }
      for await (const value of handler(input.data, cancel.signal) as AsyncIterable<unknown>) {
        if (cancel.signal.aborted) break
        post({ t: 'item', id, value })
      }
      post({ t: 'end', id })
    } catch (error) {
      fail(id, faultOf(error, cancel.signal.aborted))
    } finally {
      running.delete(id)
    }
  }

  function post(message: ToClient) {
    if (open) channel.post(message)
  }

  /** The data of a Fault may not be cloneable. If so, drop the data: the caller would wait forever. */
  function fail(id: number, { code, message, data }: Fault) {
    for (const fault of [
      { code, message, data },
      { code, message },
    ]) {
      try {
        return post({ t: 'fail', id, ...fault })
      } catch (error) {
        report(error)
      }
    }
  }

  function faultOf(error: unknown, aborted: boolean): Fault {
    if (error instanceof Fault && error.code !== 'internal') return error
    const expected = aborted && error instanceof Error && error.name === 'AbortError'
    if (!expected) report(error)
    if (error instanceof Fault) return error
    if (aborted) return new Fault('cancelled', 'Cancelled.')
    return new Fault('internal', 'Something went wrong in the host.')
  }

  return {
    async leave() {
      isLeaving = true
      await Promise.all(calls)
      post({ t: 'bye' })
    },
  }
}

const shorten = (name: string) => (name.length > 80 ? `${name.slice(0, 80)}…` : name)
