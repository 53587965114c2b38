import { expect, test } from 'vitest'
import { findWords } from './InlineText.tsx'

test('searched words match in any case, and pattern characters match literally', () => {
  expect(findWords('Why (really) WHY?', 'why (r')).toEqual([
    { text: 'Why', hit: true },
    { text: ' ', hit: false },
    { text: '(r', hit: true },
    { text: 'eally) ', hit: false },
    { text: 'WHY', hit: true },
    { text: '?', hit: false },
  ])
  expect(findWords('Why', '  ')).toEqual([{ text: 'Why', hit: false }])
})
