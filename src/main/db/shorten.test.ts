import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { previewOf, titleOf } from './shorten.ts'

test.for([
  ['List the files', 'List the files'],
  ['\n\n  first   line \nsecond', 'first line'],
  ['# Heading\ntext', 'Heading'],
  ['- [ ] buy milk', '[ ] buy milk'],
  ['---\nname: x', 'name: x'],
  ['👩‍👩‍👧‍👧', '👩‍👩‍👧‍👧'],
  ['   ', ''],
  [
    'Please explain to me how the borrow checker of Rust works, with examples',
    'Please explain to me how the borrow checker of Rust works…',
  ],
  ['x'.repeat(80), `${'x'.repeat(59)}…`],
  ['漢字'.repeat(40), `${'漢字'.repeat(29)}漢…`],
] as const)('the title of %j is %j', ([text, title]) => {
  expect(titleOf(text)).toBe(title)
})

test('a preview is one line', () => {
  expect(previewOf('Here it is:\n\n```js\nx()\n```')).toBe('Here it is: ```js x() ```')
})

test('a title is one line of at most 60 letters, whatever the text', () => {
  const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), text => {
      const title = titleOf(text)
      expect(Array.from(letters.segment(title)).length).toBeLessThanOrEqual(60)
      expect(title).toBe(title.trim().replaceAll(/[\p{Cc}\n]/gu, ''))
      expect(title.isWellFormed()).toBe(true)
    }),
    { numRuns: 50 },
  )
})
