import { expect, test } from 'vitest'
import { isRefusal } from '../lib/expected-errors.ts'
import { readPattern } from './search-folder.ts'

const flagsOf = (pattern: string) => {
  const read = readPattern(pattern)
  return isRefusal(read) ? read.refused : read.flags
}

test('case matters only if the pattern contains a capital letter', () => {
  const patterns = ['todo', 'Todo', '\\W+\\S', '\\p{Lu}x', '(?i)TODO', 'straße', 'ÄRGER']
  expect(patterns.map(flagsOf)).toEqual(['iu', 'u', 'iu', 'iu', 'iu', 'iu', 'u'])
})

test('syntax allowed only in older expressions is accepted', () => {
  expect(['a\\-b', 'function {', 'x{'].map(flagsOf)).toEqual(['i', 'i', 'i'])
})

test('an invalid pattern is answered with how to search for it literally', () => {
  expect(readPattern('foo(')).toEqual({
    refused:
      'The pattern is not a valid regular expression (Unterminated group). To find these characters as they are, write foo\\(',
  })
})
