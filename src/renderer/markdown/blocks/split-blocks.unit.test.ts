import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import ReactMarkdown from 'react-markdown'
import { filePlugins } from '../syntax/plugins.ts'
import { createSplitter, splitBlocks } from './split-blocks.ts'

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

/** The lines of random documents. */
const lines = fc.array(
  fc.constantFrom(
    'word',
    'word',
    '',
    '',
    '',
    '# Title',
    '## ',
    '- item',
    '- item',
    '* star',
    '+',
    '-',
    '1. one',
    '2. two',
    '1) paren',
    '  more',
    '   three',
    '    four',
    '\ttab',
    '      six',
    '```js',
    '```',
    '````',
    '~~~',
    '  ```',
    '   ~~~~',
    '``` a`b',
    '| a | b |',
    '| - | - |',
    '|---|',
    '| c |',
    'a | b',
    '> quote',
    '>',
    '> - in',
    '> ```',
    '---',
    '===',
    '***',
    '- - -',
    '<div>',
    '<!--',
    '-->',
    '<pre>',
    '</pre>',
    '<details>',
    '</details>',
    '<br>',
    '<script>',
    '[a]: b',
    '[^n]: note',
    '[^m]:',
    'see [a] and [^n]',
    '**bold',
    '$$',
    '\\[',
    '`code',
    '10. ten',
    '-     wide',
    '- [ ] todo',
    '&amp;',
    '  - nested',
    ' - one in',
  ),
  { maxLength: 14 },
)
type Tree = { type: string; value?: string; depth?: number; children?: Tree[] }
/** The blocks of a text as parsed by Markdown, without positions. */
function treeOf(text: string): unknown[] {
  let blocks: unknown[] = []
  const plain = ({ type, value, depth, children }: Tree): unknown => [
    type,
    depth,
    value,
    children?.map(plain),
  ]
  const take = () => (tree: Tree) => {
    blocks = (tree.children ?? []).map(plain)
    tree.children = []
  }
  ReactMarkdown({ children: text, remarkPlugins: [take, ...filePlugins] })
  return blocks
}

test('a text read block by block is the same as read at once', () => {
  fc.assert(
    fc.property(lines, given => {
      // Definitions reach other blocks in another way.
      const text = given.join('\n').replaceAll(/see .*/g, 'see')
      expect(splitBlocks(text).flatMap(treeOf)).toEqual(treeOf(text))
    }),
    { numRuns: 600 },
  )
})

test('growing by any piece gives the blocks of the whole text', () => {
  fc.assert(
    fc.property(lines, fc.integer({ min: 1, max: 9 }), (given, step) => {
      const text = given.join('\n')
      const split = createSplitter()
      let blocks: readonly string[] = []
      for (let end = step; end < text.length + step; end += step) blocks = split(text.slice(0, end))
      expect(blocks).toEqual(text === '' ? [] : splitBlocks(text))
    }),
    { numRuns: 500 },
  )
})

test('quotes in quotes without end are one block', () => {
  const text = `${'>'.repeat(50_000)} deep`
  expect(splitBlocks(text)).toEqual([text])
})
