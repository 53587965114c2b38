import { expect, test } from 'vitest'
import { readRoute, writeRoute } from './route.ts'

test.for([
  ['', null],
  ['#token=abc', null],
  ['#token=abc&chat=c1', 'c1'],
  ['#chat=a%20b', 'a b'],
  ['#chat=', null],
] as const)('the fragment %o shows the chat %o', ([hash, chatId]) => {
  expect(readRoute(hash)).toEqual({ chatId })
})

test('a route never touches the token', () => {
  const token = 'aZ09-_aZ09'
  const there = writeRoute(`#token=${token}`, { chatId: 'c 1&x=2' })
  expect(readRoute(there)).toEqual({ chatId: 'c 1&x=2' })
  expect(writeRoute(there, { chatId: null })).toBe(`#token=${token}`)
})

test('without a chat and a token there is no fragment', () => {
  expect(writeRoute('#chat=c1', { chatId: null })).toBe('')
})
