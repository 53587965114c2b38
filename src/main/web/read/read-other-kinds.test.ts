import { expect, test } from 'vitest'
import { makeDocx, makeParagraph } from '../../../../testing/documents/make-office.ts'
import { linePage, makePdf } from '../../../../testing/documents/make-pdf.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import type { ReadPage } from '../web-parts.ts'
import { makeReadFetched } from './read-fetched.ts'

const read = makeReadFetched({ limits: { timeMs: 120_000 } })

async function readOk(content: string | Buffer, contentType: string, name: string): Promise<ReadPage> {
  const page = await read(
    {
      ok: true,
      address: `https://site.example/a/${name}`,
      status: 200,
      contentType,
      bytes: Buffer.from(content),
      cut: false,
    },
    { signal: new AbortController().signal },
  )
  if (isRefusal(page)) throw new Error(page.refused)
  return page
}

test('PDF and office files are read, whatever their server calls them', { timeout: 60_000 }, async () => {
  const pdf = await readOk(makePdf([linePage('The ferry sails again')]), 'text/html', 'plan')
  expect(pdf.markdown).toContain('The ferry sails again')
  expect(pdf.problems.join(' ')).toContain('PDF')
  const docx = await readOk(makeDocx(makeParagraph('Repairs cost more')), 'application/zip', 'costs.docx')
  expect(docx.markdown).toContain('Repairs cost more')
})

test('Atom and JSON feeds are lists of their entries', async () => {
  const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Port</title><entry><title>Sails</title>
<link rel="self" href="/self"/><link href="/sails"/><published>2026-11-10T10:00:00Z</published><summary>From Monday</summary></entry></feed>`
  expect(await readOk(atom, 'application/atom+xml', 'feed')).toMatchObject({
    title: 'Port',
    date: '2026-11-10',
    markdown: '- 2026-11-10 [Sails](https://site.example/sails): From Monday',
    problems: ['It is a feed with 1 entry.'],
  })
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Port',
    items: [
      { id: '1', url: '/sails', title: 'Sails', date_published: '2026-11-10', content_html: '<p>Soon</p>' },
    ],
  })
  expect(await readOk(json, 'application/feed+json', 'feed')).toMatchObject({
    title: 'Port',
    markdown: '- 2026-11-10 [Sails](https://site.example/sails): Soon',
  })
})

test('of 6 MB the first 5 MB are read, and it says so', { timeout: 60_000 }, async () => {
  const page = await readOk(`first ${'word '.repeat(1_200_000)}last`, 'text/plain', 'long.txt')
  expect(page.markdown.startsWith('first word')).toBe(true)
  expect(page.problems).toEqual([
    'It is longer than 5 MB: only its beginning was read.',
    'It has too much text: only its first 2 million characters are read.',
  ])
})

test('a page that needs too much memory is refused in words', { timeout: 120_000 }, async () => {
  const small = makeReadFetched({ limits: { timeMs: 100_000, memoryMb: 48 } })
  const outcome = await small(
    {
      ok: true,
      address: 'https://site.example/cells',
      status: 200,
      contentType: 'text/html',
      bytes: Buffer.from(`<html><body>${'<b>a</b><i>b</i>'.repeat(150_000)}</body></html>`),
      cut: false,
    },
    { signal: new AbortController().signal },
  )
  expect(outcome).toEqual({ refused: 'The page needs more than 48 MB of memory, so it is not read.' })
})
