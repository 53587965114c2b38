import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { overWorkerPort } from '../../../testing/host/over-worker-port.ts'
import { memoryChannels } from './channels.ts'

const settle = () => new Promise(resolve => setTimeout(resolve))

test('both ends of a memory channel get their own copy, asynchronously', async () => {
  const [left, right] = memoryChannels()
  const got: unknown[] = []
  right.onMessage(message => got.push(message))
  const message = { list: [1] }
  left.post(message)
  message.list.push(2)
  expect(got).toEqual([])
  await settle()
  expect(got).toEqual([{ list: [1] }])
})

test('a memory channel buffers messages in order until somebody listens', async () => {
  const [left, right] = memoryChannels()
  left.post(1)
  left.post(2)
  await settle()
  const got: unknown[] = []
  right.onMessage(message => got.push(message))
  left.post(3)
  await settle()
  expect(got).toEqual([1, 2, 3])
})

test('messages posted before a memory channel closes are delivered, and none after', async () => {
  const [left, right] = memoryChannels()
  const got: unknown[] = []
  right.onMessage(message => got.push(message))
  right.onClose(() => got.push('closed'))
  left.onClose(() => got.push('closed too'))
  left.post('last words')
  left.close()
  left.post('too late')
  right.post('too late')
  await settle()
  expect(got).toEqual(['last words', 'closed too', 'closed'])
})

test('a memory channel rejects values that cannot be copied when they are posted', () => {
  const [left] = memoryChannels()
  expect(() => left.post({ run() {} })).toThrow(DOMException)
})

test('closing a port is reported to both ends, also to a later listener', async () => {
  const { port1, port2 } = new MessageChannel()
  const [left, right] = [overWorkerPort(port1), overWorkerPort(port2)]
  const told: string[] = []
  left.onClose(() => told.push('left'))
  right.onClose(() => told.push('right'))
  left.close()
  await expect.poll(() => told.toSorted()).toEqual(['left', 'right'])
  left.onClose(() => told.push('late'))
  await settle()
  expect(told).toContain('late')
})

test('who asks late for the end of a closed memory channel hears of it, and closing twice tells once', async () => {
  const [left, right] = memoryChannels()
  const got: string[] = []
  right.onClose(() => got.push('in time'))
  left.close()
  right.close()
  await settle()
  expect(got).toEqual(['in time'])
  right.onClose(() => got.push('late'))
  await settle()
  expect(got).toEqual(['in time', 'late'])
})
