import { pageText } from '../../documents/web/html.ts'
import { walkMarkup } from '../../documents/web/markup.ts'
import type { ReadPage } from '../web-parts.ts'
import { nameOf, parsePage, type PageDocument } from './dom.ts'
import { extractMain } from './extract/extract-main.ts'
import { countWords } from './extract/measure-blocks.ts'
import { squeezeSpace } from './markdown/element-kinds.ts'
import { absoluteAddress } from './markdown/inline-text.ts'
import { writeMarkdown } from './markdown/write-markdown.ts'
import { readLinkedData } from './page/linked-data.ts'
import { readHead } from './page/page-head.ts'
import { findTroubles } from './page/page-troubles.ts'
import { isRefusal, type Refusal } from '../../lib/expected-errors.ts'
import type { Eyes } from './seen/browser/see-in-browser.ts'
import { hideUnseen, type HiddenOfPage } from './seen/hide-unseen.ts'

/** The HTML of a page, with facts about how it was fetched. */
export type HtmlSource = {
  html: string
  address: string
  status: number
  look?: Look
}

/** How to look at a page as users see it: a browser, or why there is none. */
export type Look = { eyes: Eyes | Refusal; signal: AbortSignal }

/** The text for search engines is used if it has this many times more words than the page. */
const TIMES_MORE = 3

/** Convert a page to Markdown. First remove what users cannot see, then what is not its main text. */
export async function readHtml({ html, address, status, look }: HtmlSource): Promise<ReadPage> {
  if (isTooDeep(html)) {
    const { title, text } = pageText(html)
    return {
      ok: true,
      title,
      markdown: text,
      hidden: [],
      problems: ['It is built in an odd way: it was read as it stands.'],
    }
  }
  const document = parsePage(html)
  const base = baseOf(document, address)
  const data = readLinkedData(document)
  const { hidden, troubles: unjudged } = await takeOutUnseen(document, look)
  const head = readHead(document, base, data)
  const withoutScripts = takeOutScripts(document)
  const bodyText = squeezeSpace(document.body.textContent ?? '')
  const frames = [...document.querySelectorAll('frame[src]')].slice(0, 20)
  const listed = frames.map(frame => `- ${absoluteAddress(frame.getAttribute('src'), base) ?? ''}`)
  const main = extractMain(document, address)
  let markdown = withoutTitle(writeMarkdown(main.root, base), head.title)
  const read = countWords(markdown)
  const found = findTroubles(document, {
    status,
    title: head.title,
    html,
    text: bodyText === '' ? withoutScripts : bodyText,
    visible: main.visible,
    read: main.words,
    data,
  })
  const isMissing = found.length > 0 || read < 60
  const troubles = [...found, ...unjudged]
  if (data.text !== undefined && isMissing && countWords(data.text) > TIMES_MORE * read) {
    markdown = /<[a-z]/i.test(data.text) ? pageText(data.text).text : data.text
    troubles.push('Its text was taken from what the page gives to search engines.')
  } else if (read < 20 && withoutScripts !== '')
    markdown = [markdown, withoutScripts].filter(Boolean).join('\n\n')
  if (listed.length > 0) markdown = [markdown, ...listed].filter(Boolean).join('\n')
  return { ok: true, ...head, markdown, hidden, problems: troubles }
}

/** Remove what users cannot see, by the page's styles and, with `look`, as a browser renders it. */
async function takeOutUnseen(
  document: PageDocument,
  look: Look | undefined,
): Promise<{ hidden: string[]; troubles: string[] }> {
  const { hidden, isTooBig, unlooked } = await judgePage(document, look)
  return {
    hidden,
    troubles: [
      ...(unlooked === undefined
        ? []
        : [`No browser looked at it, so what nobody sees was judged by its styles alone. ${unlooked}`]),
      ...(isTooBig ? ['It is so big that only a part of it was searched for texts that nobody sees.'] : []),
    ],
  }
}

async function judgePage(
  document: PageDocument,
  look: Look | undefined,
): Promise<HiddenOfPage & { unlooked?: string }> {
  if (!look) return hideUnseen(document)
  const { eyes, signal } = look
  if (isRefusal(eyes)) return { ...hideUnseen(document), unlooked: eyes.refused }
  const { hideInBrowser } = await import('./seen/hide-in-browser.ts')
  return hideInBrowser(document, { signal, eyes })
}

/** Maximum nesting of elements; with more, a tree parser takes minutes. */
const DEEPEST = 2_000
/** Elements that many pages do not close. */
const LEFT_OPEN = new Set('p li td th tr dt dd option tbody thead tfoot colgroup'.split(' '))

function isTooDeep(html: string): boolean {
  let depth = 0
  let deepest = 0
  const step = (name: string, by: number) => {
    if (LEFT_OPEN.has(name)) return
    depth = Math.max(0, depth + by)
    deepest = Math.max(deepest, depth)
  }
  walkMarkup(html, { open: ({ name }) => step(name, 1), close: name => step(name, -1) }, { isHtml: true })
  return deepest > DEEPEST
}

/** The base address for the links of a page. */
function baseOf(document: PageDocument, address: string): string {
  const said = document.querySelector('base[href]')?.getAttribute('href')
  const base = said === undefined || said === null ? null : URL.parse(said, address)
  return base !== null && /^https?:$/.test(base.protocol) ? base.href : address
}

/** Remove what is not text, except sources of formulas. Returns the text for browsers without scripts. */
function takeOutScripts(document: PageDocument): string {
  for (const element of document.querySelectorAll('script, style, template'))
    if (!/^math\//i.test(element.getAttribute('type') ?? '') || nameOf(element) !== 'script') element.remove()
  const said: string[] = []
  for (const element of document.body.querySelectorAll('noscript')) {
    // Pictures that scripts load later, and tracking pixels.
    const text = squeezeSpace(element.textContent ?? '').trim()
    if (text !== '' && !text.startsWith('<')) said.push(text)
    element.remove()
  }
  return said.join('\n\n').slice(0, 5_000)
}

/** Remove a heading at the top that repeats the title, which is shown separately. */
function withoutTitle(markdown: string, title: string): string {
  const first = /^#{1,2} (.+)(?:\n+|$)/.exec(markdown)
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return first && title !== '' && plain(first[1]!) === plain(title)
    ? markdown.slice(first[0].length)
    : markdown
}
