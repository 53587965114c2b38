import { expect, test } from 'vitest'
import { scriptedEngine, type Script } from '../../../../testing/models/scripted.ts'
import type { EngineFailure, LlmEngine } from '../interface/engine.ts'
import { askReferences } from './ask-references.ts'

const question = { system: 'Advise.', said: [{ role: 'user' as const, text: 'When do I plant beans?' }] }
const never = new AbortController().signal

/** Engines by model id. Also records what was loaded and forgotten, in order. */
function engines(scripts: Readonly<Record<string, Script['replies']>>, trace: string[] = []) {
  return {
    trace,
    forget: async () => void trace.push('forget'),
    async engineFor(id: string): Promise<LlmEngine | EngineFailure> {
      trace.push(`load ${id}`)
      const replies = scripts[id]
      return replies
        ? scriptedEngine({ replies, modelId: id })
        : { code: 'model_missing', text: 'It is not here.', fix: 'Add it.' }
    },
  }
}
const references = (...ids: string[]) =>
  ids.map(id => ({ id, name: id.toUpperCase(), isLocal: !id.startsWith('server:') }))

test('a reference that takes longer than it may is left out', async () => {
  const asking = { ...engines({ 'server:a': [[{ hang: true }]] }), waitMs: 20 }
  expect(await askReferences(references('server:a'), question, asking, never)).toEqual([
    { model: 'SERVER:A', text: '', problem: 'It did not answer within 0 seconds.' },
  ])
  expect(asking.trace).toEqual(['load server:a', 'forget'])
})

test('models of this computer are asked one after the other, and a failed one lets the next have its turn', async () => {
  const trace: string[] = []
  let open = 0
  const say = (text: string) => () => {
    trace.push(`ask ${text} with ${open++} open`)
    return text
  }
  const asking = {
    ...engines({ a: say('one'), c: say('three') }, trace),
    async forget() {
      open = Math.max(0, open - 1)
      trace.push('forget')
    },
    waitMs: 60_000,
  }
  const heard: string[] = []
  const given = await askReferences(
    references('a', 'b', 'c'),
    question,
    { ...asking, onGiven: ({ model }) => void heard.push(model) },
    never,
  )
  expect(given).toEqual([
    { model: 'A', text: 'one' },
    { model: 'B', text: '', problem: 'It is not here. Add it.' },
    { model: 'C', text: 'three' },
  ])
  expect(heard).toEqual(['A', 'B', 'C'])
  expect(trace).toEqual([
    'load a',
    'ask one with 0 open',
    'forget',
    'load b',
    'forget',
    'load c',
    'ask three with 0 open',
    'forget',
  ])
})

test('servers are asked at the same time, also beside a model of this computer', async () => {
  const both = Promise.withResolvers<void>()
  let asked = 0
  const together = async () => {
    if (++asked === 3) both.resolve()
    await both.promise
  }
  const { engineFor, forget } = engines({ 'server:a': ['A.'], 'server:b': ['B.'], c: ['C.'] })
  const asking = {
    forget,
    waitMs: 60_000,
    // No model continues before all three were requested.
    engineFor: async (id: string) => (await together(), engineFor(id)),
  }
  const given = await askReferences(references('server:a', 'server:b', 'c'), question, asking, never)
  expect(given.map(({ text }) => text)).toEqual(['A.', 'B.', 'C.'])
})

test('what is longer than it may be is cut, and thoughts are left out', async () => {
  const asking = { ...engines({ a: [`<think>Hm.</think>${'x'.repeat(50)}`] }), waitMs: 60_000 }
  const most = { tokens: 100, chars: 20 }
  const [given] = await askReferences(references('a'), question, { ...asking, most }, never)
  expect(given).toEqual({ model: 'A', text: 'x'.repeat(20) })
})
