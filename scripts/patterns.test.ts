import { expect, test } from 'vitest'
import { exponentialPatterns, quadraticPatterns } from './patterns.ts'

test('patterns are found that can divide a text in as many ways as it has letters', () => {
  const source = [
    'const settings = /^\\s*(?:\\w+=[^\\s;]*\\s*)+$/',
    'const apart = /^\\s*(?:\\w+=[^\\s;]*(?:\\s+|$))+$/',
    'const nested = (text: string) => text.replace(/(?:a+)+b/g, "")',
    'const plain = "/(a+)+b/"',
  ].join('\n')
  expect(exponentialPatterns('a.ts', source)).toEqual([
    { line: 1, pattern: '/^\\s*(?:\\w+=[^\\s;]*\\s*)+$/' },
    { line: 3, pattern: '/(?:a+)+b/g' },
  ])
})

test('patterns are found that begin anew at each sign of a run', () => {
  const source = [
    'const trimmed = text.replace(/\\s+$/, "")',
    'const mended = text.replace(/(?<!\\s)\\s+$/, "")',
    'const named = /[\\w.-]+\\.md/',
    'const short = /[\\w.-]{1,255}\\.md/',
    'const anchored = /^\\w+\\.md$/',
  ].join('\n')
  expect(quadraticPatterns('a.ts', source)).toEqual([
    { line: 1, pattern: '/\\s+$/' },
    { line: 3, pattern: '/[\\w.-]+\\.md/' },
  ])
})
