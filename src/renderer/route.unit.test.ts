import { afterEach, expect, test, vi } from 'vitest'
import { goTo, readRoute } from './route.ts'

afterEach(() => void vi.unstubAllGlobals())

/** The fragment of the address after going to a place from the one with `hash`. */
function goFrom(hash: string, place: Parameters<typeof goTo>[0]): string {
  let shown = hash
  vi.stubGlobal('location', { hash, pathname: '/', search: '' })
  vi.stubGlobal('history', {
    pushState(_state: unknown, _title: string, url: string) {
      shown = url.slice(1)
    },
  })
  goTo(place)
  return shown
}

const chat = {
  page: 'chat',
  chatId: null,
  messageId: null,
  entryId: null,
  skillId: null,
  tab: null,
  itemId: null,
}

test.for([
  ['', chat],
  ['#token=abc', chat],
  ['#token=abc&chat=c1', { ...chat, chatId: 'c1' }],
  ['#chat=a%20b', { ...chat, chatId: 'a b' }],
  ['#chat=', chat],
  ['#chat=c1&message=12', { ...chat, chatId: 'c1', messageId: 12 }],
  ['#chat=c1&message=', { ...chat, chatId: 'c1' }],
  ['#chat=c1&message=x', { ...chat, chatId: 'c1' }],
  ['#page=memory', { ...chat, page: 'memory' }],
  ['#chat=c1&page=memory&entry=n1', { ...chat, page: 'memory', chatId: 'c1', entryId: 'n1' }],
  ['#page=skills&skill=own%2Fa&tab=edit', { ...chat, page: 'skills', skillId: 'own/a', tab: 'edit' }],
  ['#chat=c1&page=activity&item=p1', { ...chat, page: 'activity', chatId: 'c1', itemId: 'p1' }],
  ['#page=models&tab=downloads', { ...chat, page: 'models', tab: 'downloads' }],
  ['#page=settings&tab=privacy', { ...chat, page: 'settings', tab: 'privacy' }],
  ['#page=memory&tab=x', { ...chat, page: 'memory' }],
  ['#chat=c1&item=p1', { ...chat, chatId: 'c1' }],
  ['#page=weather&entry=n1', chat],
] as const)('the fragment %o is read', ([hash, route]) => {
  expect(readRoute(hash)).toEqual(route)
})

test('writing a route keeps the token', () => {
  const token = 'aZ09-_aZ09'
  const there = goFrom(`#token=${token}`, { chatId: 'c 1&x=2' })
  expect(readRoute(there)).toEqual({ ...chat, chatId: 'c 1&x=2' })
  expect(goFrom(there, { chatId: null })).toBe(`#token=${token}`)
})

test('the Memory page keeps the chat, and returning to the chat drops page and entry', () => {
  const there = goFrom('#chat=c1&message=3', { page: 'memory', entryId: 'n1' })
  expect(there).toBe('#chat=c1&page=memory&entry=n1')
  expect(goFrom(there, { page: 'memory' })).toBe('#chat=c1&page=memory')
  expect(goFrom(there, { chatId: 'c1' })).toBe('#chat=c1')
  expect(goFrom(there, { chatId: 'c2', messageId: 7 })).toBe('#chat=c2&message=7')
})

test('a card of the Activity page stays in the address until another place is opened', () => {
  const there = goFrom('#chat=c1', { page: 'activity', itemId: 'p1' })
  expect(there).toBe('#chat=c1&page=activity&item=p1')
  expect(goFrom(there, { page: 'activity' })).toBe('#chat=c1&page=activity')
  expect(goFrom(there, { page: 'memory' })).toBe('#chat=c1&page=memory')
})

test('without a chat and a token the fragment is empty', () => {
  expect(goFrom('#chat=c1', { chatId: null })).toBe('')
})
