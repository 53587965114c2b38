import { expect, test } from 'vitest'
import { cleanAddress, cleanHits, cleanText } from './clean-hits.ts'
import { languageOfWords } from './language-of-words.ts'

test.each([
  ['//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fb%3Fx%3D1&rut=2', 'https://a.example/b?x=1'],
  ['https://www.google.com/url?sa=t&q=https%3A%2F%2Fa.example%2F', 'https://a.example/'],
  ['https://www.bing.com/ck/a?!&u=a1aHR0cHM6Ly9hLmV4YW1wbGUvYg&ntb=1', 'https://a.example/b'],
  [
    'https://duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Fa.example%252F',
    'https://a.example/',
  ],
  ['https://a.example/?utm_source=b&gclid=c&q=utm_source', 'https://a.example/?q=utm_source'],
  ['https://a.example/p?ref=home#part', 'https://a.example/p?ref=home#part'],
  ['javascript:alert(1)', undefined],
  ['ftp://a.example/', undefined],
  ['https://name:word@a.example/', undefined],
  ['data:text/html,x', undefined],
  [`https://a.example/${'x'.repeat(3_000)}`, undefined],
])('%s is the address %s', (given, address) => {
  expect(cleanAddress(given)).toBe(address)
})

test('texts have no markup, no hidden characters and a length', () => {
  expect(cleanText('A<b>B</b> &lt;i&gt; &#x43;&#8238;D\u200b\u202e <script>x()</script>\n E', 100)).toBe(
    'AB <i> CD E',
  )
  expect(cleanText('x'.repeat(300), 10)).toBe(`${'x'.repeat(9)}…`)
  expect(cleanText({ text: 'no' }, 10)).toBe('')
})

test('a page that is named twice is one result, with the words of either', () => {
  const hits = cleanHits([
    { title: '', address: 'https://www.a.example/b/?x=1&y=2' },
    { title: 'Other', address: 'http://a.example/b?y=2&x=1#c', snippet: 'words', date: 5 },
    { title: 'No address', address: 7 },
  ])
  expect(hits).toEqual([
    { title: 'www.a.example', address: 'https://www.a.example/b/?x=1&y=2', snippet: 'words' },
  ])
})

test.each([
  ['wie hoch ist der Mont Blanc', 'de'],
  ['quelle est la hauteur des Alpes', 'fr'],
  ['¿cuál es la capital?', 'es'],
  ['what is the capital of France', 'en'],
  ['東京 人口', 'zh'],
  ['東京の人口', 'ja'],
  ['население Москвы', 'ru'],
  ['населення Києва', 'uk'],
  ['vitest', 'nl'],
])('the language of “%s” is %s', (words, language) => {
  expect(languageOfWords(words, 'nl')).toBe(language)
})
