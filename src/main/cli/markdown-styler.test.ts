import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMarkdownStyler } from './markdown-styler.ts'

/** An answer as it is shown, with codes as <1>, in pieces of some letters. */
function shown(text: string, size: number): string {
  const styler = createMarkdownStyler()
  let all = ''
  for (let at = 0; at < text.length; at += size) all += styler.add(text.slice(at, at + size))
  const escape = String.fromCharCode(27)
  const codes = new RegExp(`${escape}\\[([\\d;]+)m`, 'g')
  // Pieces of one look have codes of their own.
  return (all + styler.finish()).replaceAll(codes, '<$1>').replaceAll(/(?<=[a-z])<22><[12]>(?=[a-z])/gi, '')
}

describe('Markdown on a terminal', () => {
  test.each([
    ['a **bold** word', 'a <1>bold<22> word'],
    ['`npm test` runs', '<36>npm test<39> runs'],
    ['an *old* word', 'an <3>old<23> word'],
    ['# Title\ntext', '<1>Title<22>\ntext'],
    ['- one\n  * two', '• one\n  • two'],
    ['> said', '<2>│ <22><2>said<22>'],
    ['[here](https://a.b/c)', '<4>here<24><2> (https://a.b/c)<22>'],
    ['```js\nlet *a*\n```\nend', '<2>```js\n<22><36>let *a*<39>\n<2>```<22>\nend'],
    ['2 * 3 * 4, a ** b and **open', '2 * 3 * 4, a ** b and **open'],
    ['snake_case and [no link] and ` tick', 'snake_case and [no link] and ` tick'],
    ['---\n', '---\n'],
  ])('%j is the same in pieces of any size', (text, expected) => {
    for (const size of [1, 2, 3, 7, 1_000]) expect(inspect(shown(text, size))).toBe(inspect(expected))
  })

  test('loses nothing but marks, and shows the same in pieces of any size', () => {
    const words = fc.constantFrom(
      'a',
      'word ',
      '*',
      '**',
      '`',
      '``',
      '```',
      '\n',
      '# ',
      '- ',
      '> ',
      '[',
      '](',
      ')',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const text = parts.join('')
        const plain = (styled: string) => styled.replace(/<[\d;]+>/g, '').replace(/[^aword]/g, '')
        expect(plain(shown(text, size))).toBe(text.replace(/[^aword]/g, ''))
      }),
    )
  })
})
