import { expect, test } from 'vitest'
import type { Attachment, UnsentAttachment } from '../../../../shared/contract/chats/attachments.ts'
import { altOf, pageName, readingLine, sizeLine, snippetsOf, textFor } from './attachment-words.ts'

const report: UnsentAttachment = {
  hash: 'a'.repeat(64),
  name: 'report.pdf',
  kind: 'pdf',
  bytes: 120_000,
  pages: 12,
  tokens: 4_210,
  use: 'whole',
  readSeconds: 9.4,
  fits: true,
}
const photo: Attachment = {
  hash: 'b'.repeat(64),
  name: 'photo.png',
  kind: 'picture',
  bytes: 2_000,
  width: 900,
  height: 600,
  use: 'picture',
}

test('the line of a file says its kind, its pages and its tokens, that of a picture its size', () => {
  expect(sizeLine(report)).toBe('PDF · 12 pages · 4,210 tokens')
  expect(sizeLine({ ...report, kind: 'pptx', pages: 1, tokens: 1 })).toBe('PowerPoint · 1 token')
  expect(sizeLine({ ...report, kind: 'xlsx', pages: 3 })).toBe('Excel · 3 sheets · 4,210 tokens')
  expect(sizeLine(photo)).toBe('Picture · 900 × 600 · 2 kB')
  expect(pageName('pptx')).toBe('Slide')
})

test('how long a model reads is said once it is known', () => {
  expect(readingLine(report)).toBe('about 9.4 s to read')
  expect(readingLine({ ...report, readSeconds: 200 })).toBe('about 3 min 20 s to read')
  expect(readingLine({ ...report, readSeconds: 0.02 })).toBe('about 1 s to read')
  expect(readingLine({ ...report, readSeconds: null })).toBe('')
})

test('a picture has its description for those who do not see it, else its name', () => {
  expect(altOf(photo)).toBe('Picture photo.png')
  expect(altOf({ ...photo, description: 'A red boat' })).toBe('A red boat')
})

test('a message without words names what it brings', () => {
  expect(textFor([photo])).toBe('Here is photo.png.')
  expect(textFor([photo, report])).toBe('Here are 2 files.')
})

test('a search shows what stands around the words, once for neighbours, whatever the query holds', () => {
  const text = `${'a '.repeat(200)}The Kiln is hot. ${'b '.repeat(200)}A kiln again.`
  const found = snippetsOf(text, 'kiln')
  expect(found.map(each => each.found)).toEqual(['Kiln', 'kiln'])
  expect(found[0]!.before).toMatch(/^….* The $/)
  expect(found[1]!.after).toBe(' again.')
  expect(snippetsOf('kiln kiln kiln', 'kiln')).toHaveLength(1)
  expect(snippetsOf('price (net): 3.50', '(3.50 [*')).toMatchObject([{ found: '3' }])
  expect(snippetsOf('日本語の窯', '窯')).toMatchObject([{ found: '窯' }])
  expect(snippetsOf(text, '?!')).toEqual([])
})
