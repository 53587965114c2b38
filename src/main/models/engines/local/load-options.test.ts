import { afterAll, describe, expect, test } from 'vitest'
import type { ModelOptions } from '../../../../shared/contract/models/model.ts'
import { randomModel } from '../../../../../testing/gguf/cached.ts'
import { formats } from '../../formats/format-table.ts'
import { isFailure } from '../../interface/engine.ts'
import { readGguf } from './gguf/read-gguf.ts'
import { estimateMemory } from './planning/memory-plan.ts'
import { model, openEngines, user } from '../../../../../testing/models/local.ts'

/** Random weights that never end a reply. */
const endless = randomModel({ preset: 'tiny', seed: 5 })
const MiB = 2 ** 20

describe('an engine whose settings change', () => {
  const options: ModelOptions = {}
  const set = (next: ModelOptions) => {
    for (const key of Object.keys(options)) delete options[key as keyof ModelOptions]
    Object.assign(options, next)
  }
  const open = openEngines('inline', { optionsFor: id => (id === endless ? options : {}) })
  const { engines, settings, states } = open
  const starts = () => states.filter(({ phase }) => phase === 'starting').length
  afterAll(() => engines.close())

  test('a setting applies at the next load, and loading again without a change does nothing', async () => {
    expect(await engines.load(model(endless))).toBeUndefined()
    expect(engines.state.contextTokens).toBe(8_192)
    const before = starts()
    expect(await engines.load(model(endless))).toBeUndefined()
    expect(starts()).toBe(before)
    settings.context_tokens = 4_096
    expect(engines.state.contextTokens).toBe(8_192)
    expect(await engines.load(model(endless))).toBeUndefined()
    expect(engines.state.contextTokens).toBe(4_096)
  })

  test('a model’s options override the settings, and options of one load override both', async () => {
    set({ contextTokens: 3_072, batchTokens: 64 })
    expect(await engines.load(model(endless))).toBeUndefined()
    expect(engines.state.contextTokens).toBe(3_072)
    const answer = await open.ask(endless, [user('Tell me. '.repeat(100))], { maxTokens: 2 })
    expect(answer.stop).toBe('length')
    expect(await engines.load(model(endless), { options: { contextTokens: 2_048 } })).toBeUndefined()
    expect(engines.state.contextTokens).toBe(2_048)
  })

  test('a model loaded by hand keeps its options in chats until it is unloaded by hand', async () => {
    const { contextTokens } = engines.state
    expect(contextTokens).toBe(2_048)
    expect((await open.ask(endless, [user('hi')], { maxTokens: 1 })).usage?.contextTokens).toBe(2_048)
    await engines.unload()
    expect((await open.ask(endless, [user('hi')], { maxTokens: 1 })).usage?.contextTokens).toBe(3_072)
  })

  test('a model’s sampling options apply to the next question', async () => {
    const write = () =>
      open
        .ask(endless, [user('Write.')], { session: 'set', maxTokens: 80, sampling: {} })
        .then(({ text }) => text)
    set({ temperature: 0 })
    const loads = starts()
    expect(await write()).toBe(await write())
    set({ temperature: 4, topK: 1_000, minP: 0, topP: 1 })
    expect(await write()).not.toBe(await write())
    set({ temperature: 0, repeatPenalty: 1 })
    const plain = await write()
    set({ temperature: 0, repeatPenalty: 0.2 })
    expect(await write()).not.toBe(plain)
    expect(starts()).toBe(loads)
  })

  test('a model’s call format can be set, and an unknown one is ignored', async () => {
    const format = async () => {
      const profile = await engines.engine(model(endless)).profile()
      return 'format' in profile ? profile.format : undefined
    }
    set({})
    const own = await format()
    set({ format: 'mistral' })
    expect(await format()).toBe('mistral')
    set({ format: 'toString' })
    expect(await format()).toBe(own)
  })

  test('a benchmark measures the speed and keeps the state of chats', async () => {
    set({})
    const chat = { session: 'measured', maxTokens: 4 }
    const first = await open.ask(endless, [user('Remember this.')], chat)
    const found = await engines.benchmark(model(endless), new AbortController().signal)
    expect(found).toMatchObject({ modelId: endless, backend: 'cpu', threads: 1 })
    if ('code' in found) throw new Error(found.text)
    expect(found.promptPerSecond).toBeGreaterThan(0)
    expect(found.writePerSecond).toBeGreaterThan(0)
    const again = await open.ask(endless, [user('Remember this.')], chat)
    expect(again.usage?.evaluatedTokens).toBeLessThan(first.usage?.evaluatedTokens ?? 0)
  })

  test('a benchmark can be stopped', async () => {
    const stop = new AbortController()
    stop.abort()
    expect(await engines.benchmark(model(endless), stop.signal)).toMatchObject({ code: 'engine_gone' })
    expect((await open.ask(endless, [user('hi')], { maxTokens: 1 })).stop).toBe('length')
  })

  test('the engine’s information contains no path or name of a model', async () => {
    const info = await engines.info()
    expect(info).toMatchObject({ backend: 'cpu', devices: [], threads: 1, idleUnloadMinutes: 0 })
    expect(info.library).toMatch(/^node-llama-cpp \d+\.\d+\.\d+ with llama\.cpp \S+$/)
    expect(info.installed).toContain('cpu')
    expect(info.formats.map(each => each.id)).toEqual(Object.keys(formats))
    expect(info.formats).toContainEqual({ id: 'mistral-args', name: 'Mistral name and arguments' })
    expect(info.diagnostics).toMatch(/^Runs on: cpu$/m)
    expect(info.diagnostics).toMatch(/^Instructions: .*=/m)
    expect(info.diagnostics).not.toContain(endless)
  })

  test('available memory includes what the loaded model would free', async () => {
    const { freedBytes, gpu, totalBytes } = await engines.room()
    expect(gpu).toBeNull()
    expect(totalBytes).toBeGreaterThan(freedBytes)
    expect(freedBytes).toBeGreaterThan(50 * MiB)
    await engines.unload()
    expect((await engines.room()).freedBytes).toBe(0)
  })
})

test('loading can be stopped, and started again at once', async () => {
  let stopped: Promise<void> | undefined
  const { engines } = openEngines('inline', {
    onState({ phase }) {
      if (phase === 'loading') stopped ??= engines.cancelLoad()
    },
  })
  expect(await engines.load(model(endless))).toMatchObject({ text: 'Loading was stopped.' })
  await stopped
  expect(engines.state).toMatchObject({ phase: 'stopped', error: null })
  expect(await engines.load(model(endless))).toBeUndefined()
  await engines.close()
})

test('a model that does not fit offers fixes, and each of them works', async () => {
  const facts = await readGguf(endless)
  if (isFailure(facts)) throw new Error(facts.text)
  const needs = (contextTokens: number) =>
    estimateMemory(facts, { contextTokens, sequences: 1, mapFile: false }).total
  let free = needs(1_200)
  const { engines } = openEngines('inline', { availableMemory: () => free })
  expect(await engines.load(model(endless))).toMatchObject({ code: 'out_of_memory' })
  const [context, ...others] = engines.state.fixes
  expect(context).toEqual({ do: 'context', tokens: 1_024 })
  expect(others).toEqual([{ do: 'smaller' }, { do: 'anyway' }])
  expect(await engines.load(model(endless), { options: { contextTokens: 1_024 } })).toBeUndefined()
  expect(engines.state).toMatchObject({ phase: 'ready', contextTokens: 1_024, error: null, fixes: [] })
  free = needs(1) / 2
  await engines.unload()
  expect(await engines.load(model(endless))).toMatchObject({ code: 'out_of_memory' })
  expect(engines.state.fixes).toEqual([{ do: 'smaller' }, { do: 'anyway' }])
  expect(await engines.load(model(endless), { anyway: true })).toBeUndefined()
  expect(engines.state).toMatchObject({ phase: 'ready', contextTokens: 8_192, error: null, fixes: [] })
  await engines.close()
})

test('a missing file can be tried again', async () => {
  const { engines } = openEngines('inline')
  expect(await engines.load(model('/nowhere/a.gguf'))).toMatchObject({ code: 'model_missing' })
  expect(engines.state.fixes).toEqual([{ do: 'again' }])
  await engines.close()
})
