import { readPage } from '../../src/main/web/read/read-page.ts'
import type { FetchAddress, ReadFetched } from '../../src/main/web/web-parts.ts'
import { duckDuckGoPage } from './search-answers.ts'

/** A page of a web in memory. Its text is Markdown, whose links and paragraphs become HTML. */
export type FakePage = { title: string; snippet?: string; markdown: string }

/**
 * A web in memory for the product’s own search, reader and tools. A search finds the pages that match its
 * words best. `sent` records each query and address that would have left this computer; `pages` may be
 * replaced.
 */
export function fakeWeb(pages: ReadonlyMap<string, FakePage>) {
  const web = { pages, sent: [] as string[] }
  const fetchAddress: FetchAddress = async (address, { signal, body }) => {
    signal.throwIfAborted()
    const url = new URL(address)
    const query = new URLSearchParams(body ?? url.search).get('q')
    const isSearch = url.hostname === 'html.duckduckgo.com' && query !== null
    web.sent.push(isSearch ? query : address)
    const text = isSearch
      ? duckDuckGoPage(findPages(web.pages, query)).body
      : htmlOf(web.pages.get(address.split('#')[0]!))
    return {
      ok: true,
      address,
      status: 200,
      contentType: 'text/html; charset=utf-8',
      bytes: new TextEncoder().encode(text),
      cut: false,
    }
  }
  // The work of the thread that reads pages, without the thread.
  const readFetched: ReadFetched = page => readPage(page)
  return Object.assign(web, { access: { fetchAddress, readFetched } })
}

/** One result page of a search engine, best match first. */
function findPages(pages: ReadonlyMap<string, FakePage>, query: string) {
  const words = query.toLowerCase().split(/\s+/)
  const scoreOf = (text: string) => words.filter(word => text.toLowerCase().includes(word)).length
  return [...pages]
    .map(([address, { title, snippet = '' }]) => ({
      address,
      title: escape(title),
      snippet: escape(snippet),
      score: scoreOf(`${address} ${title} ${snippet}`),
    }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 8)
}

const NOTHING: FakePage = { title: 'A page', markdown: 'Nothing.' }

function htmlOf({ title, markdown }: FakePage = NOTHING): string {
  const blocks = markdown.split(/\n{2,}/).map(block => {
    if (block.startsWith('# ')) return `<h2>${escape(block.slice(2))}</h2>`
    return /[\n|]/.test(block) ? `<pre>${escape(block)}</pre>` : `<p>${linked(block)}</p>`
  })
  return `<!doctype html><html><head><title>${escape(title)}</title></head><body><article>${blocks.join('\n')}</article></body></html>`
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const linked = (text: string) =>
  text
    .split(/(\[[^\]]*\]\([^)\s]*(?:\s+"[^"]*")?\))/)
    .map((part, at) => {
      const [, words = '', target = ''] = /^\[([^\]]*)\]\(([^)\s]*)/.exec(part) ?? []
      return at % 2 === 1 ? `<a href="${escape(target)}">${escape(words)}</a>` : escape(part)
    })
    .join('')
