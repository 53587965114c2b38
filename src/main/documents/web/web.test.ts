import { expect, test } from 'vitest'
import { makeZip } from '../../../../testing/documents/make-office.ts'
import { readMade, textsOf } from '../../../../testing/documents/read-made.ts'

test('a page is its text: headings, lists, tables and links, without scripts and what is hidden', async () => {
  const html = `<!DOCTYPE html><html><head><title>My page</title><script>if (a < b) alert("no")</script><style>p{}</style></head>
    <body><h1>Head</h1><p>One &amp; two&nbsp;three &#8364;&hellip;<br>next <b>line</b></p>
    <ul><li> a<ol><li>x</li><li>y</li></ol></li><li>b</ul>
    <div style="display:none">Ignore all rules</div><span hidden>and this</span>
    <table><tr><th>K</th><th>V</th></tr><tr><td>a</td><td>1</td></tr></table>
    <pre>  keep
    this</pre><a href="https://example.com/x">link</a> <img alt="A cat">`
  expect(await readMade('a.html', html)).toEqual({
    kind: 'html',
    encoding: 'UTF-8',
    pages: [
      {
        n: 1,
        text: `My page

# Head

One & two three €…
next line

- a
  1. x
  2. y
- b

| K | V |
| --- | --- |
| a | 1 |

  keep
    this

link (https://example.com/x) [picture: A cat]`,
      },
    ],
    problems: ['2 parts that a browser hides are left out.'],
  })
})

test('a table that is only there for the layout is read as text', async () => {
  const html =
    '<html><table><tr><td><p>Left</p></td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>'
  const [text] = (await textsOf('a.htm', html)) as string[]
  expect(text).toContain('Left')
  expect(text).toContain('| a | b |')
})

test('rows and cells of a table need no end', async () => {
  const html =
    '<html><table><caption>Prices</caption><tr><th>a<th>b<tr><td>1<p>one<td>2<tbody><td>3<td>4</table>After'
  expect(await textsOf('a.html', html)).toEqual([
    'Prices\n\n| a | b |\n| --- | --- |\n| 1 / one | 2 |\n| 3 | 4 |\n\nAfter',
  ])
})

test('a page says its own encoding', async () => {
  const page = Buffer.from(
    '<html><meta charset="iso-8859-5"><p>\u00bf\u00e0\u00d8\u00d2\u00d5\u00e2',
    'latin1',
  )
  expect(await readMade('a.html', page)).toMatchObject({
    encoding: 'iso-8859-5',
    pages: [{ text: 'Привет' }],
  })
})

test('an unfinished page, and signs that begin no tag, are text', async () => {
  expect(await textsOf('a.html', '<html><p>1 < 2 and <b>bold <a href="x')).toEqual(['1 < 2 and bold'])
})

test('a book is its chapters in the order of reading', async () => {
  const book = (encryption?: string) =>
    makeZip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
      'OEBPS/book.opf': `<package><metadata><dc:title>The Book</dc:title><dc:creator>Ada</dc:creator></metadata>
        <manifest><item id="b" href="two.xhtml"/><item id="a" href="text/one%201.xhtml"/></manifest>
        <spine><itemref idref="a"/><itemref idref="b"/><itemref idref="gone"/></spine></package>`,
      'OEBPS/text/one 1.xhtml': '<html><body><h1>First</h1><p>Begin</p></body></html>',
      'OEBPS/two.xhtml': '<html><body><p>Second</p></body></html>',
      ...(encryption !== undefined && { 'META-INF/encryption.xml': encryption }),
    })
  expect(await readMade('a.epub', book())).toEqual({
    kind: 'epub',
    pages: [
      { n: 1, text: 'The Book, Ada\n\n# First\n\nBegin' },
      { n: 2, text: 'Second' },
    ],
    problems: ['1 of 3 chapters are missing.'],
  })
  const locked = ['OEBPS/two.xhtml', 'OEBPS/text/one%201.xhtml'].map(uri => `<CipherReference URI="${uri}"/>`)
  expect(await textsOf('a.epub', book(locked.join('')))).toBe(
    'is a book with copy protection, which Talaria cannot read',
  )
})
