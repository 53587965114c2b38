import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createReferences } from './blocks/references.ts'
import { createSplitter, splitBlocks } from './blocks/split-blocks.ts'
import awkward from './awkward/awkward.json' with { type: 'json' }
import Markdown from './Markdown.tsx'
import { Unfolded } from '../ui/text/fold-text.tsx'

const drawn = (text: string, live = false) => renderToStaticMarkup(createElement(Markdown, { text, live }))
const NAMES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" }
/** The visible part of a text. */
const seen = (text: string) =>
  drawn(text)
    .replaceAll(/<br\/>\n?|<\/(?:p|li|td|th|h\d|pre)>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(\w+|#x27);/g, (whole, name: string) => NAMES[name] ?? whole)

const Case = z.object({ text: z.string(), has: z.array(z.string()), hasNot: z.array(z.string()) })
const files = import.meta.glob<unknown>('./answers/*.json', { eager: true, import: 'default' })
const answers = Object.entries(files).flatMap(([file, cases]) =>
  z
    .array(Case)
    .parse(cases)
    .map(each => ({ ...each, language: file.replace(/^.*\/|\.json$/g, '') })),
)

test('there are answers in eight languages', () => {
  expect(new Set(answers.map(each => each.language)).size).toBe(8)
  expect(answers.length).toBeGreaterThanOrEqual(60)
})

test.for(answers)('$language: $text', ({ text, has, hasNot }) => {
  const html = drawn(text)
  for (const part of has) expect(html).toContain(part)
  for (const part of hasNot) expect(html.replaceAll(/<button[^]*?<\/button>/g, '')).not.toContain(part)
})

/** Pieces of documents, in which `W` stands for a word that must be seen. */
const pieces = fc.constantFrom(
  'W W\n',
  'W\n\n',
  '\n',
  '# W\n',
  'W\n===\n',
  '- W\n',
  '  - W\n',
  '1. W\n',
  '> W\n',
  '>> W\n',
  '    W\n',
  '***\n',
  '```W\nW\n',
  '```\nW\n```\n',
  '```markdown\n# W\n',
  '```\n',
  '~~~\n',
  '| W | W |\n|---|---|\n| W | W | W |\n',
  '| `W || W` | W |\n',
  'W[^a] ',
  '[^a]: W\n',
  '[^b]: W\n\n    W\n',
  '[W]: W。\n',
  '[a]: W\n',
  '[W][a] ',
  '![W][a] ',
  '[W](https://a.b) ',
  '[W](b c) ',
  '**W',
  '**W** ',
  '`W',
  '`W` ',
  '~~W~~ ',
  '~W ',
  '_W',
  '$W$ ',
  '\\[W\\]\n',
  '$$\nW\n$$\n',
  'https://x.y/W，W ',
  '<W> ',
  '<b>W</b> ',
  '<details>\n',
  '<summary>W</summary>\n',
  '</details>\n',
  '<sub>W ',
  '</sub>',
  '<br>',
  '<!-- W -->\n',
  '<script>W',
  '<kbd>W</kbd>',
  '&W; ',
  '- [ ] W\n',
  '[x] W',
  '- [^a]: W\n',
  '> [a]: W\n',
  '[^W] ',
  '\\W ',
  '| W\n',
  '- ',
  '> ',
  '* W\n\n      W\n',
  '<p title="W">\n',
)

test('the words of 500 documents are all on the page', () => {
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 1, maxLength: 25 }), given => {
      let count = 0
      const text = given.join('').replaceAll('W', () => `w${count++}q`)
      const shown = seen(text)
      // The address of a link counts as visible: it was used.
      const addresses = [...text.matchAll(/\[a\]: (w\d+q)/g)].map(match => match[1])
      const lost = [...text.matchAll(/w\d+q/g)].filter(
        ([word]) => !shown.includes(word) && !addresses.includes(word),
      )
      expect(lost.map(String)).toEqual([])
    }),
    { numRuns: 500 },
  )
})

const repeat = (count: number, piece: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => piece(at)).join('')
const long = {
  'long table': `| n | W |\n|---|---|\n${repeat(300, () => '| W | **W** |\n')}\nW`,
  '500 footnotes': `${repeat(500, at => `W[^${at}] `)}\n\n${repeat(500, at => `[^${at}]: W\n`)}`,
  'many small blocks': repeat(1_500, () => 'W\n\n'),
  'many definitions, each a block': repeat(700, at => `[a${at}]: https://example.org/W\n\n[W][a${at}]\n\n`),
}

test.for([
  ...Object.entries(awkward).map(([name, lines]) => [name, lines.join('\n')] as const),
  ...Object.entries(long),
])('%s: each word is on the page', ([, given]) => {
  let count = 0
  // All words are there, even if folded or split.
  const text = given.replaceAll('W', () => `w${count++}q`)
  const html = renderToStaticMarkup(
    createElement(Unfolded, { value: true }, createElement(Markdown, { text, live: false })),
  )
  const lost = [...text.matchAll(/w\d+q/g)].map(String).filter(word => !html.includes(word))
  expect(lost).toEqual([])
})

test('an answer that has grown is the same as the whole one', () => {
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 1, maxLength: 15 }), given => {
      const split = createSplitter()
      const refer = createReferences()
      let text = ''
      for (const piece of given) {
        text += piece
        refer(split(text))
      }
      expect(refer(split(text))).toEqual(createReferences()(splitBlocks(text)))
    }),
    { numRuns: 150 },
  )
})

test('a block that is finished is not read again while the answer grows', () => {
  const split = createSplitter()
  const refer = createReferences()
  const begin = 'First[^1] and [second][s].\n\n[^1]: Note.\n\n[s]: https://example.org\n\nThird.\n\n'
  const before = refer(split(`${begin}Fourth\n\nFifth\n\nSix`))
  const after = refer(split(`${begin}Fourth\n\nFifth\n\nSixth`))
  expect(after.blocks.slice(0, -1)).toEqual(before.blocks.slice(0, -1))
  expect(after.before).toEqual(before.before)
})

test.for([
  ['<sub class="x">a</sub>', '&lt;sub class'],
  ['<script>alert(1)</script>', '&lt;script&gt;'],
  ['<details class="a">\n\nx\n\n</details>', '&lt;details class='],
  ['<kbd>never closed', '&lt;kbd&gt;never'],
  ['<img src="x">', '&lt;img'],
  ['a `rm\u202E` b', '<code>rm⟨U+202E⟩</code>'],
] as const)('%o is text', ([text, part]) => {
  expect(drawn(text)).toContain(part)
})

test.for([
  '![a](https://drop.example.net/?c=4827193)',
  '![a][b]\n\n[b]: https://drop.example.net/p.png',
  '![a](//drop.example.net/p.png)',
  '![a](http://127.0.0.1:8080/p.png)',
  '![a](/icon.svg)',
  '![a](&#104;ttps://drop.example.net/p.png)',
  '[![a](https://drop.example.net/p.png)](https://example.org)',
  '<img src="https://drop.example.net/p.png">',
  '<picture><source srcset="https://drop.example.net/p.png"></picture>',
  '<p style="background:url(https://drop.example.net/p.png)">a</p>',
  '<video poster="https://drop.example.net/p.png">',
  '<details><summary>a</summary>\n\n![a](https://drop.example.net/p.png)\n\n</details>',
  '| a |\n|---|\n| ![a](https://drop.example.net/p.png) |',
  '$\\includegraphics{https://drop.example.net/p.png}$',
])('a picture of an answer is never fetched: %o', text => {
  for (const live of [false, true])
    expect(drawn(text, live)).not.toMatch(
      /<(?:img|picture|source|video|link|iframe|object)|<[^>]*\b(?:src|srcset|poster)=|<[^>]*style="[^"]*url/i,
    )
})

test.for([
  ['看www.example.com/a。', ['>www.example.com/a</a>。']],
  ['見て：www.example.com', ['href="http://www.example.com/"']],
  ['https://x.example/a입니다.', ['href="https://x.example/a"', '>https://x.example/a</a>입니다']],
  ['https://x.example/p(한)와 a', ['">https://x.example/p(한)</a>와']],
  ['https://x.example/에서 확인', ['>https://x.example/</a>에서 확인']],
  ['www.example.com을 여세요', ['href="http://www.example.com/"', '</a>을']],
  ['https://x.example/aをご覧ください。', ['href="https://x.example/a"', '</a>をご覧ください。']],
  ['请打开https://x.example/a查看', ['href="https://x.example/a"', '</a>查看']],
  ['https://ko.wikipedia.org/wiki/C언어를', ['/C%EC%96%B8%EC%96%B4%EB%A5%BC"']],
  ['https://zh.wikipedia.org/wiki/C语言', ['/C%E8%AF%AD%E8%A8%80"']],
  ['https://x.example/s?q=vue教程', ['q=vue%E6%95%99%E7%A8%8B"']],
  ['http://例え.jp/あ/い', ['/%E3%81%82/%E3%81%84"']],
  ['https://x.example/文档/年2024.pdf', ['2024.pdf"']],
  ['[查看](https://x.example/a查看)', ['a%E6%9F%A5%E7%9C%8B"', '>查看</a>']],
  ['<https://x.example/a입니다>', ['a%EC%9E%85%EB%8B%88%EB%8B%A4"']],
  [
    'https://x.example/aは、[続き](https://y.example)',
    ['>https://x.example/a</a>は、<a href="https://y.example/"'],
  ],
] as const)('an address ends where it is meant to: %o', ([text, parts]) => {
  for (const part of parts) expect(drawn(text)).toContain(part)
})

const TABLE = '| a | b |\n|---|---|\n| `x|y` | 2 |'
test.for([
  [`- item:\n${TABLE}`, /<ul[^]*<li[^]*<table[^]*<code>x\|y<\/code>[^]*<\/table>[^]*<\/li>/],
  [`1. one:\n${TABLE}\n2. two\n3. three`, /<ol[^>]*>(?:(?!<\/ol>)[^])*<table(?:(?!<\/ol>)[^])*three/],
  [`- one\n  - two\n  ${TABLE.replaceAll('\n', '\n  ')}`, /two<\/li>\s*<\/ul>[^]*<table/],
  [`- one\n  ${TABLE.replaceAll('\n', '\n  ')}`, /<table/],
  [`> said\n${TABLE}`, /<\/blockquote>[^]*<table/],
  [`- item:\n\na | b\n---|---\n1 | 2`, /<\/ul>[^]*<table/],
  [`${TABLE}\n- \`x|y\` | a | b | c`, /<code>x\|y<\/code> \| a \| b \| c/],
  ['a `x\\|y` b', /<code>x\\\|y<\/code>/],
  ['| a | b |\n|---|---|\n| `x\\|y` | 2 |', /<code>x\|y<\/code>/],
  ['| a | b |\n|---|---|\n| 1 | 2 |\n# `x|y` | a | b | c', /<code>x\|y<\/code>/],
] as const)('a table is one, and what is none is text: %o', ([text, shown]) => {
  expect(drawn(text)).toMatch(shown)
})

test.for([
  [
    '<details open>\n<summary>More</summary>\n\nx\n\n</details>',
    /<details[^>]* open=""[^>]*><summary[^>]*>More</,
  ],
  ['<details open="">x</details>', /<details[^>]*>/],
  [
    '<details class="a">\n<summary>More</summary>\n\nx\n\n</details>',
    /&lt;details class=[^]*&lt;summary&gt;More&lt;\/summary&gt;/,
  ],
  ['a <summary>More</summary> b', /a &lt;summary&gt;More&lt;\/summary&gt; b/],
  ['<details open onclick="x()">\n\nx\n\n</details>', /&lt;details open onclick=/],
] as const)('details and their summary are elements together or text together: %o', ([text, shown]) => {
  expect(drawn(text)).toMatch(shown)
})

test('a short word of Chinese in a cell stays on one line, and other cells may break', () => {
  const html = drawn('| 日期 | Plan |\n|---|---|\n| 第一天 | 天安门广场、故宫博物院 |\n| 一<br>二 | 3 |')
  const short = [...html.matchAll(/<t[dh][^>]*class="short-cell"[^>]*>([^]*?)<\/t[dh]>/g)].map(
    ([, text]) => text,
  )
  expect(short).toEqual(['日期', '第一天', '一<br/>\n二'])
})

test('details that begin open stay one block', () => {
  expect(splitBlocks('<details open>\n<summary>a</summary>\n\nb\n\n</details>\n\nc')).toHaveLength(2)
})

test('lines of a file are wrapped by hand', () => {
  expect(
    renderToStaticMarkup(createElement(Markdown, { text: 'a\nb', live: false, isFile: true })),
  ).not.toContain('<br')
})

test('120 kB of marks are split in one pass', () => {
  expect(splitBlocks('**_word '.repeat(15_000))).toHaveLength(1)
  expect(splitBlocks('**_word\n'.repeat(15_000))).toHaveLength(1)
})
