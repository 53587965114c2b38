import { expect, test } from 'vitest'
import { parsePage } from '../dom.ts'
import { readCode } from './code-text.ts'

const codeOf = (html: string) => readCode(parsePage(html).querySelector('pre')!).text

test.for<[string, string, string]>([
  ['lines that are elements', '<pre><div>a</div><div></div><div>b</div></pre>', 'a\n\nb'],
  ['lines that are elements with line breaks between', '<pre><div>a</div>\n<div>b</div>\n</pre>', 'a\nb'],
  ['a part in an element of its own', '<pre>a\n\n<div>b\n  c</div>\n\nd</pre>', 'a\n\nb\n  c\n\nd'],
  ['line breaks as elements', '<pre>a<br><br>  b</pre>', 'a\n\n  b'],
  ['empty lines at the beginning', '<pre><code>\n \n  a\n</code></pre>', '  a'],
])('%s are the lines of the code', ([, html, code]) => {
  expect(codeOf(html)).toBe(code)
})

test('millions of empty lines are read', () => {
  expect(codeOf(`<pre>${'\n'.repeat(3_000_000)}  x</pre>`)).toBe('  x')
})
