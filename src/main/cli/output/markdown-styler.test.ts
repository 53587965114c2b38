import { inspect, stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import cases from './markdown-cases.json' with { type: 'json' }
import { createMarkdownStyler } from './markdown-styler.ts'
import { columnsOf } from '../../lib/columns-of.ts'

/** An answer as it is shown, in pieces of some letters. Pieces of one look have codes of their own. */
const shown = (text: string, size: number) =>
  codesOf(text, size).replaceAll(/(?<=[a-z])<22><[12]>(?=[a-z])/gi, '')

/** The same, with codes as <1>. */
function codesOf(text: string, size: number): string {
  const styler = createMarkdownStyler()
  let all = ''
  for (let at = 0; at < text.length; at += size) all += styler.add(text.slice(at, at + size))
  const escape = String.fromCharCode(27)
  const codes = new RegExp(`${escape}\\[([\\d;]+)m`, 'g')
  return (all + styler.finish()).replaceAll(codes, '<$1>')
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
      '~~',
      '\\\\',
      '| a | word |\n',
      '|---|---|\n',
      '|',
      'https://a.a/*',
      '中',
      '，',
      '[^a]: ',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const text = parts.join('')
        const plain = (styled: string) => styled.replace(/<[\d;]+>/g, '').replace(/[^aword]/g, '')
        expect(plain(shown(text, size))).toBe(text.replace(/[^aword]/g, ''))
      }),
    )
  })

  test.each(cases)('$text', ({ text, shown: expected }) => {
    for (const size of [1, 2, 3, 5, 8, 1_000])
      expect(inspect(joined(text, size))).toBe(inspect(joined(expected)))
  })

  test('a table that the terminal is too narrow for stays as it was written', () => {
    const styler = createMarkdownStyler(() => 20)
    const table = `| one | two |\n|---|---|\n| ${'long '.repeat(5)}| **x** |\n`
    expect(stripVTControlCharacters(styler.add(table) + styler.finish())).toBe(table.replaceAll('**', ''))
  })

  test('the columns of a table stand below each other, whatever is in it', () => {
    const cell = fc.string({
      unit: fc.constantFrom(...Array.from('aé中あ한ไำ'), 'क्ष', '👨‍👩‍👧', '🇩🇪', '⚠️', '**', '`', ' ', '‍'),
      maxLength: 8,
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 2, maxLength: 5 }), ([head, ...rows]) => {
        const row = (cells: readonly string[] = []) => `| ${cells.map(each => each || 'x').join(' | ')} |\n`
        const text = row(head) + '|---|---|\n' + rows.map(row).join('')
        const styler = createMarkdownStyler()
        const lines = (styler.add(text) + styler.finish()).trimEnd().split('\n')
        expect(new Set(lines.map(columnsOf)).size).toBe(1)
      }),
    )
  })

  test.each([
    ['marks', '**_word '],
    ['ticks', '` '],
    ['brackets', '[a]('],
    ['strikes', '~~a '],
    ['pipes', '|'],
    ['rows', '| a | b |\n'],
    ['blanks', ' '],
    ['backslashes', '\\'],
    ['addresses', 'https://'],
    ['fences', '```'],
    ['quotes', '>'],
  ])('half a megabyte of %s is shown in one pass, whole and in pieces', (_, piece) => {
    for (const begin of ['', '```\n', '| a |\n|---|\n']) {
      const text = begin + piece.repeat(500_000 / piece.length)
      // Whatever is read again with every piece would take hours.
      for (const size of [1_000_000_000, 200]) {
        const styler = createMarkdownStyler()
        let length = 0
        for (let at = 0; at < text.length; at += size) length += styler.add(text.slice(at, at + size)).length
        expect(length + styler.finish().length).toBeGreaterThan(200_000)
      }
    }
  })
})

/** With pieces of one look put together. */
const joined = (text: string, size?: number) =>
  (size === undefined ? text : codesOf(text, size)).replaceAll(/<(?:22|23|24|29|39)><(?:[1-9]|36)>/g, '')
