import { expect, test } from 'vitest'
import { randomModel } from '../../../../../../testing/gguf/cached.ts'
import { openModel, usageOf } from '../../../../../../testing/models/local-load.ts'
import { threadCount } from './adapt-threads.ts'

test('“auto” starts with one thread per fast core, and each step runs with the chosen number', async () => {
  const { loaded, ask } = await openModel(randomModel(), { threads: 'auto' })
  const { llama } = loaded.model
  const most = threadCount('auto', { fastCores: llama.cpuMathCores })
  expect([loaded.threads.count('reading'), loaded.threads.count('writing')]).toEqual([most, most])
  const messages = [{ role: 'user' as const, text: 'Once upon a time. '.repeat(60) }]
  const told = await ask(messages, { maxTokens: 40 })
  expect(usageOf(told).outputTokens).toBe(40)
  expect(loaded.threads.count('writing')).toBeGreaterThanOrEqual(1)
  expect(llama.maxThreads).toBeLessThanOrEqual(most)
  await loaded.close()
})

test('the set number is used by the library, and greedy text does not depend on it', async () => {
  const texts: string[] = []
  for (const threads of [1, 2]) {
    const { loaded, ask } = await openModel(randomModel(), { threads })
    const { llama, fileInfo } = loaded.model
    expect(fileInfo.metadata.general.name).toBe('random-tiny')
    const wanted = threadCount(threads, { fastCores: llama.cpuMathCores })
    const { text } = await ask([{ role: 'user', text: 'Once upon a time. '.repeat(10) }], { maxTokens: 12 })
    expect(llama.maxThreads).toBe(wanted)
    texts.push(text)
    await loaded.close()
  }
  expect(texts[0]).toBe(texts[1])
  expect(texts[0]).not.toBe('')
})

test.for([
  ['auto', 1, 1, 1],
  ['auto', 2, 2, 2],
  ['auto', 8, 8, 8],
  ['auto', 16, 8, 8],
  ['auto', 64, 64, 16],
  ['auto', 4, 0, 1],
  [4, 8, 2, 4],
  [99, 8, 8, 8],
  [0, 8, 8, 1],
] as const)(
  'the setting %s on %d cores, %d of them fast, gives %d threads',
  ([wish, cores, fastCores, threads]) => {
    expect(threadCount(wish, { cores, fastCores })).toBe(threads)
  },
)
