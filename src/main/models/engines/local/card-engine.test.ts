import { expect, test } from 'vitest'
import { settled } from '../../../../../testing/until.ts'
import { randomModel, scriptedModel } from '../../../../../testing/gguf/cached.ts'
import type { Usage } from '../../../../shared/contract/chats/messages.ts'
import type { SpawnEngine } from '../../interface/engine-child.ts'
import type { EngineResult, FromEngine, RuntimeFacts, ToEngine } from './process/protocol.ts'
import { model, openEngines, user } from '../../../../../testing/models/local.ts'

const scripted = scriptedModel({ reply: 'Hello!' })
/** A model with several layers. */
const tiny = randomModel({ preset: 'tiny', seed: 5 })
const card: RuntimeFacts = {
  backend: 'vulkan',
  devices: ['A card'],
  totalBytes: 8 * 2 ** 30,
  freeBytes: 7 * 2 ** 30,
  release: 'b1',
  system: '',
}
const none: RuntimeFacts = { ...card, backend: 'cpu', devices: [], totalBytes: 0, freeBytes: 0 }
const loaded: EngineResult = {
  kind: 'loaded',
  loaded: {
    backend: 'vulkan',
    gpuLayers: 3,
    contextTokens: 8_192,
    sequences: 2,
    threads: 1,
    appendOnly: true,
    templateProblem: undefined,
    sampleTokens: 100,
  },
}
const full: EngineResult = {
  kind: 'failed',
  failure: { code: 'out_of_memory', text: 'The card is full.', fix: '' },
}

/** How an engine with a card reacts to a message: it answers, or it dies. */
type Behaviour = Partial<Record<ToEngine['t'], EngineResult | 'dies'>>

/** The reactions of an engine without a card. */
const plain: Behaviour = {
  look: { kind: 'looked', runtime: none },
  load: { ...loaded, loaded: { ...loaded.loaded, backend: 'cpu', gpuLayers: 0 } },
  complete: { kind: 'done', stop: 'end', usage: {} as Usage },
}

const kept = { kind: 'kept', trouble: undefined } as const

/** Scripted engines: one that is opened with a card follows `behaviour`. */
function play(behaviour: Behaviour) {
  const asked: string[] = []
  const spawn: SpawnEngine = () => {
    let hasCard = false
    const listeners: { message: (message: unknown) => void; exit: (how: string) => void } = {
      message: () => {},
      exit: () => {},
    }
    const say = (message: FromEngine) => setImmediate(() => listeners.message(message))
    const exit = (how: string) => setImmediate(() => listeners.exit(how))
    say({ t: 'hello' })
    return {
      onMessage: listener => (listeners.message = listener),
      onExit: listener => (listeners.exit = listener),
      kill: () => exit('SIGKILL'),
      post(message) {
        const { t, id, ...question } = message as ToEngine
        if (t === 'look') hasCard = 'gpu' in question && question.gpu !== 'off'
        asked.push(hasCard ? t : `${t} without card`)
        const result = t === 'keep' ? kept : (hasCard ? behaviour : plain)[t]
        if (result === 'dies') return exit('SIGABRT')
        if (t === 'complete') say({ t: 'text', id, text: 'Hello!' })
        if (result) say({ t: 'end', id, result })
      },
    }
  }
  const open = openEngines('process', {
    settings: { gpu: 'auto' },
    installed: () => ['cpu', 'vulkan'],
    spawn,
  })
  return { ...open, asked }
}

test('a model is loaded by the engine that probed the graphics card', async () => {
  const { engines, asked } = play({ look: { kind: 'looked', runtime: card }, load: loaded })
  expect(await engines.load(model(scripted))).toBeUndefined()
  expect(asked).toEqual(['look', 'load'])
  expect(engines.state).toMatchObject({ phase: 'ready', notice: null })
  expect(await engines.gpu()).toEqual({
    backend: 'vulkan',
    names: ['A card'],
    totalBytes: card.totalBytes,
    freeBytes: card.freeBytes,
  })
  expect(asked).toEqual(['look', 'load'])
  expect(await engines.info()).toMatchObject({
    backend: 'vulkan',
    devices: ['A card'],
    installed: ['cpu', 'vulkan'],
  })
  await engines.close()
})

test('a computer without a graphics card is probed only once', async () => {
  const { engines, asked } = play({ look: { kind: 'looked', runtime: none } })
  const looks = await Promise.all([engines.gpu(), engines.gpu(), engines.room()])
  expect(looks).toMatchObject([null, null, { gpu: null }])
  expect(asked).toEqual(['look'])
  expect(await engines.load(model(scripted))).toBeUndefined()
  expect(asked).toEqual(['look', 'load without card'])
  expect(engines.state.notice).toBeNull()
  await engines.close()
})

test('the room to expect is known at once, and nothing is probed for it', async () => {
  const { engines, asked } = play({ look: { kind: 'looked', runtime: card } })
  expect(engines.expectedRoom()).toMatchObject({ gpu: null, isExpected: true })
  expect(asked).toEqual([])
  const { gpu } = await engines.room()
  expect(gpu).toMatchObject({ names: ['A card'] })
  expect(engines.expectedRoom()).toMatchObject({ gpu, isExpected: false })
  await engines.close()
})

test.for<[string, Behaviour]>([
  ['dies when it looks at the card', { look: 'dies' }],
  [
    'finds a renderer in software',
    { look: { kind: 'failed', failure: { code: 'internal', text: 'llvmpipe', fix: '' } } },
  ],
])('an engine that %s is replaced silently', async ([, behaviour]) => {
  const { engines, asked, ask, reports } = play(behaviour)
  expect((await ask(scripted, [user('hi')])).text).toBe('Hello!')
  expect(asked).toEqual(['look', 'load without card', 'complete without card'])
  expect(engines.state).toMatchObject({ phase: 'ready', error: null, notice: null })
  expect(reports.map(String).join()).toMatch(/No graphics card/)
  await engines.close()
})

test.for<[string, EngineResult | 'dies', RegExp]>([
  ['dies', 'dies', /made the engine stop/],
  [
    'fails',
    { kind: 'failed', failure: { code: 'internal', text: 'The driver is too old.', fix: '' } },
    /too old/,
  ],
])(
  'an engine that %s while loading is replaced, and the graphics card is not used afterwards',
  async ([, load, why]) => {
    const { engines, asked, settings } = play({ look: { kind: 'looked', runtime: card }, load })
    expect(await engines.load(model(scripted))).toBeUndefined()
    expect(engines.state).toMatchObject({ phase: 'ready', notice: expect.stringMatching(why) })
    expect(asked).toEqual(['look', 'load', 'load without card'])
    await engines.unload()
    expect(await engines.load(model(scripted))).toBeUndefined()
    expect(asked.slice(3)).toEqual(['keep without card', 'load without card'])
    expect(engines.state.notice).toMatch(/processor is used/)
    expect(await engines.gpu()).toBeNull()
    // With another setting the card is tried again.
    settings.gpu = 'vulkan'
    expect(await engines.gpu()).toMatchObject({ backend: 'vulkan' })
    await engines.close()
  },
)

test('a graphics card too small for one model is still used for others', async () => {
  const { engines, asked } = play({ look: { kind: 'looked', runtime: card }, load: full })
  expect(await engines.load(model(scripted))).toBeUndefined()
  expect(engines.state.notice).toMatch(/The card is full/)
  expect(await engines.gpu()).toMatchObject({ backend: 'vulkan' })
  expect(asked).toEqual(['look', 'load', 'load without card'])
  await engines.close()
})

test('if the set number of layers does not fit, the load fails with possible fixes', async () => {
  const { engines, asked } = play({ look: { kind: 'looked', runtime: card }, load: full })
  const failure = await engines.load(model(tiny), { options: { gpuLayers: 3 } })
  expect(failure).toEqual({ code: 'out_of_memory', text: 'The card is full.', fix: '' })
  expect(engines.state.fixes.map(fix => fix.do)).toEqual(['layers', 'context', 'cpu', 'smaller', 'again'])
  expect(await engines.load(model(tiny), { cpu: true })).toBeUndefined()
  expect(engines.state).toMatchObject({ phase: 'ready', notice: null, fixes: [] })
  expect(asked).toEqual(['look', 'load', 'load without card'])
  await engines.close()
})

test('an engine that dies during an answer is replaced by one without the graphics card', async () => {
  const { engines, asked, ask } = play({
    look: { kind: 'looked', runtime: card },
    load: loaded,
    complete: 'dies',
  })
  const { failure } = await ask(scripted, [user('hi')])
  expect(failure).toMatchObject({ code: 'engine_gone' })
  await settled(() => expect(engines.state.phase).toBe('failed'))
  const answer = await ask(scripted, [user('hi')])
  expect(answer.text).toBe('Hello!')
  expect(asked).toEqual(['look', 'load', 'complete', 'load without card', 'complete without card'])
  expect(engines.state.notice).toMatch(/stopped with the graphics card \(SIGABRT\)/)
  await engines.close()
})
