import type { MessagePort } from 'node:worker_threads'
import { beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { ipcMain, resetShim } from '../../../../testing/host/electron-shim.ts'
import { overWorkerPort } from '../../../../testing/host/over-worker-port.ts'
import { connectClient } from '../../../shared/connect-client.ts'
import { call, stream, type Contract, type Handlers } from '../../../shared/rpc.ts'
import { answerPortRequests } from './port.ts'

const page = 'app://bundle/index.html'

beforeEach(resetShim)

const contract = {
  'tiny.double': call(z.object({ number: z.number() }), z.number()),
  'tiny.forever': stream(z.object({}), z.number()),
} satisfies Contract

/** A frame of the page as the main process sees it, and the port it was handed. */
function aFrame(url: string, parent: object | null = null) {
  const received: { port: MessagePort }[] = []
  const frame = {
    url,
    parent,
    postMessage: (message: string, _data: null, ports: { port: MessagePort }[]) => {
      if (message === 'host-port') received.push(...ports)
    },
  }
  return { frame, received }
}

function aPortHost() {
  const seen = { aborted: 0, reports: [] as unknown[] }
  const handlers: Handlers<typeof contract> = {
    'tiny.double': ({ number }) => number * 2,
    async *'tiny.forever'(_, signal) {
      signal.addEventListener('abort', () => (seen.aborted += 1))
      yield 1
      await new Promise(resolve => signal.addEventListener('abort', resolve))
    },
  }
  answerPortRequests(contract, handlers, error => seen.reports.push(error))
  return seen
}

test('our page gets a port to call the host', async () => {
  aPortHost()
  const { frame, received } = aFrame(page)
  ipcMain.emit('host-port', { senderFrame: frame })
  const channel = overWorkerPort(received[0]!.port)
  const answer = await connectClient(contract, channel)['tiny.double']({ number: 21 })
  channel.close()
  expect(answer).toBe(42)
})

test('a page that goes away stops its subscriptions', async () => {
  const seen = aPortHost()
  const { frame, received } = aFrame(page)
  ipcMain.emit('host-port', { senderFrame: frame })
  const channel = overWorkerPort(received[0]!.port)
  const events = connectClient(contract, channel)['tiny.forever']({})
  const first = await events.next()
  channel.close()
  await expect.poll(() => seen.aborted).toBe(1)
  expect(first.value).toBe(1)
})

test.for([
  ['a foreign page', aFrame('https://example.com/').frame],
  ['another host of our scheme', aFrame('app://elsewhere/index.html').frame],
  ['our page inside another', aFrame(page, aFrame('https://example.com/').frame).frame],
  ['our page inside our page', aFrame(page, aFrame(page).frame).frame],
  ['an empty frame', aFrame('').frame],
  ['a frame that is gone', null],
] as const)('%s gets no port, is told so, and the attempt is reported', ([, senderFrame]) => {
  const seen = aPortHost()
  const told: string[] = []
  if (senderFrame) senderFrame.postMessage = message => void told.push(message)
  ipcMain.emit('host-port', { senderFrame })
  expect([told, seen.reports.length]).toEqual([senderFrame ? ['host-port-refused'] : [], 1])
})
