import { expect, test } from 'vitest'
import { quoteTexts } from './given-files.ts'

test('a text with a fence stays whole in a longer one', () => {
  expect(quoteTexts([{ name: 'a.md', text: '```js\n1\n```\n' }])).toBe('a.md:\n````\n```js\n1\n```\n````\n')
})
