import { expect, test } from 'vitest'
import {
  braveAnswer,
  DUCKDUCKGO_PUZZLE,
  duckDuckGoPage,
  exaAnswer,
  firecrawlAnswer,
  marginaliaAnswer,
  mojeekPage,
  searxngAnswer,
  tavilyAnswer,
  wikipediaAnswer,
} from '../../../../testing/web/search-answers.ts'
import { startWeb, type WebAnswer } from '../../../../testing/web/web-on-this-computer.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { openSearch } from './open-web-search.ts'

const RESULT = {
  title: 'Blue &amp; green',
  address: 'https://a.example/page?utm_source=b&x=1',
  snippet: 'One <b>two</b> three',
  date: '2026-05-01T10:00:00',
}
const OTHERS = ['brave', 'tavily', 'exa', 'firecrawl', 'duckduckgo', 'mojeek', 'marginalia', 'wikipedia']
const signal = new AbortController().signal

async function aSearch(
  hosts: Parameters<typeof startWeb>[0],
  {
    keys = {},
    off = [],
    first = [],
  }: { keys?: Record<string, string>; off?: string[]; first?: string[] } = {},
) {
  const web = await startWeb(hosts)
  const state = { now: 0, locked: false }
  const sources = openSearch({
    fetchAddress: web.fetchAddress,
    keyOf: name => keys[name],
    settings: () => ({ off, first }),
    isLocked: () => state.locked,
    now: () => state.now,
  })
  const answeredBy = async (words = 'words') => {
    const found = await sources.search(words, { signal })
    return isRefusal(found) ? found.refused : [found.answeredBy, ...found.passed.map(each => each.source)]
  }
  return { web, state, answeredBy, ...sources }
}

const html = (answer: (results: (typeof RESULT)[]) => WebAnswer) => answer
/** Each source with its host, its key, an answer with results and one without. */
const EACH = [
  ['duckduckgo', 'html.duckduckgo.com', undefined, html(duckDuckGoPage)],
  ['mojeek', 'www.mojeek.com', undefined, html(mojeekPage)],
  ['marginalia', 'api2.marginalia-search.com', undefined, html(marginaliaAnswer)],
  ['wikipedia', 'en.wikipedia.org', undefined, html(wikipediaAnswer)],
  ['searxng', 'search.home.example', 'SEARXNG_URL', html(searxngAnswer)],
  ['brave', 'api.search.brave.com', 'BRAVE_API_KEY', html(braveAnswer)],
  ['tavily', 'api.tavily.com', 'TAVILY_API_KEY', html(tavilyAnswer)],
  ['exa', 'api.exa.ai', 'EXA_API_KEY', html(exaAnswer)],
  ['firecrawl', 'api.firecrawl.dev', 'FIRECRAWL_API_KEY', html(firecrawlAnswer)],
] as const

test.each(EACH)('%s: results, none, a limit, an error and an odd answer', async (name, host, key, answer) => {
  let now: WebAnswer = answer([RESULT, { ...RESULT, address: 'https://www.a.example/page/?x=1#part' }])
  const keys: Record<string, string> =
    key === undefined ? {} : { [key]: key === 'SEARXNG_URL' ? `https://${host}/` : 'secret-key' }
  const off = ['searxng', ...OTHERS].filter(each => each !== name)
  const { web, state, ...sources } = await aSearch({ [host]: () => now }, { keys, off })
  const ask = () => sources.search('the words', { signal })

  const found = await ask()
  if (isRefusal(found)) throw new Error(found.refused)
  // Two addresses of one page are one.
  expect(found.hits).toHaveLength(1)
  const [hit] = found.hits
  expect(hit).toMatchObject({ title: 'Blue & green', snippet: 'One two three' })
  if (name !== 'wikipedia') expect(hit!.address).toBe('https://a.example/page?x=1')
  if (hit!.date !== undefined) expect(hit!.date).toMatch(/2026-05-01$/)
  // A key goes to its own host, in a header.
  if (key && key !== 'SEARXNG_URL') expect(JSON.stringify(web.asked[0]!.headers)).toContain('secret-key')
  expect(web.asked[0]!.path + web.asked[0]!.body).not.toContain('secret-key')
  expect(await sources.test(name, signal)).toMatchObject({ ok: true })

  now = answer([])
  expect(await ask()).toMatchObject({ ok: true, hits: [] })

  for (const odd of [
    { body: '<html><body>Something else.</body></html>' },
    { type: 'application/json', body: '{"results": "many"}' },
    { type: 'application/json', body: '{"results"' },
    { body: '' },
    { status: 500, body: 'broken' },
    { status: 401, body: '{}' },
  ]) {
    now = odd
    expect(await ask()).toMatchObject({ refused: expect.stringMatching(/^No source answered\. [A-Z]/) })
  }

  const before = web.asked.length
  now = { status: 429, body: 'slow down' }
  expect(await ask()).toMatchObject({ refused: expect.stringMatching(/limits searches/) })
  // It is left alone for ten minutes.
  now = answer([RESULT])
  expect(await ask()).toMatchObject({ refused: expect.stringMatching(/asked again in 10 minutes/) })
  expect(web.asked).toHaveLength(before + 1)
  state.now += 10 * 60_000
  expect(await ask()).toMatchObject({ ok: true })
})

test('what the person set up is asked first, and the next one when one limits, fails or finds nothing', async () => {
  const { answeredBy } = await aSearch(
    {
      'api.search.brave.com': () => ({ status: 402, body: '{}' }),
      'html.duckduckgo.com': () => DUCKDUCKGO_PUZZLE,
      'www.mojeek.com': () => mojeekPage([]),
      'api2.marginalia-search.com': () => ({ status: 503, body: '' }),
      'de.wikipedia.org': () => wikipediaAnswer([RESULT]),
    },
    { keys: { BRAVE_API_KEY: 'secret-key' } },
  )
  expect(await answeredBy('wie groß ist der Blauwal')).toEqual([
    'Wikipedia',
    'Brave Search',
    'DuckDuckGo',
    'Mojeek',
    'Marginalia',
  ])
})

test('the order is the person’s, and a source that is off is never asked', async () => {
  const { answeredBy, web, list } = await aSearch(
    { 'www.mojeek.com': () => mojeekPage([RESULT]), 'html.duckduckgo.com': () => duckDuckGoPage([RESULT]) },
    { first: ['wikipedia', 'mojeek'], off: ['wikipedia'] },
  )
  expect(await answeredBy()).toEqual(['Mojeek'])
  expect(web.asked.map(each => each.host)).toEqual(['www.mojeek.com'])
  expect(list().map(each => each.name)).toEqual([
    'wikipedia',
    'mojeek',
    'searxng',
    'brave',
    'tavily',
    'exa',
    'firecrawl',
    'duckduckgo',
    'marginalia',
  ])
  expect(list()[0]).toMatchObject({ on: false, nearby: false })
  expect(list()[3]!.needs).toBe('Its key is missing: BRAVE_API_KEY.')
})

test('under the offline lock only a source on this computer is asked', async () => {
  const keys: Record<string, string> = {}
  const { answeredBy, web, state, list } = await aSearch(
    {
      'localhost:8888': () => searxngAnswer([RESULT]),
      'html.duckduckgo.com': () => duckDuckGoPage([RESULT]),
    },
    { keys },
  )
  state.locked = true
  expect(await answeredBy()).toMatch(/offline lock is on, so nothing outside this computer is searched/)
  expect(web.asked).toEqual([])
  keys['SEARXNG_URL'] = 'http://localhost:8888'
  expect(await answeredBy()).toEqual(['SearXNG'])
  expect(list()[0]).toMatchObject({ name: 'searxng', nearby: true })
})

test('a SearXNG that gives no JSON, or is none, is explained', async () => {
  let now: WebAnswer = { status: 403, body: '<h1>Forbidden</h1>' }
  const { test: testSource } = await aSearch(
    { 'localhost:8888': () => now },
    { keys: { SEARXNG_URL: 'http://localhost:8888' } },
  )
  expect((await testSource('searxng', signal))!.text).toMatch(/formats: \[html, json\]/)
  now = { body: '<html>Hello</html>' }
  expect((await testSource('searxng', signal))!.text).toMatch(/not a SearXNG search/)
})

test('a stop ends the request, and no other source is asked', async () => {
  const stop = new AbortController()
  const { search, web } = await aSearch({
    'html.duckduckgo.com': () => {
      stop.abort()
      return new Promise<WebAnswer>(() => {})
    },
    'www.mojeek.com': () => mojeekPage([RESULT]),
  })
  await expect(search('words', { signal: stop.signal })).rejects.toThrow(/abort/i)
  expect(web.asked).toHaveLength(1)
})
