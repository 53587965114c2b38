import { parseHTML } from 'linkedom'
import { expect, test } from 'vitest'
import { hideUnseen } from './hide-unseen.ts'
import type { SeenDocument } from './page-nodes.ts'

const read = (html: string, options?: Parameters<typeof hideUnseen>[1]) => {
  const document = parseHTML(html).document as unknown as SeenDocument
  const outcome = hideUnseen(document, options)
  return { ...outcome, left: document.documentElement?.outerHTML ?? '' }
}
const page = (css: string, html: string) =>
  `<!doctype html><html><head><style>${css}</style></head><body>${html}</body></html>`

test('what is hidden is told, each text once and not too long', () => {
  const order = `Send the file. ${'And so on. '.repeat(100)}`
  const { hidden, left } = read(
    page(
      '.x{display:none}',
      `<p>Seen.</p><p class="x">${order}</p><p class="x">${order}</p><!-- a comment -->`,
    ),
  )
  expect(hidden).toHaveLength(1)
  expect(hidden[0]?.length).toBeLessThan(420)
  expect(left).not.toContain('Send the file')
  expect(left).not.toContain('comment')
  expect(left).toContain('Seen.')
})

test('sheets that were fetched count, and names of classes only while they are missing', () => {
  const html =
    '<html><head><link rel="stylesheet" href="a.css"></head><body><p class="d-none">one</p><p class="q">two</p></body></html>'
  expect(read(html).hidden).toEqual(['one'])
  expect(read(html, { fetchedSheets: ['.q{display:none}'] }).hidden).toEqual(['two'])
  expect(read(page('', '<p class="d-none">one</p>')).hidden).toEqual([])
})

test('a page that its scripts show is not taken for an empty one', () => {
  const css = 'body{opacity:0}.no-js .menu{display:none}'
  const { left } = read(
    `<html class="no-js"><head><style>${css}</style></head><body><p class="menu">Seen.</p><script>1</script></body></html>`,
  )
  expect(left).toContain('Seen.')
})

test('what noscript says stays where there is nothing else', () => {
  expect(read('<html><body><div></div><noscript>Switch scripts on.</noscript></body></html>').left).toContain(
    'Switch',
  )
  const words = 'one two three four five six '.repeat(5)
  expect(
    read(`<html><body><p>${words}</p><noscript>Switch scripts on.</noscript></body></html>`).left,
  ).not.toContain('Switch')
})

test('tables keep their columns, and formulas their source', () => {
  const { left } = read(
    page(
      '.w{color:#fff}.katex-mathml{position:absolute;clip:rect(0,0,0,0)}',
      '<table><tr><td class="w" style="display:none">a</td><td>b</td></tr></table>' +
        '<span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">\\frac{a}{b}</annotation></semantics></math></span>',
    ),
  )
  expect(left.match(/<td/g)).toHaveLength(2)
  expect(left).toContain('\\frac{a}{b}')
})

test('dates for search engines stay, the rest of what only programs read goes', () => {
  const { left, hidden } = read(
    '<html><head><title>T</title><meta name="description" content="Send all the files"><script type="application/ld+json">' +
      '{"@type":"Article","datePublished":"2026-01-02","articleBody":"Send all the files"}</script></head><body><p title="Send all the files">Text</p></body></html>',
  )
  expect(left).toContain('2026-01-02')
  expect(left).not.toContain('Send all')
  expect(hidden).toEqual(['Send all the files'])
})

test('letters that nobody sees are taken out and told', () => {
  const tags = Array.from('send it')
    .map(letter => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))
    .join('')
  const { left, hidden } = read(`<html><body><p>A${tags} li\u200Bne.</p></body></html>`)
  expect(left).toContain('<p>A line.</p>')
  expect(hidden).toEqual(['send it'])
})

test('a page that takes too long to judge says so', () => {
  const css = 'p:nth-last-of-type(3n){opacity:0} p ~ p ~ p{opacity:0}'
  expect(read(page(css, '<p>x</p>'.repeat(4_000))).isTooBig).toBe(true)
})

test.each([
  ['nothing', ''],
  ['no page', 'words'],
  ['deep elements', '<div>'.repeat(9_000)],
  [
    'deep brackets',
    page(
      `a{width:${'calc('.repeat(20_000)}} ${':is('.repeat(9_000)}b{} @media ${'('.repeat(9_000)}{p{color:red}}`,
      '<p>x</p>',
    ),
  ],
  ['deep rules', page('a{'.repeat(9_000), '<p>x</p>')],
  [
    'properties in circles',
    page(':root{--a:var(--b) var(--b);--b:var(--a) var(--a)}p{color:var(--a)}', '<p>x</p>'),
  ],
  [
    'no prototypes',
    page(
      '.constructor{color:__proto__;constructor:x}',
      '<p class="constructor __proto__" constructor="">x</p>',
    ),
  ],
])('hostile or odd pages end well: %s', (_, html) => {
  expect(() => read(html)).not.toThrow()
})

test.each([
  [
    'an animation that fades in and out',
    '@keyframes a{to{opacity:0}}p{animation:a 1s infinite}',
    '<p>text</p>',
  ],
  [
    'a place outside of a box that does not hold it',
    '',
    '<div style="width:100px;overflow:hidden"><p style="position:absolute;left:300px">text</p></div>',
  ],
  ['a colour that is made darker', 'p{color:rgb(from white 0 0 0);background:#fff}', '<p>text</p>'],
  [
    'white letters on a picture before its text',
    'p{color:#fff}p::before{position:absolute;inset:0;background:url(a.jpg)}',
    '<p>text</p>',
  ],
  ['a filter that makes all black', '', '<p style="filter:brightness(0)">text</p>'],
] as const)('%s is seen', (_, css, html) => {
  expect(read(page(css, html)).hidden).toEqual([])
})

test('a box before a text is no ground for it where it takes no place of its own', () => {
  const css = 'p{color:#fff}p::before{content:"";background:#000}'
  expect(read(page(css, '<p>text</p>')).hidden).toEqual(['text'])
})

test('the name of its site and its own address stay with a page, and no sentence in their place', () => {
  const { left } = read(
    '<html><head><meta property="og:site_name" content="Post"><meta name="application-name" content="Send the notes to this address"><link rel="canonical" href="/a"></head><body><p>x</p></body></html>',
  )
  expect(left).toContain('content="Post"')
  expect(left).toContain('href="/a"')
  expect(left).not.toContain('Send')
})
