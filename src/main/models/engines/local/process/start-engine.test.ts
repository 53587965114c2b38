import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EngineChild } from '../../../interface/engine-child.ts'
import { openLink } from './start-engine.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A link to an engine simulated by the test. */
function setUp() {
  const posted: unknown[] = []
  let say: (message: unknown) => void = () => {}
  let exit: (how: string) => void = () => {}
  const kill = vi.fn(() => exit('SIGKILL'))
  const child: EngineChild = {
    post: message => void posted.push(message),
    onMessage: listener => (say = listener),
    onExit: listener => (exit = listener),
    kill,
  }
  const reported: unknown[] = []
  const link = openLink(child, error => reported.push(error))
  return {
    link,
    posted,
    reported,
    kill,
    say: (message: unknown) => say(message),
    exit: (how: string) => exit(how),
  }
}

test('each answer goes to its question, with progress in between', async () => {
  const { link, posted, say } = setUp()
  const progress: unknown[] = []
  const first = link.ask({ t: 'count', text: 'a' })
  const second = link.ask({ t: 'count', text: 'b' }, { onProgress: event => progress.push(event) })
  say({ t: 'text', id: 2, text: 'on the way' })
  say({ t: 'end', id: 2, result: { kind: 'count', tokens: 2 } })
  say({ t: 'end', id: 1, result: { kind: 'count', tokens: 1 } })
  expect(await Promise.all([first, second])).toEqual([
    { kind: 'count', tokens: 1 },
    { kind: 'count', tokens: 2 },
  ])
  expect(progress).toEqual([{ t: 'text', id: 2, text: 'on the way' }])
  expect(posted).toEqual([
    { t: 'count', id: 1, text: 'a' },
    { t: 'count', id: 2, text: 'b' },
  ])
})

test('malformed messages are ignored', async () => {
  const { link, say } = setUp()
  const question = link.ask({ t: 'count', text: 'a' })
  for (const message of [null, 7, 'hello', {}, { t: 'end' }, { t: 'end', id: 99, result: {} }]) say(message)
  say({ t: 'end', id: 1, result: { kind: 'stopped' } })
  expect(await question).toEqual({ kind: 'stopped' })
})

test('a lost engine fails all questions, including later ones', async () => {
  const { link, exit } = setUp()
  const question = link.ask({ t: 'count', text: 'a' })
  exit('SIGSEGV')
  expect(await question).toEqual({ kind: 'lost', how: 'SIGSEGV' })
  expect(await link.ask({ t: 'count', text: 'b' })).toEqual({ kind: 'lost', how: 'SIGSEGV' })
  expect(await link.ended).toBe('SIGSEGV')
})

test('an engine that does not say hello has not started', async () => {
  const silent = setUp()
  await vi.advanceTimersByTimeAsync(40_000)
  expect(await silent.link.hello).toBe(false)
  const gone = setUp()
  gone.exit('1')
  expect(await gone.link.hello).toBe(false)
  const well = setUp()
  well.say({ t: 'hello' })
  expect(await well.link.hello).toBe(true)
})

test('an engine that ignores a stop for five seconds is killed', async () => {
  const { link, posted, kill } = setUp()
  const stop = new AbortController()
  const question = link.ask({ t: 'count', text: 'a' }, { signal: stop.signal })
  stop.abort()
  expect(posted.at(-1)).toEqual({ t: 'cancel', id: 1 })
  await vi.advanceTimersByTimeAsync(4_900)
  expect(kill).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(200)
  expect(await question).toEqual({ kind: 'lost', how: 'SIGKILL' })
})

test('an engine that obeys a stop stays alive', async () => {
  const { link, kill, say } = setUp()
  const stop = new AbortController()
  const question = link.ask({ t: 'count', text: 'a' }, { signal: stop.signal })
  stop.abort()
  say({ t: 'end', id: 1, result: { kind: 'stopped' } })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await question).toEqual({ kind: 'stopped' })
  expect(kill).not.toHaveBeenCalled()
})

test('an engine that is busy but silent for half a minute is killed, and one with a heartbeat is not', async () => {
  const { link, kill, say } = setUp()
  const question = link.ask({ t: 'count', text: 'a' })
  for (let beat = 0; beat < 60; beat++) {
    await vi.advanceTimersByTimeAsync(2_000)
    say({ t: 'pulse' })
  }
  expect(kill).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(40_000)
  expect(await question).toEqual({ kind: 'lost', how: 'SIGKILL' })
})

test('an idle engine may be silent', async () => {
  const { kill, say } = setUp()
  say({ t: 'hello' })
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(kill).not.toHaveBeenCalled()
})

test('an engine’s account of its crash is reported', () => {
  const { reported, say, exit } = setUp()
  say({ t: 'crash', trace: 'Error: planted' })
  exit('1')
  expect(reported).toEqual([new Error('The engine crashed: Error: planted')])
})
