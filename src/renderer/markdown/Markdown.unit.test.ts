import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { safeImage, safeLink, createSplitter, splitBlocks } from './Markdown.tsx'

test.for([
  ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/'],
  ['mailto:ada@example.org', 'mailto:ada@example.org'],
  ['javascript:alert(1)', undefined],
  ['JaVaScRiPt:alert(1)', undefined],
  [' javascript:alert(1)', undefined],
  ['data:text/html,<script>', undefined],
  ['file:///etc/passwd', undefined],
  ['app://bundle/index.html', undefined],
  ['//example.org', undefined],
  ['/rpc', undefined],
  ['#token=x', undefined],
  ['', undefined],
] as const)('a link to %o leads to %o', ([address, expected]) => {
  expect(safeLink(address)).toBe(expected)
})

test.for([
  ['data:image/png;base64,AAAA', true],
  ['DATA:image/svg+xml,<svg/>', true],
  ['blob:app://bundle/1', true],
  ['https://example.org/pixel.png', false],
  ['data:text/html,<b>', false],
  ['/icon.svg', false],
  [undefined, false],
] as const)('an image at %o is shown: %o', ([address, shown]) => {
  expect(safeImage(address) !== undefined).toBe(shown)
})

const pieces = fc.array(
  fc.constantFrom(
    'word ',
    '\n',
    '\n\n',
    '# Title\n',
    '- item\n',
    '1. one\n',
    '```js\n',
    'let a = 1\n',
    '```\n',
    '| a | b |\n',
    '| - | - |\n',
    '> quote\n',
    '---\n',
    '\r\n',
    '\t',
    '**bold',
    '[x](',
    '<div>',
  ),
  { maxLength: 40 },
)

test('blocks are the top-level parts of a text, each with the blank lines after it', () => {
  expect(splitBlocks('# One\n\nTwo\nthree\n\n- a\n- b\n')).toEqual([
    '# One\n\n',
    'Two\nthree\n\n',
    '- a\n- b\n',
  ])
})

test('a fenced block stays whole, including blank lines', () => {
  expect(splitBlocks('```js\na\n\nb\n```\n\nend')).toEqual(['```js\na\n\nb\n```\n\n', 'end'])
})

test('however a text grows, its blocks joined are the whole text', () => {
  fc.assert(
    fc.property(pieces, parts => {
      const split = createSplitter()
      let text = ''
      for (const part of parts) {
        text += part
        expect(split(text).join('')).toBe(text.replaceAll(/\r\n?/g, '\n'))
      }
    }),
  )
})

test.for([
  ['a heading by underline', 'One\n\nTwo\nthree\n===\n\nFour'],
  ['a list with blank lines in it', 'One\n\n- a\n\n- b\n\n  more of b\n\n- c\n\nTwo'],
  ['a table', 'One\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nTwo'],
  ['a fence with blank lines in it', 'One\n\n```js\na\n\n# b\n```\n\nTwo'],
  ['a quote that goes on', '> One\n> two\nthree\n\nFour\n\n---\n\nFive'],
] as const)('%s: growing letter by letter gives the same blocks as the whole text', ([, text]) => {
  const split = createSplitter()
  let blocks: readonly string[] = []
  for (let end = 1; end <= text.length; end++) blocks = split(text.slice(0, end))
  expect(blocks).toEqual(splitBlocks(text))
})

test('finished blocks stay the same while the text after them grows', () => {
  const split = createSplitter()
  const before = split('# One\n\nTwo\n\nThree\n\nFour')
  const after = split('# One\n\nTwo\n\nThree\n\nFour and more')
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
  expect(after.at(-1)).toBe('Four and more')
})

test('replaced text is split from the start', () => {
  const split = createSplitter()
  split('# One\n\nTwo')
  expect(split('Other')).toEqual(['Other'])
})

test('quotes in quotes without end are one block', () => {
  const text = `${'>'.repeat(50_000)} deep`
  expect(splitBlocks(text)).toEqual([text])
})
