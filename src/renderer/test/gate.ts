import type { AppEvent } from '../../shared/contract/app.ts'
import { contract, type HostClient } from '../../shared/contract/index.ts'
import type { NewRunEvent, RunEvent } from '../../shared/contract/runs/run.ts'
import type { CallOptions, Fault } from '../../shared/rpc.ts'
import { feed, type Feed } from './feed.ts'

/** A proxy between a window and its host. It records requests, and a test can answer or fail them. */
export type Gate = {
  /** All requests of the window, in order. */
  asked: { name: string; input: unknown }[]
  /** Fail the next request with this name. */
  failNext(name: keyof HostClient, fault: Fault): void
  /** Fail every request with this name until the returned function is called. Use it for reads, which a window may repeat. */
  failEach(name: keyof HostClient, fault: Fault): () => void
  /** Hold the next request with this name until the returned function is called. */
  holdNext(name: keyof HostClient): () => void
  /** Answer requests instead of the host, for hardware that the test machine lacks. */
  answer(answers: Answers): void
  /** Publish a fake host event to the window. */
  publish(event: AppEvent): void
  /**
   * Publish a fake event in the followed run, for events that only a local engine sends. Before the window
   * follows a run, the event waits for the first one.
   */
  publishInRun(event: NewRunEvent): void
  /** A client whose requests pass through this gate. */
  over(client: HostClient): HostClient
  /** Resolves once the host has answered all requests of the window. */
  answered(): Promise<void>
}
type Answers = { [K in keyof HostClient]?: (...input: Parameters<HostClient[K]>) => unknown }

type Hello = Extract<AppEvent, { type: 'hello' }>
type Ask = (input: unknown, options?: CallOptions) => unknown

/** Create a gate; `hello` overrides parts of the host's greeting. */
export function createGate(hello: Partial<Hello>): Gate {
  const asked: Gate['asked'] = []
  const faults = new Map<string, Fault>()
  const failing = new Map<string, Fault>()
  const instead = new Map<string, Ask>()
  const held = new Map<string, Promise<void>>()
  const watchers = new Set<Feed<AppEvent>>()
  const followers = new Set<(event: NewRunEvent) => void>()
  const early: NewRunEvent[] = []
  const open = new Set<Promise<unknown>>()

  /** Ask the host itself, and remember the request until it is answered. */
  async function askHost(own: Ask, input: unknown, options: CallOptions | undefined): Promise<unknown> {
    const answer = Promise.resolve(own(input, options))
    open.add(answer)
    try {
      return await answer
    } finally {
      open.delete(answer)
    }
  }

  function pass(name: string, own: Ask, input: unknown, options: CallOptions | undefined): unknown {
    asked.push({ name, input })
    const fault = faults.get(name) ?? failing.get(name)
    faults.delete(name)
    if (fault) throw fault
    const ask = () => (instead.get(name) ?? own)(input, options)
    const hold = held.get(name)
    held.delete(name)
    return hold ? hold.then(ask) : ask()
  }

  async function* watch(own: AsyncIterable<AppEvent>): AsyncGenerator<AppEvent, void, void> {
    const both = feed<AppEvent>()
    watchers.add(both)
    try {
      yield* joined(own, both, event => (event.type === 'hello' ? { ...event, ...hello } : event))
    } finally {
      watchers.delete(both)
    }
  }

  /** Test events get fractional numbers, so that no host event is mistaken for a duplicate. */
  async function* follow(own: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent, void, void> {
    const both = feed<RunEvent>()
    let seq = 0
    const tell = (event: NewRunEvent) => both.say({ ...event, seq: (seq += 0.001), at: Date.now() })
    followers.add(tell)
    for (const event of early.splice(0)) tell(event)
    try {
      yield* joined(own, both, event => {
        seq = event.seq
        return event
      })
    } finally {
      followers.delete(tell)
    }
  }

  return {
    asked,
    failNext: (name, fault) => void faults.set(name, fault),
    failEach(name, fault) {
      failing.set(name, fault)
      return () => void failing.delete(name)
    },
    holdNext(name) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(name, promise)
      return resolve
    },
    answer(answers) {
      for (const [name, answer] of Object.entries(answers)) instead.set(name, answer as Ask)
    },
    publish(event) {
      for (const each of watchers) each.say(event)
    },
    publishInRun(event) {
      if (followers.size === 0) early.push(event)
      for (const tell of followers) tell(event)
    },
    async answered() {
      while (open.size > 0) await Promise.allSettled(open)
    },
    over(client) {
      const methods = Object.entries(contract).map(([name, { kind }]) => {
        const own = client[name as keyof HostClient] as Ask
        if (kind === 'call') {
          const askOwn: Ask = (input, options) => askHost(own, input, options)
          return [name, async (input: unknown, options?: CallOptions) => pass(name, askOwn, input, options)]
        }
        return [
          name,
          async function* (input: unknown, options?: CallOptions) {
            const items = pass(name, own, input, options) as AsyncIterable<never>
            if (name === 'app.watch') yield* watch(items)
            else if (name === 'run.watch') yield* follow(items)
            else yield* items
          },
        ]
      })
      return Object.fromEntries(methods) as HostClient
    },
  }
}

/** Merge the events of the host and of the test; ends with the host's stream. */
async function* joined<T>(
  own: AsyncIterable<T>,
  both: Feed<T>,
  read: (item: T) => T,
): AsyncGenerator<T, void, void> {
  const items = both.listen()
  const pump = async () => {
    for await (const item of own) both.say(read(item))
  }
  pump().then(
    () => both.end(),
    (fault: unknown) => both.end(fault as Fault),
  )
  yield* items
}
