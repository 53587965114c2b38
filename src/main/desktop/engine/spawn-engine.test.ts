import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { app, resetShim, utilityProcess } from '../../../../testing/host/electron-shim.ts'
import { spawnEngine } from './spawn-engine.ts'

beforeEach(() => {
  resetShim()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function anEngine() {
  const ends: string[] = []
  const engine = spawnEngine('engine.js', { LANG: 'C' }, ['--switch'])
  engine.onExit(how => ends.push(how))
  const { script, options, child } = utilityProcess.forked.at(-1)!
  const gone = (reason: string, name = options.serviceName) =>
    app.emit('child-process-gone', {}, { type: 'Utility', name, reason, exitCode: 9 })
  return { engine, ends, script, options, child, gone }
}

/** Let promises settle, and let the given time pass. */
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

test('the engine runs silently in a utility process, with the switches and environment it is given', () => {
  const heard: unknown[] = []
  const { engine, script, options, child } = anEngine()
  engine.onMessage(message => heard.push(message))
  engine.post('question')
  child.emit('message', 'answer')
  expect([script, options, child.sent, heard]).toEqual([
    'engine.js',
    {
      env: { LANG: 'C' },
      execArgv: ['--switch'],
      stdio: 'ignore',
      serviceName: expect.stringMatching(/^Talaria engine \d+$/),
    },
    ['question'],
    ['answer'],
  ])
})

test.for(['oom', 'killed', 'crashed', 'abnormal-exit', 'memory-eviction', 'integrity-failure'])(
  'an end has the reason %s, whether it comes before or after the exit',
  async reason => {
    const before = anEngine()
    before.gone(reason)
    before.child.emit('exit', 9)
    const after = anEngine()
    after.child.emit('exit', 9)
    await pass()
    const early = [...after.ends]
    after.gone(reason)
    await pass()
    expect([before.ends, early, after.ends]).toEqual([[reason], [], [reason]])
  },
)

test.for([1, 9, 15, 134, 0xc0000005])('a number without a reason (%i) is told as one', async code => {
  const { child, ends } = anEngine()
  child.emit('exit', code)
  await pass(2_000)
  expect(ends).toEqual([`exit code ${code}`])
})

test('an engine that never starts ends, although it has no exit', async () => {
  const { gone, ends } = anEngine()
  gone('launch-failed')
  await pass()
  expect(ends).toEqual(['launch-failed'])
})

test('the end of another process is not taken for the end of this one', async () => {
  const first = anEngine()
  const second = anEngine()
  second.gone('oom')
  first.gone('crashed', 'Network Service')
  first.child.emit('exit', 0)
  second.child.emit('exit', 9)
  await pass()
  expect([first.ends, second.ends]).toEqual([['0'], ['oom']])
})

test.for([0, 9, 15])('after our own kill the code %i is a normal end', async code => {
  const { engine, child, gone, ends } = anEngine()
  engine.kill()
  gone('killed')
  child.emit('exit', code)
  await pass()
  expect([child.killed, ends]).toEqual([1, ['0']])
})

test('an engine that does not react to a polite kill is killed for certain', async () => {
  const killed = vi.spyOn(process, 'kill').mockReturnValue(true)
  const { engine, child, ends } = anEngine()
  child.pid = 4_711
  engine.kill()
  engine.kill()
  await pass(3_100)
  const before = [...ends]
  child.emit('exit', 9)
  await pass(10_000)
  expect([child.killed, killed.mock.calls, before, ends]).toEqual([1, [[4_711, 'SIGKILL']], [], ['0']])
})

test('callers go on although an engine hangs in a driver, or is gone in the moment of the kill', async () => {
  vi.spyOn(process, 'kill').mockImplementation(() => {
    throw new Error('ESRCH')
  })
  const { engine, child, ends } = anEngine()
  child.pid = 4_711
  engine.kill()
  await pass(10_000)
  expect(ends).toEqual(['0'])
})

test('a fatal error of V8 ends the engine, not the app', async () => {
  const { child, ends } = anEngine()
  child.emit('error', 'FatalError', 'v8::internal::Heap', '{}')
  child.emit('exit', 5)
  await pass()
  expect(ends).toEqual(['FatalError in v8::internal::Heap'])
})

test('a message to an engine that has ended gets lost', async () => {
  const { engine, child } = anEngine()
  child.emit('exit', 0)
  engine.post('anyone?')
  expect(child.sent).toEqual([])
})
