import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mentionsIn } from './mentions.ts'

const named = (text: string) => mentionsIn(text).mentions.map(({ paths }) => paths.at(-1))
const clear = (text: string) =>
  mentionsIn(text)
    .mentions.filter(each => each.isClear)
    .map(({ paths }) => paths.at(-1))

test.for<[string, string[]]>([
  ['@docs/rules.md', ['docs/rules.md']],
  ['See @README for an overview and @package.json for commands.', ['README', 'package.json']],
  [
    '- @./a.md, @../b.md; (@c.md) "@d.md" **@e.md** <@f.md>',
    ['./a.md', '../b.md', 'c.md', 'd.md', 'e.md', 'f.md'],
  ],
  ['[rules](@docs/x.md) and [@docs/y.md](docs/y.md)', ['docs/x.md', 'docs/y.md']],
  ['@"my rules/tone of voice.md" @my\\ rules/other.md', ['my rules/tone of voice.md', 'my rules/other.md']],
  ['@docs/a.md#tone @docs/b.md:12 @docs/c.md—see', ['docs/a.md', 'docs/b.md', 'docs/c.md']],
  ['参见@docs/规则.md。', ['docs/规则.md']],
  ['@docs\\windows.md', ['docs/windows.md']],
  ['Line one\r\n@docs/crlf.md\r\nLine three', ['docs/crlf.md']],
  ['mail ana@example.org or git@github.com:a/b.md', []],
  ['see https://example.org/@ana/notes.md', []],
  ['\\@docs/escaped.md', []],
  ['`@docs/rules.md` and ``a ` @b.md``', []],
  ['`code over\ntwo @a.md lines` @b.md', ['b.md']],
  ['an open ` tick @a.md\n\nand ` another', ['a.md']],
  ['```\n@a.md\n```\n@b.md', ['b.md']],
  ['~~~~md\n@a.md\n~~~\n@c.md\n~~~~\n@b.md', ['b.md']],
  ['- item\n  ```sh\n  @a.md\n  ```\n  @b.md', ['b.md']],
  ['> ```\n> @a.md\n> ```\n> @b.md', ['b.md']],
  ['```\n@never-closed.md', []],
  ['Text:\n\n    @indented/code.md\n\n@b.md', ['b.md']],
  ['- a list\n\n    @in/list.md', ['in/list.md']],
  ['```\nx\n```\n    @indented/code.md\n\n@b.md', ['b.md']],
  ['Text\n    @goes/on.md', ['goes/on.md']],
  ['<!-- @a.md\n@b.md --> @c.md', ['c.md']],
  ['<!-- never closed @a.md', ['a.md']],
])('%s', ([text, wanted]) => {
  expect(named(text)).toEqual(wanted)
})

test('decorators, people and packages may be words, and only what must be a file is clearly one', () => {
  expect(
    clear('@Component @alice @types/node @angular/core @tensorflow/tfjs-node @media @v1.2 @/lib/utils'),
  ).toEqual([])
  expect(clear('@a.md @./b @../c @~/d @e.mdc @f.MD @g.txt @h.yaml')).toHaveLength(8)
})

test('a mark behind a name stands behind it and not in the sentence', () => {
  const text = 'Read @docs/a.md, then "@b.md".'
  const [first, second] = mentionsIn(text).mentions
  expect(text.slice(0, first!.end)).toBe('Read @docs/a.md')
  expect(text.slice(0, second!.end)).toBe('Read @docs/a.md, then "@b.md')
})

test('a text of names alone is looked at up to a number', () => {
  const { mentions, more } = mentionsIn('@a.md '.repeat(5_000))
  expect([mentions.length, more]).toEqual([200, true])
})

test('whatever a text holds, every name is one that the text has where it is said to end', () => {
  const piece = fc.constantFrom(
    '@',
    'a.md',
    '`',
    '```',
    '\n',
    '    ',
    ' ',
    '"',
    '<!--',
    '-->',
    '- ',
    '> ',
    '\\',
    '../',
    '#',
    '。',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), pieces => {
      const text = pieces.join('')
      for (const { paths, end } of mentionsIn(text).mentions) {
        const written = text.slice(0, end).replace(/"$/, '').replaceAll('\\ ', ' ').replaceAll('\\', '/')
        expect(written.endsWith(paths.at(-1)!)).toBe(true)
        expect(paths.every(path => path !== '')).toBe(true)
      }
    }),
  )
})
