import { beforeEach, describe, expect, test } from 'vitest'
import { app, resetShim } from '../../../../testing/host/electron-shim.ts'
import { readLink } from './links.ts'
import { readStart, takeRequests } from './requests.ts'

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
    expect(readLink(link)).toEqual(request)
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
    expect(readLink(link)).toBeUndefined()
  })

  test('fills in a text of limited length, whose hidden characters can be seen', () => {
    const long = readLink(`talaria://new?text=${'a'.repeat(20_000)}`)
    const hidden = readLink(`talaria://new?text=${encodeURIComponent('ls\u202Erm')}`)
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
