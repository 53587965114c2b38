import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { randomModel, scriptedModel } from '../../../../../testing/gguf/cached.ts'
import { manyWords } from '../../../../../testing/terminal/cli.ts'
import { gone } from '../../../../../testing/processes.ts'
import { entryPath } from '../../../lib/disk/shipped-files.ts'
import { model, openEngines, reply, system, user } from '../../../../../testing/models/local.ts'

const scripted = scriptedModel({ reply: 'Hello! I am here.' })
const endless = randomModel({ preset: 'tiny', seed: 5 })

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
const open = (...options: Parameters<typeof openEngines>) => {
  const opened = openEngines(...options)
  closers.push(() => opened.engines.close())
  return opened
}

test('an engine that is killed ends the answer with a reason, and the next question starts a new one', async () => {
  const { engines, ask, children, states } = open('process')
  const messages = [system('You are an agent. '.repeat(20)), user('Write.')]
  // Neither an end nor a repetition comes before the kill, however far the engine is ahead.
  const long = scriptedModel({ reply: manyWords })
  const answer = await ask(long, messages, {
    onEvent: event => event.type === 'text' && children.at(-1)?.kill(),
  })
  expect(answer.failure).toEqual({
    type: 'failed',
    code: 'engine_gone',
    text: 'The engine for local models stopped while it was answering (SIGKILL).',
    fix: 'Try again. It restarts automatically.',
  })
  expect(engines.state.phase).toBe('failed')
  const next = await ask(long, [...messages, reply(answer), user('Go on.')], { maxTokens: 2 })
  expect(next).toMatchObject({ stop: 'length', usage: { reusedTokens: 0 } })
  expect(states.at(-1)).toMatchObject({ phase: 'ready', error: null })
})

test('another model gets another process, and no process is left behind', async () => {
  const opened = open('process')
  for (const path of [scripted, endless]) await opened.ask(path, [user('hi')], { maxTokens: 2 })
  expect(opened.children).toHaveLength(2)
  expect(opened.living).toBe(1)
  await opened.engines.close()
  expect(opened.living).toBe(0)
})

test('an engine survives Ctrl+C, but not the end of its host', async () => {
  const host = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { fork } from 'node:child_process'
     const engine = fork(${JSON.stringify(entryPath('engine-process'))}, { execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
     engine.on('message', ({ t }) => t === 'pulse' || console.log(JSON.stringify({ pid: engine.pid, t })))
     process.stdin.on('data', () => engine.send({ t: 'count', id: 1, text: '' }))`,
  ])
  const lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]()
  const said = async () => JSON.parse((await lines.next()).value!) as { pid: number; t: string }
  const { pid } = await said()
  process.kill(pid, 'SIGINT')
  host.stdin.write('Are you there?')
  expect(await said()).toEqual({ pid, t: 'end' })
  host.kill('SIGKILL')
  await gone(pid)
})

test('a model that needs more memory than available is refused before anything starts', async () => {
  const { engines, ask, children } = open('process', { availableMemory: () => 100 << 20 })
  const { failure } = await ask(scripted, [user('hi')])
  expect(failure).toMatchObject({
    code: 'out_of_memory',
    text: expect.stringMatching(
      /scripted-.* needs about 1\d\d(\.\d)? MB of memory, but only 104\.9 MB are free\.$/,
    ),
    fix: 'Close other programs, or choose a smaller model.',
  })
  expect(await engines.engine(model(scripted)).profile()).toMatchObject({ code: 'out_of_memory' })
  expect(await engines.load(model(scripted))).toMatchObject({ code: 'out_of_memory' })
  expect(children).toEqual([])
})

test('a context that does not fit is reduced in profile and engine alike, with a notice', async () => {
  let available = 140 << 20
  const { engines, states } = open('process', { availableMemory: () => available })
  const engine = engines.engine(model(endless))
  const planned = await engine.profile()
  if ('code' in planned) throw new Error(planned.text)
  const { contextTokens } = planned
  expect(contextTokens % 1_024).toBe(0)
  expect(contextTokens).toBeGreaterThanOrEqual(2_048)
  expect(contextTokens).toBeLessThan(8_192)
  expect(await engines.load(model(endless))).toBeUndefined()
  expect(engines.state).toMatchObject({
    phase: 'ready',
    contextTokens,
    notice: expect.stringMatching(
      / tokens of a chat instead of 8,192, because more does not fit .*146\.8 MB/,
    ),
  })
  // A loaded engine's context counts, whatever memory is free now.
  for (available of [100 << 20, 8 * 2 ** 30]) expect(await engine.profile()).toMatchObject({ contextTokens })
  await engines.unload()
  expect(states.at(-1)).toMatchObject({ phase: 'stopped', notice: null })
  expect(await engine.profile()).toMatchObject({ contextTokens: 8_192 })
})

test('the memory of a model to be unloaded counts as free for the next one', async () => {
  let available = 2_000 << 20
  const { engines } = open('process', { availableMemory: () => available })
  expect(await engines.load(model(scripted))).toBeUndefined()
  available = 20 << 20
  const next = await engines.engine(model(endless)).profile()
  expect(next).toMatchObject({ contextTokens: expect.any(Number) })
})

test('a file that crashes the engine during loading is named, and the next model loads', async () => {
  const opened = open('process')
  const path = randomModel({ duplicateToken: true })
  const { failure } = await opened.ask(path, [user('hi')])
  expect(failure).toMatchObject({
    code: 'model_unreadable',
    text: `${path} made the engine stop while it was loading (SIGABRT).`,
    fix: 'The file is probably damaged: download it again, or choose another model.',
  })
  expect(opened.living).toBe(0)
  expect(await opened.ask(scripted, [user('hi')])).toMatchObject({ text: 'Hello! I am here.' })
})

test('an engine that is killed during loading says so, and the same model loads the next time', async () => {
  const opened = open('process')
  const { failure } = await opened.ask(endless, [user('hi')], {
    onEvent: event => event.type === 'progress' && event.phase === 'loading' && opened.children[0]?.kill(),
  })
  expect(failure).toMatchObject({
    code: 'engine_gone',
    text: `The engine was ended from outside while it was loading ${endless}, probably because memory ran out.`,
    fix: 'Close other programs or choose a smaller model, and try again.',
  })
  expect(opened.engines.state).toMatchObject({ phase: 'failed', error: failure?.text })
  expect(await opened.ask(endless, [user('hi')], { maxTokens: 1 })).toMatchObject({ stop: 'length' })
})

test('a file that is not a model is refused before anything starts, also in the profile', async () => {
  const { engines, ask, children } = open('process')
  const path = '/nowhere/model.gguf'
  expect((await ask(path, [user('hi')])).failure?.code).toBe('model_missing')
  expect(await engines.engine(model(path)).profile()).toMatchObject({ code: 'model_missing' })
  expect(engines.state).toMatchObject({ phase: 'failed', error: `There is no model file at ${path}.` })
  expect(children).toEqual([])
})

test('the profile’s context is the trained one, limited by the settings', async () => {
  const { engines, children } = open('process', { settings: { context_tokens: 4_096 } })
  const profile = (contextTokens: number) => engines.engine(model(randomModel({ contextTokens }))).profile()
  expect(await profile(2_048)).toMatchObject({ strategy: 'text', contextTokens: 2_048 })
  expect(await profile(32_768)).toMatchObject({ contextTokens: 4_096 })
  expect(children).toEqual([])
})
