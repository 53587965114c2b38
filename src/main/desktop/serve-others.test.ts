import { expect, test } from 'vitest'
import { servedWords } from './serve-others.ts'

test('only a start with the words “mcp serve” answers another program instead of opening a window', () => {
  expect(servedWords(['mcp', 'serve', '--home', '/home/a/.talaria'])).toEqual(['--home', '/home/a/.talaria'])
  // AppImages add this one.
  expect(servedWords(['--no-sandbox', 'mcp', 'serve'])).toEqual([])
  for (const words of [
    [],
    ['--home', '/mcp'],
    ['talaria://chat/1'],
    ['mcp'],
    ['mcp', 'list'],
    ['/a/folder', 'mcp', 'serve'],
  ])
    expect(servedWords(words)).toBeUndefined()
})
