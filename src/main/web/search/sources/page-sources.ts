import {
  MOST_ASKED,
  oddAnswer,
  withQuery,
  type RawHit,
  type SearchSource,
  type SourceTrouble,
} from '../search-source.ts'

// Sources whose results are read from the page that a browser would show.

/** Texts with which a page of results asks a suspected robot to prove otherwise. */
const CAPTCHA =
  /anomaly-modal|captcha|are you a (?:human|robot)|unusual traffic|automated (?:queries|requests)/i

/** DuckDuckGo's page for browsers without scripts. */
export const duckDuckGo: SearchSource = {
  name: 'duckduckgo',
  title: 'DuckDuckGo',
  says: 'Searches the whole web without a key. Its page is made for browsers, so it may stop working at any time.',
  ask: words => ({ address: withQuery('https://html.duckduckgo.com/html/', { q: words }) }),
  explain: (status, text) =>
    status === 202 || /anomaly-modal/.test(text)
      ? { why: 'DuckDuckGo takes Talaria for a robot right now, and asks for a puzzle.', pauses: true }
      : undefined,
  async read(text) {
    const page = await parsePage(text)
    const hits = [...page.querySelectorAll('.result')]
      .filter(each => !/\bresult--ad\b/.test(each.className))
      .map(each => hitIn(each, '.result__a', '.result__snippet'))
      .filter(({ address }) => typeof address === 'string' && !/\/y\.js\?/.test(address))
    return hits.length > 0 || page.querySelector('.no-results') ? hits : troubleIn(text, 'DuckDuckGo')
  },
}

/** Mojeek, an independent index. */
export const mojeek: SearchSource = {
  name: 'mojeek',
  title: 'Mojeek',
  says: 'An independent search engine with its own index. It needs no key. It sometimes turns programs away, so it may stop working at any time.',
  ask: words => ({ address: withQuery('https://www.mojeek.com/search', { q: words }) }),
  async read(text) {
    const page = await parsePage(text)
    const hits = [...page.querySelectorAll('ul.results-standard > li')].map(each =>
      hitIn(each, 'h2 a, a.title', 'p.s', '.mdate, p.i .date'),
    )
    if (hits.length > 0) return hits
    const isEmpty = /no pages? (?:found )?match|no results/i.test(page.body?.textContent ?? '')
    return isEmpty ? [] : troubleIn(text, 'Mojeek')
  },
}

const troubleIn = (text: string, title: string): SourceTrouble =>
  CAPTCHA.test(text)
    ? { why: `${title} takes Talaria for a robot right now, and asks for a puzzle.`, pauses: true }
    : oddAnswer(title)

/** The used part of a document, for any parser. */
type Part = {
  readonly className: string
  readonly textContent: string | null
  getAttribute(name: string): string | null
  querySelector(selector: string): Part | null
  querySelectorAll(selector: string): Iterable<Part>
}

async function parsePage(text: string): Promise<Part & { body: Part | null }> {
  const { parseHTML } = await import('linkedom')
  const { document } = parseHTML(
    /<html\b/i.test(text) ? text : `<!doctype html><html><body>${text}</body></html>`,
  )
  return {
    className: '',
    textContent: null,
    getAttribute: () => null,
    querySelector: selector => document.querySelector(selector),
    querySelectorAll: selector => [...document.querySelectorAll(selector)].slice(0, 4 * MOST_ASKED),
    body: document.body,
  }
}

/** Read one result of a page as texts without markup, in which no character counts as markup any more. */
function hitIn(part: Part, link: string, snippet: string, date?: string): RawHit {
  const found = part.querySelector(link)
  return {
    title: plainIn(found),
    address: found?.getAttribute('href') ?? undefined,
    snippet: plainIn(part.querySelector(snippet)),
    ...(date !== undefined && { date: plainIn(part.querySelector(date)) }),
  }
}

const plainIn = (part: Part | null): string =>
  (part?.textContent ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
