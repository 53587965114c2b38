import { expect, test } from 'vitest'
import { createFileWriters } from './file-writers.ts'

const NAMES: Record<string, string> = { a: 'worker 1: Sort', b: 'worker 2: Count' }
function theWriters() {
  const writers = createFileWriters(id => NAMES[id] ?? '')
  const write = (chat: string, path = '/desk/x', work: () => Promise<string> = async () => 'done') =>
    writers.write(chat, path, work, () => true)
  return { writers, write }
}
const refused = {
  refused: expect.stringMatching(/^“worker 1: Sort” has changed this file since you read it\./),
}

test('a write to a file that another one changed since it was read is refused with the name', async () => {
  const { writers, write } = theWriters()
  writers.begin('a')
  writers.begin('b')
  writers.read('b', '/desk/x')
  expect(await write('a')).toBe('done')
  expect(await write('b')).toEqual(refused)
  expect(await write('b', '/desk/y')).toBe('done')
  writers.read('b', '/desk/x')
  expect(await write('b')).toBe('done')
  expect(await write('b')).toBe('done')
})

test('what was written before one began is no reason, but what came after is, also unread', async () => {
  const { writers, write } = theWriters()
  await write('a')
  writers.begin('b')
  expect(await write('b', '/desk/x')).toBe('done')
  writers.begin('c')
  await write('a', '/desk/new')
  expect(await write('c', '/desk/new')).toEqual(refused)
})

test('two writes to one file never overlap, and a failed one changes nothing', async () => {
  const { writers, write } = theWriters()
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  writers.begin('a')
  writers.begin('b')
  const one = writers.write(
    'a',
    '/desk/x',
    async () => {
      order.push('one begins')
      await first.promise
      order.push('one ends')
      return false
    },
    done => done,
  )
  const two = write('b', '/desk/x', async () => {
    order.push('two')
    return 'done'
  })
  await write('b', '/desk/other', async () => {
    order.push('other')
    return 'done'
  })
  first.resolve()
  expect([await one, await two]).toEqual([false, 'done'])
  expect(order).toEqual(['one begins', 'other', 'one ends', 'two'])
  const broken = writers.write(
    'a',
    '/desk/z',
    () => Promise.reject(new Error('a bug')),
    () => true,
  )
  await expect(broken).rejects.toThrow('a bug')
  expect(await write('b', '/desk/z')).toBe('done')
})
