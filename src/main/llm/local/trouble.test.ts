import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { randomModel, scriptedModel } from '../../../../testing/gguf/cached.ts'
import { entryPath } from '../../lib/places.ts'
import { model, openEngines, reply, system, user } from './test-setup.ts'

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

test('an engine that is killed ends the answer with a reason, and the next question starts another one', async () => {
  const { engines, ask, children, states } = open('process')
  const messages = [system('You are an agent. '.repeat(20)), user('Write.')]
  const answer = await ask(endless, messages, {
    onEvent: event => event.type === 'text' && children.at(-1)?.kill(),
  })
  expect(answer.failure).toEqual({
    type: 'failed',
    code: 'engine_gone',
    text: 'The engine for local models stopped while it was answering (SIGKILL).',
    fix: 'Try again: it starts anew by itself.',
  })
  expect(engines.state.phase).toBe('failed')
  const next = await ask(endless, [...messages, reply(answer), user('Go on.')], { maxTokens: 2 })
  expect(next).toMatchObject({ stop: 'length', usage: { reusedTokens: 0 } })
  expect(states.at(-1)).toMatchObject({ phase: 'ready', error: null })
})

test('another model has another process, and no process is left behind', async () => {
  const opened = open('process')
  for (const path of [scripted, endless]) await opened.ask(path, [user('hi')], { maxTokens: 2 })
  expect(opened.children).toHaveLength(2)
  expect(opened.living).toBe(1)
  await opened.engines.close()
  expect(opened.living).toBe(0)
})

test('an engine outlives Ctrl+C, but not its host', async () => {
  const host = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { fork } from 'node:child_process'
     const engine = fork(${JSON.stringify(entryPath('engine-process'))}, { execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
     engine.once('message', () => console.log(engine.pid))`,
  ])
  const [line] = (await once(host.stdout, 'data')) as [Buffer]
  const pid = Number(line)
  process.kill(pid, 'SIGINT')
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(process.kill(pid, 0)).toBe(true)
  host.kill('SIGKILL')
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), { timeout: 10_000 })
})

test('a model that needs more memory than there is is refused before anything starts', async () => {
  const { engines, ask, children } = open('process', { availableMemory: () => 100 << 20 })
  const { failure } = await ask(scripted, [user('hi')])
  expect(failure).toMatchObject({
    code: 'out_of_memory',
    text: `${scripted} needs about 0.2 GiB of memory, and 0.1 GiB are free.`,
  })
  expect(await engines.load(model(scripted))).toMatchObject({ code: 'out_of_memory' })
  expect(children).toEqual([])
})

test('a file that is no model is refused before anything starts, in the profile too', async () => {
  const { engines, ask, children } = open('process')
  const path = '/nowhere/model.gguf'
  expect((await ask(path, [user('hi')])).failure?.code).toBe('model_missing')
  expect(await engines.engine(model(path)).profile()).toMatchObject({ code: 'model_missing' })
  expect(engines.state).toMatchObject({ phase: 'failed', error: `There is no model file at ${path}.` })
  expect(children).toEqual([])
})

test('the profile of a model holds its trained context, but no more than the settings', async () => {
  const { engines, children } = open('process', { settings: { context_tokens: 4_096 } })
  const profile = (contextTokens: number) => engines.engine(model(randomModel({ contextTokens }))).profile()
  expect(await profile(2_048)).toEqual({ strategy: 'text', prompt: 'standard', contextTokens: 2_048 })
  expect(await profile(32_768)).toEqual({ strategy: 'text', prompt: 'standard', contextTokens: 4_096 })
  expect(children).toEqual([])
})
