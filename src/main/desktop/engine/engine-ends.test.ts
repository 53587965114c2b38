import { beforeEach, expect, test } from 'vitest'
import { app, resetShim, utilityProcess } from '../../../../testing/host/electron-shim.ts'
import { scriptedModel } from '../../../../testing/gguf/cached.ts'
import { model, openEngines, user } from '../../../../testing/models/local.ts'
import type { SpawnEngine } from '../../models/interface/engine-child.ts'
import type { EngineResult, FromEngine, ToEngine } from '../../models/engines/local/process/protocol.ts'
import { spawnEngine } from './spawn-engine.ts'

// Engines in utility processes as the host sees them: its events if one ends, and that the next one works.

beforeEach(resetShim)

const path = scriptedModel({ reply: 'Hello!' })
const loaded: EngineResult = {
  kind: 'loaded',
  loaded: {
    backend: 'cpu',
    gpuLayers: 0,
    contextTokens: 8_192,
    sequences: 1,
    threads: 1,
    appendOnly: true,
    templateProblem: undefined,
    sampleTokens: 100,
  },
}
const done = { kind: 'done', stop: 'end', usage: {} } as EngineResult

type End = { reason?: string; code: number }

/** Utility processes, of which the first ends on the request `at`; later ones answer. */
function openDesktop(at: ToEngine['t'], { reason, code }: End) {
  let started = 0
  const spawn: SpawnEngine = (...how) => {
    const isFirst = ++started === 1
    const engine = spawnEngine(...how)
    const { child, options } = utilityProcess.forked.at(-1)!
    const say = (message: FromEngine) => setImmediate(() => child.emit('message', message))
    child.kill = () => {
      child.killed++
      return child.emit('exit', 0)
    }
    child.postMessage = message => {
      const { t, id } = message as ToEngine
      if (isFirst && t === at) {
        child.emit('exit', code)
        if (reason !== undefined)
          app.emit('child-process-gone', {}, { name: options.serviceName, reason, exitCode: code })
        return
      }
      if (t === 'complete') say({ t: 'text', id, text: 'Hello!' })
      say({ t: 'end', id, result: t === 'complete' ? done : loaded })
    }
    say({ t: 'hello' })
    return engine
  }
  const opened = openEngines('process', { spawn })
  return { ...opened, started: () => started }
}

const outside = /^The engine was ended from outside .* probably because memory ran out\.$/
const file = /made the engine stop while it was loading \(\S+\)\.$/
const unclear = /The system did not say why\.$/

test.for([
  [{ reason: 'oom', code: 9 }, 'engine_gone', outside],
  [{ reason: 'killed', code: 9 }, 'engine_gone', outside],
  [{ reason: 'memory-eviction', code: 1 }, 'engine_gone', outside],
  [{ reason: 'crashed', code: 134 }, 'model_unreadable', file],
  [{ reason: 'abnormal-exit', code: 1 }, 'engine_gone', unclear],
  [{ reason: 'launch-failed', code: 2 }, 'internal', /does not start on this machine/],
  [{ code: 9 }, 'engine_gone', unclear],
  [{ code: 134 }, 'engine_gone', unclear],
] as const)('an engine that ends with %j while it loads is told as %s', async ([end, code, text]) => {
  const { engines, ask, started } = openDesktop('load', end)
  const { failure } = await ask(path, [user('hi')])
  expect(failure).toMatchObject({ code, text: expect.stringMatching(text) })
  // The next use starts another process.
  expect((await ask(path, [user('hi')])).text).toBe('Hello!')
  expect(started()).toBe(2)
  await engines.close()
})

test('an engine that ends during an answer says why, and the next question starts another one', async () => {
  const { engines, ask, started } = openDesktop('complete', { reason: 'crashed', code: 11 })
  const { failure } = await ask(path, [user('hi')])
  expect(failure).toMatchObject({
    code: 'engine_gone',
    text: expect.stringContaining('stopped while it was answering (crashed)'),
  })
  expect((await ask(path, [user('hi')])).text).toBe('Hello!')
  expect(started()).toBe(2)
  await engines.close()
})

test('an engine that is unloaded on purpose has not failed', async () => {
  const { engines, reports } = openDesktop('forget', { code: 0 })
  expect(await engines.load(model(path))).toBeUndefined()
  await engines.unload()
  expect([engines.state.phase, engines.state.error, reports]).toEqual(['stopped', null, []])
  await engines.close()
})
