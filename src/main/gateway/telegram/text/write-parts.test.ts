import type { MessageEntity } from '@grammyjs/types'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RichText } from './rich-text.ts'
import { LONGEST_MESSAGE, MORE, writeParts } from './write-parts.ts'

const STYLES = new Set(['bold', 'italic', 'strikethrough'])
const splits = (text: string, at: number) => !text.slice(0, at).isWellFormed()

/** Return violations of Telegram's published rules for entities; empty for a valid message. */
function faultsOf({ text, entities }: RichText): string[] {
  const sent: readonly MessageEntity[] = entities
  const faults: string[] = []
  if (text.length > LONGEST_MESSAGE) faults.push(`${text.length} units`)
  if (sent.length > 100) faults.push(`${sent.length} entities`)
  if (!text.isWellFormed()) faults.push('lone surrogate')
  if (/^[ \n]|[ \n]$/.test(text) && !(sent[0]?.offset === 0 && /code|pre/.test(sent[0].type)))
    faults.push('blanks')
  for (const { type, offset, length } of sent) {
    if (length < 1 || offset < 0 || offset + length > text.length) faults.push(`${type} out of bounds`)
    if (splits(text, offset) || splits(text, offset + length)) faults.push(`${type} within a character`)
    if (text.slice(offset, offset + length).trim() === '') faults.push(`${type} of nothing`)
  }
  for (const [at, outer] of sent.entries())
    for (const inner of sent.slice(at + 1)) {
      if (inner.offset < outer.offset) faults.push('order')
      if (inner.offset >= outer.offset + outer.length) continue
      const pair = `${outer.type} with ${inner.type}`
      if (inner.offset + inner.length > outer.offset + outer.length) faults.push(`${pair} cross`)
      const isFine =
        outer.type !== inner.type &&
        (outer.type === 'blockquote'
          ? inner.type !== 'pre'
          : outer.type === 'text_link'
            ? STYLES.has(inner.type)
            : STYLES.has(outer.type) &&
              (STYLES.has(inner.type) || ['text_link', 'blockquote'].includes(inner.type)))
      if (!isFine) faults.push(pair)
    }
  return faults
}

/** Return the formatting of a text, each with the text it covers. */
const looksOf = ({ text, entities }: RichText) =>
  entities.map(entity => {
    const more = 'url' in entity ? ` ${entity.url}` : 'language' in entity ? ` ${entity.language}` : ''
    return `${entity.type}${more}: ${text.slice(entity.offset, entity.offset + entity.length)}`
  })
const whole = (markdown: string): RichText => {
  const [part, ...others] = writeParts(markdown)
  expect(others).toEqual([])
  return part ?? { text: '', entities: [] }
}

test.each<[string, string, string[]]>([
  ['# One `x` two', 'One x two', ['bold: One', 'code: x', 'bold: two']],
  ['**a _b_** ~~c~~ 3~5 and 4~6', 'a b c 3~5 and 4~6', ['bold: a b', 'italic: b', 'strikethrough: c']],
  ['这是**“关键步骤”**，**注意：**先', '这是“关键步骤”，注意：先', ['bold: “关键步骤”', 'bold: 注意：']],
  ['2\\*3 `**` &lt;b&gt; <b>x</b>', '2*3 ** <b> <b>x</b>', ['code: **']],
  ['a<br>b  \nc\nd', 'a\nb\nc\nd', []],
  ['H<sub>2</sub>O x<sup>10</sup> y<sup>ab</sup> <kbd>Esc</kbd>', 'H₂O x¹⁰ y^(ab) Esc', []],
  ['```ts title\nconst a = 1\n\tb\n```', 'const a = 1\n    b', ['pre ts: const a = 1\n    b']],
  ['- a\n  - b\n    1. c\n- [x] d\n- [ ] e', '• a\n  • b\n    1. c\n☑ d\n☐ e', []],
  ['1. a\n\n   ```\n   x\n     y\n   ```\n2. b', '1. a\n\nx\n  y\n\n2. b', ['pre: x\n  y']],
  ['3. a\n4. b', '3. a\n4. b', []],
  ['> a **b**\n> > c\n\nd', 'a b\n\nc\n\nd', ['blockquote: a b\n\nc', 'bold: b']],
  ['> a\n> ```\n> x\n> ```\n> b', 'a\n\nx\n\nb', ['blockquote: a', 'pre: x', 'blockquote: b']],
  ['a\n\n---\n\nb', 'a\n\n———\n\nb', []],
  ['| a | b |\n|---|--:|\n| x | 10 |', 'a │  b\n──┼───\nx │ 10', ['pre: a │  b\n──┼───\nx │ 10']],
  [
    'so $x^2$ is \\(y_1\\), it costs $5 or $6',
    'so x^2 is y_1, it costs $5 or $6',
    ['code: x^2', 'code: y_1'],
  ],
  ['$$\na = b\n- c\n$$', 'a = b - c', ['code: a = b - c']],
  ['Seen[^1].\n\n[^1]: There.', 'Seen[^1].\n\n[^1]: There.', []],
  ['<details>\n<summary>More</summary>\n\nText\n\n</details>', 'More\n\nText', ['bold: More']],
])('%j is written as Telegram can show it', (markdown, text, looks) => {
  expect([whole(markdown).text, looksOf(whole(markdown))]).toEqual([text, looks])
})

test.each<[string, string, string[]]>([
  ['[the page](https://example.com/a)', 'the page', ['text_link https://example.com/a: the page']],
  ['[`code`](https://example.com/a)', 'code', ['text_link https://example.com/a: code']],
  [
    '[example.com](https://www.example.com/)',
    'example.com',
    ['text_link https://www.example.com/: example.com'],
  ],
  ['https://example.com/a and <https://example.com>', 'https://example.com/a and https://example.com', []],
  ['[mybank.com](https://evil.example/x)', 'mybank.com (https://evil.example/x)', []],
  [
    '[See www.mybank.com here](https://evil.example/x)',
    'See www.mybank.com here (https://evil.example/x)',
    [],
  ],
  ['[mybank。com](https://evil.example/x)', 'mybank。com (https://evil.example/x)', []],
  ['[https://github.com/a](https://github.com/b)', 'https://github.com/a (https://github.com/b)', []],
  ['[mybank.com](https://mybank.com.evil.example/)', 'mybank.com (https://mybank.com.evil.example/)', []],
  ['[sign in](https://mybank.com@evil.example/)', 'sign in (https://mybank.com@evil.example/)', []],
  ['[\u200b](https://evil.example/x)', 'https://evil.example/x', []],
  ['[.](https://evil.example/x)', '. (https://evil.example/x)', []],
  ['[](https://evil.example/x)', 'https://evil.example/x', []],
  ['[me](tg://user?id=1)', 'me (tg://user?id=1)', []],
  ['[run](javascript:alert)', 'run (javascript:alert)', []],
  ['[here](http://localhost:3000/)', 'here (http://localhost:3000/)', []],
  ['[write](mailto:a@b.example)', 'write (a@b.example)', []],
  ['[notes](docs/a.md)', 'notes (docs/a.md)', []],
  ['https://пример.example', 'https://пример.example (xn--e1afmkfd.example)', []],
  [
    '![a cat](https://evil.example/x.png)',
    '[picture not loaded: a cat]',
    ['text_link https://evil.example/x.png: [picture not loaded: a cat]'],
  ],
  ['![a cat](data:image/png;base64,AAAA)', '[picture not loaded: a cat]', []],
])('the link %j hides no address', (markdown, text, looks) => {
  expect([whole(markdown).text, looksOf(whole(markdown))]).toEqual([text, looks])
})

test('what cannot be seen is written out, and looks stay where they were', () => {
  expect(whole('p\u0430ypal **a\u202eb** `c`')).toEqual({
    text: 'p⟨U+0430⟩ypal a⟨U+202E⟩b c',
    entities: [
      { type: 'bold', offset: 14, length: 10 },
      { type: 'code', offset: 25, length: 1 },
    ],
  })
  expect(whole('می\u200cروم 👨‍👩‍👧').text).toBe('می\u200cروم 👨‍👩‍👧')
})

test('keys are blacked out, also with signs of Markdown in them and in addresses', () => {
  const key = `sk-${'a1B2c3D4'.repeat(4)}`
  const shown = writeParts(
    `Key ${key}, **${key.slice(0, 9)}**${key.slice(9)}, [x](https://a.example/?token=${key}), \`${key}\``,
  )
  expect(JSON.stringify(shown)).not.toContain(key.slice(9))
  expect(shown[0]?.text).toContain('Key [redacted], [redacted], x, [redacted]')
  const torn = whole(
    `Key ${key.slice(0, 12)}\u200b${key.slice(12)} and [x](https://a.example/?q=sk\\-${key.slice(3)})`,
  )
  expect(torn).toEqual({ text: 'Key [redacted] and x', entities: [] })
})

test('of a growing answer the last word is left out until it is whole, so that no part of a key leaves', () => {
  const key = `sk-${'a1B2c3D4'.repeat(4)}`
  const text = `Use **this** ${key} now.`
  for (let end = 0; end < text.length; end++)
    expect(JSON.stringify(writeParts(text.slice(0, end), { isLive: true }))).not.toMatch(/sk-/)
  expect(writeParts(text.slice(0, 20), { isLive: true })[0]?.text).toBe(`Use this${MORE}`)
})

test('of a growing answer open looks are shown as if they were closed', () => {
  const live = (text: string) => writeParts(text, { isLive: true }).map(part => [part.text, ...looksOf(part)])
  expect(live('One **bold word and')).toEqual([[`One bold word${MORE}`, 'bold: bold word']])
  expect(live('See [the page](https://exam')).toEqual([[`See the${MORE}`]])
  expect(live('```js\nlet **a = 1\nlet')).toEqual([[`let **a = 1${MORE}`, 'pre js: let **a = 1']])
})

test('no word of an answer becomes a button that acts in the name of the person', () => {
  expect(
    whole('Tap /approve or **please /stop now**, @somebody, not a/b, /etc/hosts or me@host.example.'),
  ).toEqual({
    text: 'Tap /approve or please /stop now, @somebody, not a/b, /etc/hosts or me@host.example.',
    entities: [
      { type: 'code', offset: 4, length: 8 },
      { type: 'bold', offset: 16, length: 7 },
      { type: 'code', offset: 23, length: 5 },
      { type: 'bold', offset: 28, length: 4 },
      { type: 'code', offset: 34, length: 9 },
    ],
  })
  expect(looksOf(whole('> Tap /**deny** [/new](https://a.example)'))).toEqual([
    'blockquote: Tap /deny /new',
    'code: /deny',
    'text_link https://a.example/: /new',
  ])
})

test('the words of a recovery phrase leave only once they are known to be none', () => {
  const said = 'My seed phrase is abandon ability able about '
  expect(writeParts(said, { isLive: true })[0]?.text).toBe(`My seed${MORE}`)
  expect(writeParts(`${said}${'and so on '.repeat(40)}`, { isLive: true })[0]?.text).toContain('able about')
})

test('a long table goes on under its head, code in its language, and parts have numbers', () => {
  const rows = Array.from({ length: 1_100 }, (_, at) => `| ${at} | x${at} |`)
  const parts = writeParts(`| a | b |\n|---|---|\n${rows.join('\n')}`)
  expect(parts.length).toBeGreaterThan(2)
  for (const [at, part] of parts.entries()) {
    expect(part.text).toMatch(/^a {4}│ b\n/)
    expect(part.text.endsWith(`\n\n(${at + 1}/${parts.length})`)).toBe(true)
  }
  const lines = Array.from({ length: 700 }, (_, at) => `  line(${at})`)
  const code = writeParts(`Look:\n\n\`\`\`js\n${lines.join('\n')}\n\`\`\``)
  const blocks = code.flatMap(({ text, entities }) =>
    entities.map(entity => [
      'language' in entity && entity.language,
      text.slice(entity.offset, entity.offset + entity.length),
    ]),
  )
  expect(new Set(blocks.map(([language]) => language))).toEqual(new Set(['js']))
  expect(blocks.map(([, block]) => block).join('\n')).toBe(lines.join('\n'))
})

test('a heading is never the last of a part, and a sentence is not torn', () => {
  const paragraph = 'This is a sentence of some length. '.repeat(55).trim()
  const parts = writeParts(
    `${paragraph}\n\n${paragraph}\n\n## Next\n\n${paragraph}\n\n${paragraph}${paragraph}`,
  )
  expect(parts.length).toBe(3)
  for (const { text } of parts) expect(text).toMatch(/^(?:This|Next)[^]*\.\n\n\(\d\/\d\)$/)
})

/** Pieces of Markdown, closed and open ones, with characters that take two units or are invisible. */
const pieces = fc.oneof(
  fc.constantFrom(
    ...`**|*|_|~~|\`|\`\`\`|\n|\n\n|> |>> |- |  - |1. |# |## |[|](https://example.com/a)|](tg://x)|![|<b>|<sub>|</sub>|<br>|<details>
|<summary>|</summary>|</details>|$|$$|\\(|\\)|\\|&amp;|&#x1F600;|\t|    |---\n|===\n|\`\`\`js\n|\n\`\`\`\n|~~~\n|- [ ] |[^1]|[^1]: x\n|[a]: https://b.example\n[a]|\u200b|\u202e|\ud83d|å|a\u030a|
| a \\| b \`x|y\` |\n|---|:-:|\n| [l](https://example.com) | **z** |\n| 1 |\n\n|{{|}}|x^2|5$`.split('|'),
    '| a | b |\n|---|--:|\n| 1 | **x** |\n',
    '| a | b |\n|---|--:|\n| [l](https://example.com/) | ~~x~~ |\n\n',
  ),
  fc.constantFrom(
    'word',
    'Wort ',
    'слово ',
    '関係。',
    'ไทย',
    '😀',
    '👨‍👩‍👧',
    'example.com ',
    '/stop ',
    '@someone',
    'https://example.org/x ',
  ),
)
const answers = fc.array(pieces, { maxLength: 60 }).map(parts => parts.join(''))

/** Letters and digits of parts, without the part numbers. */
const lettersOf = (parts: readonly RichText[]) =>
  parts
    .map(({ text }) => text.replace(/\n\n\(\d+\/\d+\)$/, ''))
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

test('any Markdown gives valid messages', () => {
  fc.assert(
    fc.property(answers, fc.boolean(), (markdown, isLive) => {
      for (const part of writeParts(markdown, { isLive })) expect(faultsOf(part)).toEqual([])
    }),
    { numRuns: 200 },
  )
})

test('splitting loses nothing, and its messages are valid', () => {
  fc.assert(
    fc.property(
      answers,
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 60, max: 500 }),
      (text, times, longest) => {
        // Each part repeats the head of a table, which has a test of its own.
        const markdown = `${text.replaceAll(/[|]|:-|-:|--+/g, '')}\n`.repeat(times)
        const parts = writeParts(markdown, { longest })
        for (const part of parts) expect([faultsOf(part), part.text.length <= longest]).toEqual([[], true])
        expect(lettersOf(parts)).toBe(lettersOf(writeParts(markdown, { longest: 1_000_000 })))
      },
    ),
    { numRuns: 200 },
  )
})

test('more blanks in a row than a phone shows in lines are cut, between words and in code', () => {
  const [part] = writeParts(`one${' '.repeat(5_000)}two`)
  expect(part?.text.replace(/ +/, ' ')).toBe('one two')
  expect(part?.text.length).toBeLessThan(300)
  expect(writeParts(`\`\`\`\nx${' '.repeat(100)}y\n\`\`\``)[0]?.text).toBe(`x${' '.repeat(100)}y`)
})
