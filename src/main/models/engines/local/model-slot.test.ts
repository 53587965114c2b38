import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EngineState } from '../../../../shared/contract/models/model.ts'
import { createModelSlot } from './model-slot.ts'
import type { LoadableModel, ReadyModel, StartModel } from './model-slot.ts'
import type { LoadFailure } from './planning/plan-load.ts'

const loaded = {
  backend: 'cpu' as const,
  gpuLayers: 0,
  contextTokens: 8_192,
  sequences: 2,
  threads: 1,
  appendOnly: true,
  templateProblem: undefined,
  sampleTokens: 1,
}
const never = new AbortController().signal
const a: LoadableModel = { id: 'a', name: 'A', path: '/a.gguf' }
const b: LoadableModel = { id: 'b', name: 'B', path: '/b.gguf' }
const damaged: LoadFailure = {
  code: 'model_unreadable',
  text: 'It is damaged.',
  fix: 'Take another.',
  fixes: [{ do: 'again' }],
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A slot whose engines start when the test says so. */
function setUp({ idleMs = 0, keeping }: { idleMs?: number; keeping?: Promise<void> } = {}) {
  const log: string[] = []
  const idle = { ms: idleMs }
  const phases: EngineState['phase'][] = []
  const starts: { finish: (result: ReadyModel | LoadFailure | 'stopped') => void; signal: AbortSignal }[] = []
  const engines: { crash: (how: string) => void }[] = []
  const start: StartModel = (model, wish, signal, report) => {
    log.push(['start', model.id, ...Object.keys(wish)].join(' '))
    report.loading(0.5)
    const outcome = Promise.withResolvers<ReadyModel | LoadFailure | 'stopped'>()
    signal.addEventListener('abort', () => outcome.resolve('stopped'))
    starts.push({ finish: outcome.resolve, signal })
    return outcome.promise
  }
  const engine = (name: string): ReadyModel => {
    const ended = Promise.withResolvers<string>()
    engines.push({ crash: ended.resolve })
    return {
      loaded,
      notice: null,
      link: {
        hello: Promise.resolve(true),
        ended: ended.promise,
        ask: () => Promise.reject(new Error('Nobody asks in these tests')),
        end: () => {
          log.push(`end ${name}`)
          ended.resolve('SIGKILL')
          return Promise.resolve()
        },
      },
    }
  }
  const slot = createModelSlot(start, {
    idleMs: () => idle.ms,
    hosting: 'process',
    onState: state => phases.push(state.phase),
    ...(keeping && {
      keep() {
        log.push('keep')
        return keeping
      },
    }),
  })
  /** Let the newest start succeed. */
  const succeed = async (name: string) => {
    await settle()
    starts.at(-1)?.finish(engine(name))
    await settle()
  }
  return { slot, idle, log, phases, starts, engines, succeed }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

test('a model is started once for all who request it, and they receive its progress', async () => {
  const { slot, log, phases, succeed } = setUp()
  const parts: number[] = []
  const first = slot.acquire(a, never, { onProgress: part => parts.push(part) })
  const second = slot.acquire(a, never)
  await succeed('a')
  expect(await first).toMatchObject({ loaded })
  expect(await second).toMatchObject({ loaded })
  expect(log).toEqual(['start a'])
  expect(phases).toEqual(['starting', 'loading', 'busy'])
  expect(slot.state).toMatchObject({ modelId: 'a', modelName: 'A', contextTokens: 8_192, progress: null })
})

test('another model waits until the current one is released, and later requests queue behind it', async () => {
  const { slot, log, succeed } = setUp()
  const first = slot.acquire(a, never)
  await succeed('a')
  const other = slot.acquire(b, never)
  const later = slot.acquire(a, never)
  await settle()
  expect(log).toEqual(['start a'])
  release(await first)
  await succeed('b')
  expect(log).toEqual(['start a', 'end a', 'start b'])
  release(await other)
  await succeed('a')
  expect(log).toEqual(['start a', 'end a', 'start b', 'end b', 'start a'])
  expect(await later).toMatchObject({ loaded })
})

test('giving up a wait for another model changes nothing', async () => {
  const { slot, log, succeed } = setUp()
  const first = slot.acquire(a, never)
  await succeed('a')
  const impatient = new AbortController()
  const other = slot.acquire(b, impatient.signal)
  await settle()
  impatient.abort()
  expect(await other).toBeUndefined()
  release(await first)
  await settle()
  expect(log).toEqual(['start a'])
  expect(slot.state.phase).toBe('ready')
})

test('a load that nobody waits for is cancelled', async () => {
  const { slot, starts } = setUp()
  const impatient = new AbortController()
  const waiting = slot.acquire(a, impatient.signal)
  await settle()
  impatient.abort()
  expect(await waiting).toBeUndefined()
  await settle()
  expect(starts[0]?.signal.aborted).toBe(true)
  expect(slot.state).toMatchObject({ phase: 'stopped', modelId: null })
})

test('a load continues while at least one request waits for it', async () => {
  const { slot, succeed } = setUp()
  const impatient = new AbortController()
  const one = slot.acquire(a, impatient.signal)
  const two = slot.acquire(a, never)
  await settle()
  impatient.abort()
  await succeed('a')
  expect(await one).toBeUndefined()
  expect(await two).toMatchObject({ loaded })
})

test('a failed load is reported to all who wait, and the next request tries again', async () => {
  const { slot, log, starts, succeed } = setUp()
  const first = slot.acquire(a, never)
  const second = slot.acquire(a, never)
  await settle()
  starts[0]?.finish(damaged)
  const { fixes, ...failure } = damaged
  expect(await first).toEqual(failure)
  expect(await second).toEqual(failure)
  expect(slot.state).toMatchObject({
    phase: 'failed',
    modelId: 'a',
    error: failure.text,
    fix: failure.fix,
    fixes,
  })
  const third = slot.acquire(a, never)
  await succeed('a')
  expect(await third).toMatchObject({ loaded })
  expect(log).toEqual(['start a', 'start a'])
  expect(slot.state).toMatchObject({ phase: 'busy', error: null, fix: null, fixes: [] })
})

test('a crashed engine is reported, and restarted with increasing delays', async () => {
  const { slot, log, engines, succeed } = setUp()
  const waits: number[] = []
  for (let crash = 0; crash < 4; crash++) {
    const before = Date.now()
    const using = slot.acquire(a, never)
    while (log.length === crash) await vi.advanceTimersByTimeAsync(50)
    waits.push(Date.now() - before)
    await succeed('a')
    engines.at(-1)?.crash('SIGSEGV')
    release(await using)
    await settle()
    expect(slot.state).toMatchObject({
      phase: 'failed',
      error: 'The engine for local models stopped unexpectedly (SIGSEGV).',
    })
  }
  expect(waits).toEqual([50, 50, 500, 1_000])
})

test('an unused model is unloaded after the idle time, not earlier', async () => {
  const { slot, log, succeed } = setUp({ idleMs: 1_000 })
  const first = slot.acquire(a, never)
  await succeed('a')
  await vi.advanceTimersByTimeAsync(5_000)
  release(await first)
  await vi.advanceTimersByTimeAsync(900)
  release(await slot.acquire(a, never))
  await vi.advanceTimersByTimeAsync(900)
  expect(log).toEqual(['start a'])
  await vi.advanceTimersByTimeAsync(200)
  expect(log).toEqual(['start a', 'end a'])
  expect(slot.state.phase).toBe('stopped')
})

test('the idle time can be changed while a model is idle', async () => {
  const { slot, idle, log, succeed } = setUp({ idleMs: 3_600_000 })
  const first = slot.acquire(a, never)
  await succeed('a')
  release(await first)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(log).toEqual(['start a'])
  idle.ms = 0
  await vi.advanceTimersByTimeAsync(7_200_000)
  expect(log).toEqual(['start a'])
  idle.ms = 60_000
  await vi.advanceTimersByTimeAsync(60_000)
  expect(log).toEqual(['start a', 'end a'])
})

test('a loaded model is reloaded only if other options are requested again', async () => {
  const { slot, log, succeed } = setUp()
  const first = slot.acquire(a, never, { key: 'as usual' })
  await succeed('a')
  release(await first)
  release(await slot.acquire(a, never, { key: 'as usual', again: true }))
  release(await slot.acquire(a, never, { key: 'with less' }))
  expect(log).toEqual(['start a'])
  const again = slot.acquire(a, never, { key: 'without card', wish: { cpu: true }, again: true })
  await succeed('a')
  release(await again)
  expect(log).toEqual(['start a', 'end a', 'start a cpu'])
})

test('loading can be cancelled by hand, and those who wait are told', async () => {
  const { slot, log, starts, succeed } = setUp()
  await slot.cancel()
  const waiting = slot.acquire(a, never)
  await settle()
  await slot.cancel()
  expect(await waiting).toMatchObject({ code: 'engine_gone', text: 'Loading was stopped.' })
  expect(starts[0]?.signal.aborted).toBe(true)
  expect(slot.state).toMatchObject({ phase: 'stopped', modelId: null })
  const next = slot.acquire(a, never)
  await succeed('a')
  await slot.cancel()
  expect(await next).toMatchObject({ loaded, isOver: false })
  expect(log).toEqual(['start a', 'start a'])
})

test('clearing ends the engine in use, and its users learn that it was intended', async () => {
  const { slot, log, succeed } = setUp()
  const using = slot.acquire(a, never)
  await succeed('a')
  const lease = await using
  await slot.clear()
  expect(lease).toMatchObject({ isOver: true })
  release(lease)
  expect(log).toEqual(['start a', 'end a'])
  expect(slot.state.phase).toBe('stopped')
})

test('clearing during a load is reported to those who wait', async () => {
  const { slot } = setUp()
  const waiting = slot.acquire(a, never)
  await settle()
  await slot.clear()
  expect(await waiting).toMatchObject({
    code: 'engine_gone',
    text: 'The model was unloaded before it could answer.',
  })
})

test('nothing starts after the slot is closed', async () => {
  const { slot, log } = setUp()
  await slot.close()
  expect(await slot.acquire(a, never)).toMatchObject({ code: 'engine_gone' })
  expect(log).toEqual([])
})

function release(lease: Awaited<ReturnType<ReturnType<typeof createModelSlot>['acquire']>>) {
  if (!lease || 'code' in lease) throw new Error('There is no lease')
  lease.release()
}

test('an engine keeps what was read before it ends, and the next model waits for that', async () => {
  const kept = Promise.withResolvers<void>()
  const { slot, log, succeed } = setUp({ keeping: kept.promise })
  const first = slot.acquire(a, never)
  await succeed('a')
  release(await first)
  const other = slot.acquire(b, never)
  await settle()
  expect(log).toEqual(['start a', 'keep'])
  kept.resolve()
  await succeed('b')
  expect(log).toEqual(['start a', 'keep', 'end a', 'start b'])
  release(await other)
})

const patience = [
  ['is idle', 30_000, () => undefined],
  ['is unloaded by hand', 3_000, slot => slot.clear()],
  ['makes room for another one', 3_000, slot => slot.acquire(b, never)],
  ['is needed again', 3_000, slot => slot.acquire(a, never)],
  ['leaves with Talaria', 2_500, slot => slot.close()],
] satisfies [string, number, (slot: ReturnType<typeof setUp>['slot']) => unknown][]
test.for(patience)('a model that %s and keeps nothing in %i ms is ended', async ([, ms, next]) => {
  const { slot, log, succeed } = setUp({ idleMs: 1_000, keeping: new Promise(() => {}) })
  const first = slot.acquire(a, never)
  await succeed('a')
  release(await first)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(log).toEqual(['start a', 'keep'])
  void next(slot)
  await vi.advanceTimersByTimeAsync(ms - 1)
  expect(log).toEqual(['start a', 'keep'])
  await vi.advanceTimersByTimeAsync(1)
  expect(log.slice(0, 3)).toEqual(['start a', 'keep', 'end a'])
})
