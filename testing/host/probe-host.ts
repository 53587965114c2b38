import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { call, Fault, FaultCode, stream, type Contract, type Handlers } from '../../src/shared/rpc.ts'

/** A contract with one name for each way in which a host can behave. */
export const probe = {
  'echo.say': call(z.object({ text: z.string().min(1), times: z.int().max(9).default(1) }), z.string()),
  'echo.any': call(z.object({ value: z.unknown() }), z.unknown()),
  'count.to': stream(z.object({ to: z.int() }), z.int()),
  'count.on': stream(z.object({}), z.int()),
  'wait.on': call(z.object({}), z.null()),
  'fail.fault': call(z.object({ code: FaultCode }), z.null()),
  'fail.crash': call(z.object({}), z.null()),
  'fail.early': stream(z.object({}), z.int()),
  'fail.late': stream(z.object({ after: z.int() }), z.int()),
  'odd.answer': call(z.object({}), z.unknown()),
  'odd.items': stream(z.object({}), z.unknown()),
  'odd.fault': call(z.object({}), z.null()),
} satisfies Contract

/** A secret that must never reach a peer. */
export const secret = 'the key is in /home/anna/.secret'

/** A value that survives neither a structured clone nor JSON. */
const unsendable = () => ({
  toJSON() {
    throw new Error(secret)
  },
})

/** A host that implements `probe`, counts running work, and keeps reported errors. */
export function aHost() {
  const reports: unknown[] = []
  const report = (error: unknown) => void reports.push(error)
  const state = { working: 0, begun: 0 }

  async function* work<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
    state.working++
    state.begun++
    try {
      yield* items
    } finally {
      state.working--
    }
  }

  const handlers: Handlers<typeof probe> = {
    'echo.say': ({ text, times }) => text.repeat(times),
    'echo.any': ({ value }) => value,
    'count.to': ({ to }) => work(count(to)),
    'count.on': () => work(count(Infinity)),
    'wait.on': async (_input, signal) => {
      state.working++
      state.begun++
      try {
        return await untilAborted(signal)
      } finally {
        state.working--
      }
    },
    'fail.fault': ({ code }) => {
      throw new Fault(code, `This is ${code}.`, { why: code })
    },
    'fail.crash': () => {
      throw new TypeError(secret)
    },
    'fail.early': () => {
      throw new TypeError(secret)
    },
    'fail.late': async function* ({ after }) {
      yield* count(after)
      throw new TypeError(secret)
    },
    'odd.answer': unsendable,
    'odd.items': () => work(items(1, unsendable(), 3)),
    'odd.fault': () => {
      throw new Fault('busy', 'This is busy.', unsendable())
    },
  }
  return { handlers, reports, report, state }
}

async function* count(to: number) {
  for (let n = 1; n <= to; n++) {
    // A producer that never leaves the event loop cannot be stopped.
    await turn()
    yield n
  }
}

async function* items(...all: unknown[]) {
  yield* all
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<null>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
