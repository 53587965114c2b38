import type { AppEvent } from '../../shared/contract/app.ts'
import { contract, type HostClient } from '../../shared/contract/index.ts'
import type { CallOptions, Fault } from '../../shared/rpc.ts'
import { feed, type Feed } from './feed.ts'

/** What stands between a window and its host: everything is recorded, and a test may answer or fail in its place. */
export type Gate = {
  /** Every question of the window, by name, in order. */
  asked: { name: string; input: unknown }[]
  /** Make the next question of this name fail. */
  failNext(name: keyof HostClient, fault: Fault): void
  /** Answer questions in place of the host, for what the machine of the test does not have. */
  answer(answers: Answers): void
  /** Tell the window what the host did not say. */
  publish(event: AppEvent): void
  /** The client of a window whose questions pass here first. */
  over(client: HostClient): HostClient
}
export type Answers = { [K in keyof HostClient]?: (...input: Parameters<HostClient[K]>) => unknown }

type Hello = Extract<AppEvent, { type: 'hello' }>
type Ask = (input: unknown, options?: CallOptions) => unknown

/** A gate that changes what `hello` names in the greeting of the host. */
export function createGate(hello: Partial<Hello>): Gate {
  const asked: Gate['asked'] = []
  const faults = new Map<string, Fault>()
  const instead = new Map<string, Ask>()
  const watchers = new Set<Feed<AppEvent>>()

  function pass(name: string, own: Ask, input: unknown, options: CallOptions | undefined): unknown {
    asked.push({ name, input })
    const fault = faults.get(name)
    faults.delete(name)
    if (fault) throw fault
    return (instead.get(name) ?? own)(input, options)
  }

  /** What the host says with what the test says; it ends when the host's part does. */
  async function* watch(own: AsyncIterable<AppEvent>): AsyncGenerator<AppEvent, void, void> {
    const both = feed<AppEvent>()
    const items = both.listen()
    watchers.add(both)
    const pump = async () => {
      for await (const event of own) both.say(event.type === 'hello' ? { ...event, ...hello } : event)
    }
    pump().then(
      () => both.end(),
      (fault: unknown) => both.end(fault as Fault),
    )
    try {
      yield* items
    } finally {
      watchers.delete(both)
    }
  }

  return {
    asked,
    failNext: (name, fault) => void faults.set(name, fault),
    answer(answers) {
      for (const [name, answer] of Object.entries(answers)) instead.set(name, answer as Ask)
    },
    publish(event) {
      for (const each of watchers) each.say(event)
    },
    over(client) {
      const methods = Object.entries(contract).map(([name, { kind }]) => {
        const own = client[name as keyof HostClient] as Ask
        if (kind === 'call')
          return [name, async (input: unknown, options?: CallOptions) => pass(name, own, input, options)]
        return [
          name,
          async function* (input: unknown, options?: CallOptions) {
            const items = pass(name, own, input, options) as AsyncIterable<unknown>
            if (name !== 'app.watch') yield* items
            else yield* watch(items as AsyncIterable<AppEvent>)
          },
        ]
      })
      return Object.fromEntries(methods) as HostClient
    },
  }
}
