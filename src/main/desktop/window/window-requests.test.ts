import { expect, test, beforeEach, describe } from 'vitest'
import type { WindowRequest } from '../../../shared/contract/desktop.ts'
import { createWindowRequests, readStart, takeRequests } from './window-requests.ts'
import { app, resetShim } from '../../../../testing/host/electron-shim.ts'

const search: WindowRequest = { type: 'search' }
const chat = (id: string): WindowRequest => ({ type: 'chat', id })

test('requests wait for the page, and arrive in order', async () => {
  const { send, watch } = createWindowRequests()
  send(search)
  send(chat('1'))
  const page = watch({}, new AbortController().signal)
  const first = [(await page.next()).value, (await page.next()).value]
  const next = page.next()
  send(chat('2'))
  expect([...first, (await next).value]).toEqual([search, chat('1'), chat('2')])
})

test('a page that was reloaded takes over from the one before', async () => {
  const { send, watch } = createWindowRequests()
  const old = watch({}, new AbortController().signal)
  const waits = old.next()
  const page = watch({}, new AbortController().signal)
  const next = page.next()
  send(search)
  expect([(await waits).done, (await next).value]).toEqual([true, search])
})

test('a page that goes away ends its stream, and what comes later waits for the next one', async () => {
  const { send, watch } = createWindowRequests()
  const gone = new AbortController()
  const old = watch({}, gone.signal)
  const waits = old.next()
  gone.abort()
  expect((await waits).done).toBe(true)
  send(search)
  const page = watch({}, new AbortController().signal)
  expect((await page.next()).value).toEqual(search)
})

test('of many requests that nobody takes the newest are kept', async () => {
  const { send, watch } = createWindowRequests()
  for (let at = 0; at < 100; at++) send(chat(String(at)))
  const page = watch({}, new AbortController().signal)
  expect((await page.next()).value).toEqual(chat('80'))
})

beforeEach(resetShim)

describe('a talaria: link', () => {
  test.for([
    ['talaria://new', { type: 'chat', id: null }],
    ['talaria://new?text=Hello%20there', { type: 'draft', text: 'Hello there' }],
    ['TALARIA://new?text=a', { type: 'draft', text: 'a' }],
    ['talaria://chat/s_1-a', { type: 'chat', id: 's_1-a' }],
    ['talaria://settings/privacy', { type: 'page', page: 'settings', tab: 'privacy' }],
    ['talaria://models', { type: 'page', page: 'models', tab: null }],
    ['talaria://memory/', { type: 'page', page: 'memory', tab: null }],
    // An unknown tab is left out, never passed on.
    ['talaria://models/%22%3E', { type: 'page', page: 'models', tab: null }],
  ] as const)('%s opens its place', ([link, request]) => {
    expect(readStart([link], '/')).toEqual(request)
  })

  test.for([
    'talaria:',
    'talaria://',
    'talaria://run?command=ls',
    'talaria://chat',
    'talaria://chat/a/b',
    'talaria://chat/%00',
    'https://example.com/',
    'file:///etc/passwd',
    `talaria://new?text=${'a'.repeat(50_000)}`,
    '',
  ])('%s opens nothing', link => {
    expect(readStart([link], '/')).toBeUndefined()
  })

  test('fills in a text of limited length, whose hidden characters can be seen', () => {
    const long = readStart([`talaria://new?text=${'a'.repeat(20_000)}`], '/')
    const hidden = readStart([`talaria://new?text=${encodeURIComponent('ls\u202Erm')}`], '/')
    expect([long?.type === 'draft' && long.text.length, hidden]).toEqual([
      10_000,
      { type: 'draft', text: 'ls⟨U+202E⟩rm' },
    ])
  })
})

describe('a start', () => {
  test('with a folder asks for a chat in it, relative to where it was made', () => {
    expect(readStart(['.', '--workspace', 'notes'], '/home/ada')).toEqual({
      type: 'folder',
      folder: '/home/ada/notes',
    })
  })

  test('without a folder asks for nothing', () => {
    expect(readStart(['.', '--inspect=0', '--original-process-start-time=1'], '/')).toBeUndefined()
  })

  test('with a link has no options', () => {
    expect(readStart(['talaria://memory', '--workspace', '/etc'], '/')).toEqual({
      type: 'page',
      page: 'memory',
      tab: null,
    })
  })
})

test('requests that come before the window are kept in order, and later ones go through at once', () => {
  const { serve } = takeRequests()
  let prevented = 0
  const event = { preventDefault: () => prevented++ }
  app.emit('open-url', event, 'talaria://memory')
  app.emit('second-instance', {}, ['/usr/bin/talaria', '--workspace', 'notes'], '/home/ada')
  app.emit('activate', {}, false)
  const seen: unknown[] = []
  serve(asked => seen.push(asked))
  const early = [...seen]
  app.emit('second-instance', {}, ['/usr/bin/talaria', 'talaria://chat/c1'], '/')
  app.emit('open-url', event, 'https://example.com/')
  expect([early, seen.slice(3), prevented]).toEqual([
    [{ type: 'page', page: 'memory', tab: null }, { type: 'folder', folder: '/home/ada/notes' }, undefined],
    [{ type: 'chat', id: 'c1' }, undefined],
    2,
  ])
})
