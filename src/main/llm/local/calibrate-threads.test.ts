import { expect, test } from 'vitest'
import { randomModel } from '../../../../testing/gguf/cached.ts'
import { calibrateThreads, measureThreads } from './calibrate-threads.ts'

const never = new AbortController().signal

/** Calibrate a machine on which a token takes as long as `tokenMs` says, by threads. */
async function calibrate(most: number, tokenMs: (threads: number, count: number) => number) {
  const asked: number[] = []
  const time = async (threads: number) => {
    asked.push(threads)
    return tokenMs(threads, asked.filter(other => other === threads).length)
  }
  const threads = await calibrateThreads(most, time, never)
  return { threads, tried: [...new Set(asked)], tokens: asked.length }
}

test('where more threads are faster, all of them are kept after two trials', async () => {
  expect(await calibrate(8, threads => 80 / threads)).toEqual({ threads: 8, tried: [8, 4], tokens: 34 })
})

test('where half of them are faster, half of them are taken', async () => {
  const times = new Map([
    [7, 60],
    [4, 20],
    [1, 50],
  ])
  expect(await calibrate(7, threads => times.get(threads) ?? 0)).toMatchObject({
    threads: 4,
    tried: [7, 4, 1],
  })
})

test('a machine whose other cores are busy gets one thread', async () => {
  expect(await calibrate(4, threads => 10 * threads)).toMatchObject({ threads: 1, tried: [4, 2, 1] })
})

test('a difference that is hardly there keeps more threads, which read prompts faster', async () => {
  expect(await calibrate(4, threads => (threads === 4 ? 20 : 19.5))).toMatchObject({ threads: 4 })
})

test('the first token and single slow ones are not what counts', async () => {
  const tokenMs = (threads: number, count: number) => (count === 1 ? 190 : count === 5 ? 90 : 40 / threads)
  expect(await calibrate(4, tokenMs)).toMatchObject({ threads: 4 })
})

test('a single thread is not measured, and a slow model with few tokens', async () => {
  expect(await calibrate(1, () => 10)).toEqual({ threads: 1, tried: [], tokens: 0 })
  const slow = await calibrate(8, threads => 1_600 / threads)
  expect(slow).toEqual({ threads: 8, tried: [8, 4, 1], tokens: 3 + 2 + 1 })
})

test('a token that takes seconds is no reason to stop looking: the cores may be taken', async () => {
  const times = new Map([
    [7, 3_000],
    [4, 2_900],
    [1, 25],
  ])
  expect(await calibrate(7, threads => times.get(threads) ?? 0)).toMatchObject({ threads: 1 })
})

test('a load that is stopped does not finish measuring', async () => {
  const stop = new AbortController()
  const time = async () => {
    stop.abort()
    return 1
  }
  await expect(calibrateThreads(8, time, stop.signal)).rejects.toThrow(/aborted/)
})

test('measuring leaves the only sequence of a context free, and the library at the result', async () => {
  const { getLlama, LlamaLogLevel } = await import('node-llama-cpp')
  const options = { gpu: false, build: 'never', skipDownload: true, progressLogs: false } as const
  const llama = await getLlama({ ...options, logLevel: LlamaLogLevel.error, maxThreads: 2 })
  const model = await llama.loadModel({ modelPath: randomModel() })
  const context = await model.createContext({ contextSize: 256, sequences: 1, threads: 2 })
  const threads = await measureThreads(model, context, never)
  expect([1, 2]).toContain(threads)
  expect(llama.maxThreads).toBe(threads)
  const sequence = context.getSequence()
  expect(sequence.nextTokenIndex).toBe(0)
  expect(await sequence.evaluate(model.tokenize('hi')).next()).toMatchObject({ value: expect.any(Number) })
  await model.dispose()
})
