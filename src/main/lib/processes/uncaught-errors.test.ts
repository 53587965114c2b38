import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { until } from '../../../../testing/until.ts'
import { endOnUncaughtErrors, type LastSteps } from './uncaught-errors.ts'

/** A process that records what happens in it; steps can be replaced. */
function aProcess(differing: Partial<LastSteps> = {}) {
  const source = new EventEmitter()
  const did: string[] = []
  const listening = endOnUncaughtErrors(
    {
      report: error => void did.push(`reported ${String(error)}`),
      finish: async () => void did.push('finished'),
      tell: error => void did.push(`told ${String(error)}`),
      exit: code => void did.push(`exit ${code}`),
      ...differing,
    },
    source,
  )
  return { source, did, listening, ended: () => until(() => did.includes('exit 1')) }
}

test.each(['uncaughtException', 'unhandledRejection'])(
  'after an %s the error is reported, writing finishes, the person is told and the process ends',
  async event => {
    const { source, did, ended } = aProcess()
    source.emit(event, 'first')
    await ended()
    expect(did).toEqual(['reported first', 'finished', 'told first', 'exit 1'])
  },
)

test('what Node’s fetch throws at a connection that ends early is reported, and nothing ends', async () => {
  const { source, did } = aProcess()
  const thrown = Object.assign(new Error('assert(!this.paused)'), {
    code: 'ERR_ASSERTION',
    stack: 'AssertionError\n    at Parser.finish (node:internal/deps/undici/undici:7388:9)',
  })
  source.emit('uncaughtException', thrown)
  await Promise.resolve()
  expect(did).toEqual(['reported Error: assert(!this.paused)'])
})

test('errors that come while the process ends are reported, and it ends once', async () => {
  const finishing = Promise.withResolvers<void>()
  const { source, did, ended } = aProcess({ finish: () => finishing.promise })
  source.emit('uncaughtException', 'first')
  source.emit('unhandledRejection', 'second')
  finishing.resolve()
  await ended()
  source.emit('uncaughtException', 'third')
  expect(did).toEqual(['reported first', 'reported second', 'told first', 'exit 1', 'reported third'])
})

test('the process ends even when every step before that fails', async () => {
  const fail = () => {
    throw new Error('broken')
  }
  const { source, did, ended } = aProcess({ report: fail, finish: fail, tell: fail })
  source.emit('uncaughtException', 'first')
  await ended()
  expect(did).toEqual(['exit 1'])
})

test('what is disposed of leaves errors to others', () => {
  const { source, listening } = aProcess()
  listening[Symbol.dispose]()
  expect(source.eventNames()).toEqual([])
})
