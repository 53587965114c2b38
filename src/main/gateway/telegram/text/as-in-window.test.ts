import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import ReactMarkdown from 'react-markdown'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { rootFolder } from '../../../lib/disk/shipped-files.ts'
import { answerPlugins } from '../../../../renderer/markdown/syntax/plugins.ts'
import { joinFormulas } from '../../../../shared/markdown/is-math.ts'
import { mendTables } from '../../../../shared/markdown/mend-tables.ts'
import { mendFences } from '../../../../shared/markdown/mend-fences.ts'
import { writeParts } from './write-parts.ts'

const folder = join(rootFolder(), 'src/renderer/markdown')
const fileOf = (path: string): unknown => JSON.parse(readFileSync(join(folder, path), 'utf8'))
const languages = ['arabic', 'chinese', 'german', 'hebrew', 'hindi', 'japanese', 'korean', 'thai']
const answers = languages.flatMap(language =>
  z
    .array(z.object({ text: z.string() }))
    .parse(fileOf(`answers/${language}.json`))
    .map(({ text }) => text)
    // The window renders footnotes elsewhere, and Telegram shows multi-line cells as rows with names.
    .filter(text => !/^\[\^|^\|.*<br>/m.test(text)),
)

const NAMES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" }

/** Return what the window shows of a text: with the same plugins, without formatting. */
function seenInWindow(markdown: string): string {
  const text = mendTables(joinFormulas(mendFences(markdown)))
  const html = renderToStaticMarkup(createElement(ReactMarkdown, { remarkPlugins: answerPlugins }, text))
  return html
    .replaceAll(/<x-math tex="([^"]*)"[^>]*>/g, '$1')
    .replaceAll(/<x-note[^>]* raw="([^"]*)"[^>]*>/g, '$1')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(\w+|#x27);/g, (whole, name: string) => NAMES[name] ?? whole)
}

/** Return the words of a text, without structural marks of either side; superscript numbers become digits. */
const wordsOf = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/^ *\d\. /gm, '')
    .replaceAll(/[\s•│┼─—☐☑]+/g, '')

const seenInTelegram = (markdown: string) =>
  writeParts(markdown, { longest: 1_000_000 })
    .map(({ text }) => text)
    .join('\n')

test.each(answers)('%j reads as in the window', text => {
  expect(wordsOf(seenInTelegram(text))).toBe(wordsOf(seenInWindow(text)))
})

/** Blocks as models write them; `W` is replaced by formatted text. */
const block = fc.constantFrom(
  'W W\n\n',
  '## W\n\n',
  '- W\n- W\n  - W\n\n',
  '1. W\n2. W\n\n',
  '> W\n> W\n\n',
  '```js\nW\n```\n\n',
  '| W | W |\n|---|--:|\n| W | W |\n\n',
  'W\nW\n\n',
  '---\n\n',
)
const word = fc.constantFrom(
  'alpha',
  '**bold** x',
  '*it*',
  '`code * x`',
  'a_b_c',
  '关键**「重点」**词',
  '~~gone~~',
  '3~5',
  '$x^2$',
  '&amp;',
  'ไทย',
  '😀',
)

test('what models write reads as in the window', () => {
  fc.assert(
    fc.property(
      fc.array(block, { maxLength: 6 }),
      fc.array(word, { minLength: 1, maxLength: 30 }),
      (blocks, words) => {
        let at = 0
        const text = blocks.join('').replaceAll('W', () => words[at++ % words.length] ?? '')
        expect(wordsOf(seenInTelegram(text))).toBe(wordsOf(seenInWindow(text)))
      },
    ),
    { numRuns: 100 },
  )
})
