import { beforeEach, expect, test, vi } from 'vitest'
import { helpAddresses } from './help-addresses.ts'

beforeEach(() => vi.stubGlobal('location', { hash: '#chat=c1' }))

const resolve = helpAddresses('guide/chat', {
  ids: new Set(['guide/chat', 'guide/files', 'reference/settings']),
  pictures: { 'chat.png': 'data:image/png;base64,AA' },
})

test.each([
  ['files.md', '#chat=c1&page=help&item=guide%2Ffiles'],
  ['./files.md#drop-one', '#chat=c1&page=help&tab=drop-one&item=guide%2Ffiles'],
  ['../reference/settings.md#keys', '#chat=c1&page=help&tab=keys&item=reference%2Fsettings'],
  ['#below', '#chat=c1&page=help&tab=below&item=guide%2Fchat'],
])('a link to %s stays in the window and keeps the chat', (address, expected) => {
  expect(resolve(address, 'href')).toBe(expected)
})

test.each([
  'https://example.org/files.md',
  '//example.org/guide/files.md',
  'javascript:alert(1)',
  '../../README.md',
  'missing.md',
  '../images/chat.png',
])('a link to %s is not one of Help', address => {
  expect(resolve(address, 'href')).toBeUndefined()
})

test('a picture is the one that came with the page, and no other', () => {
  expect(resolve('../images/chat.png', 'src')).toBe('data:image/png;base64,AA')
  expect(resolve('../images/other.png', 'src')).toBeUndefined()
  expect(resolve('https://example.org/images/chat.png', 'src')).toBeUndefined()
  expect(resolve('../images/%E0%A4%A', 'src')).toBeUndefined()
})
