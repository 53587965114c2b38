import { formatBytes } from '../../../shared/text/amounts.ts'
import type { Refusal } from '../../lib/expected-errors.ts'
import { parseJson } from '../../lib/expected-errors.ts'
import type { Fetched, ReadPage } from '../web-parts.ts'
import type { BrowserPlace } from './seen/browser/start-browser.ts'
import { findPageKind } from './page/page-kind.ts'
import { readFeed } from './page/read-feed.ts'
import { decodePage } from './page/decode-page.ts'
import { readHtml, type Look } from './read-html.ts'

/** A page for the reading thread. `browser` is for looking at the page, or why there is none. */
export type PageJob = { page: Fetched; browser?: BrowserPlace | Refusal }

/** Maximum size of a page to read, in bytes and characters. Longer ones are cut before they get here. */
export const MOST_BYTES = 5_000_000
/** Maximum length of the returned text. */
const MOST_TEXT = 2_000_000
const MOST_JSON = 400_000

/** Read one page in this thread, which has limits of time and memory. */
export async function readPage(page: Fetched, look?: Look): Promise<ReadPage | Refusal> {
  const { address, status, contentType } = page
  const bytes = page.bytes.subarray(0, MOST_BYTES)
  const isCut = page.cut || bytes.length < page.bytes.length
  const decoded = decodePage(bytes, contentType)
  if (!decoded) return { refused: 'It is no text, and of a kind that is not known here.' }
  const { text } = decoded
  const found = findPageKind(text, contentType, address)
  const read = await readKind(found, text, { page, ...(look && { look }) })
  const problems = [
    ...read.problems,
    ...(isCut ? [`It is longer than ${formatBytes(bytes.length)}: only its beginning was read.`] : []),
    ...(decoded.isUnsure
      ? [`Its encoding is not sure: it was read as ${decoded.encoding}, so signs may be wrong.`]
      : []),
    ...(found.kind !== 'html' && status >= 400 ? [`The server answered with the error ${status}.`] : []),
  ]
  if (read.markdown.length <= MOST_TEXT) return { ...read, problems }
  return {
    ...read,
    markdown: read.markdown.slice(0, MOST_TEXT).replace(/[\ud800-\udbff]$/, ''),
    problems: [...problems, 'It has too much text: only its first 2 million characters are read.'],
  }
}

type How = { page: Fetched; look?: Look }

async function readKind(
  { kind, language }: ReturnType<typeof findPageKind>,
  text: string,
  { page, look }: How,
): Promise<ReadPage> {
  const { address, status } = page
  const title = nameFrom(address)
  const plain = (markdown: string, ...problems: string[]): ReadPage => ({
    ok: true,
    title,
    markdown,
    hidden: [],
    problems: markdown.trim() === '' && problems.length === 0 ? ['It has no text.'] : problems,
  })
  switch (kind) {
    case 'html':
      return readHtml({ html: text, address, status, ...(look && { look }) })
    case 'feed': {
      const feed = readFeed(text, address)
      return feed ? { ok: true, hidden: [], ...feed, title: feed.title || title } : plain(fenced(text, 'xml'))
    }
    case 'json':
      return sayJson(text, plain)
    case 'svg':
      return plain('', 'It is a picture (SVG), and no page.')
    case 'code':
      return plain(fenced(text, language ?? ''))
    case 'markdown':
    case 'text':
      return plain(text.replaceAll('\r\n', '\n').trimEnd())
  }
}

function sayJson(text: string, plain: (markdown: string, ...problems: string[]) => ReadPage): ReadPage {
  const value = parseJson(text)
  if (value === undefined)
    return plain(
      fenced(text.slice(0, MOST_JSON), 'json'),
      'It says that it is JSON, and is not, or only a part of it.',
    )
  const pretty = JSON.stringify(value, null, 2)
  if (pretty.length <= MOST_JSON) return plain(fenced(pretty, 'json'))
  return plain(fenced(pretty.slice(0, MOST_JSON), 'json'), 'It is long JSON: only its beginning is shown.')
}

function fenced(text: string, language: string): string {
  if (text.trim() === '') return ''
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(ticks => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replaceAll('\r\n', '\n').trimEnd()}\n${fence}`
}

/** Turn the last part of an address into a name. */
export function nameFrom(address: string): string {
  const url = URL.parse(address)
  const last = url?.pathname.split('/').filter(Boolean).at(-1) ?? ''
  try {
    return (decodeURIComponent(last) || (url?.hostname ?? '')).slice(0, 200)
  } catch {
    return last.slice(0, 200)
  }
}
