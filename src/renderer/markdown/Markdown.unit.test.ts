import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import Markdown from './Markdown.tsx'

const drawn = (text: string, live = false) => renderToStaticMarkup(createElement(Markdown, { text, live }))
const NAMES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" }
/** What a reader sees of a text. */
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
  ...[
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
  ],
  ...[
    '```W\nW\n',
    '```\nW\n```\n',
    '```markdown\n# W\n',
    '```\n',
    '~~~\n',
    '| W | W |\n|---|---|\n| W | W | W |\n',
    '| `W || W` | W |\n',
  ],
  ...[
    'W[^a] ',
    '[^a]: W\n',
    '[^b]: W\n\n    W\n',
    '[W]: W。\n',
    '[a]: W\n',
    '[W][a] ',
    '![W][a] ',
    '[W](https://a.b) ',
    '[W](b c) ',
  ],
  ...[
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
  ],
  ...[
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
  ],
  ...[
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
  ],
)

test('the words of 500 documents are all on the page', () => {
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 1, maxLength: 25 }), given => {
      let count = 0
      const text = given.join('').replaceAll('W', () => `w${count++}q`)
      const shown = seen(text)
      // An address is seen where its link leads; it was used.
      const addresses = [...text.matchAll(/\[a\]: (w\d+q)/g)].map(match => match[1])
      const lost = [...text.matchAll(/w\d+q/g)].filter(
        ([word]) => !shown.includes(word) && !addresses.includes(word),
      )
      expect(lost.map(String)).toEqual([])
    }),
    { numRuns: 500 },
  )
})
