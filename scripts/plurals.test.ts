import { expect, test } from 'vitest'
import { handMadePlurals } from './plurals.ts'

test('a plural that is made by hand is found with its line, also over several lines and with values in it', () => {
  const text = [
    "const a = count === 1 ? 'file' : 'files'",
    'const b = ids.length === 1',
    "  ? 'Rejected.'",
    '  : `${ids.length} cards were rejected.`',
    'const c = left === 1 ? `one of ${all}` : `${left > 2 ? `many` : ""} others`',
  ].join('\n')
  expect(handMadePlurals(text)).toEqual([1, 2, 5])
})

test('a choice that is not between two texts is left alone', () => {
  const text = [
    'const a = part.length === 1 ? part.toUpperCase() : part',
    "const b = files.length === 1 ? first?.path : countOf(files.length, 'file', 'files')",
    "const c = byCount(count, 'key', 'keys')",
  ].join('\n')
  expect(handMadePlurals(text)).toEqual([])
})
