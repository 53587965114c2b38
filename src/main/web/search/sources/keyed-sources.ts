import { listAt, MOST_ASKED, oddAnswer, withQuery, type SearchSource } from '../search-source.ts'

// Companies that offer programs a search for a key.

const asJson = (key: Readonly<Record<string, string>>, body: unknown) => ({
  headers: { ...key, 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify(body),
})
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Brave Search. */
export const brave: SearchSource = {
  name: 'brave',
  title: 'Brave Search',
  says: 'An index of the whole web. It needs a key of your own. Some searches are free each month, but a credit card is required.',
  key: 'BRAVE_API_KEY',
  ask: (words, { key }) => ({
    address: withQuery('https://api.search.brave.com/res/v1/web/search', {
      q: words,
      count: String(MOST_ASKED),
    }),
    headers: { 'x-subscription-token': key, accept: 'application/json' },
  }),
  explain: status =>
    // With a wrong key, Brave says that the request cannot be processed.
    status === 422
      ? { why: 'Brave Search does not accept the key BRAVE_API_KEY, or these words.' }
      : undefined,
  read(text) {
    const found = listAt(text, 'web', 'results')
    if (found)
      return found.map(({ title, url, description, page_age, age }) => ({
        title,
        address: url,
        snippet: description,
        date: page_age ?? age,
      }))
    // Without results, Brave omits the list.
    return /"type"\s*:\s*"search"/.test(text) ? [] : oddAnswer('Brave Search')
  },
}

/** Tavily. */
export const tavily: SearchSource = {
  name: 'tavily',
  title: 'Tavily',
  says: 'Made for assistants. It needs a key of your own. Some searches are free each month.',
  key: 'TAVILY_API_KEY',
  ask: (words, { key }) => ({
    address: 'https://api.tavily.com/search',
    ...asJson(bearer(key), { query: words, max_results: MOST_ASKED, search_depth: 'basic' }),
  }),
  read: text =>
    listAt(text, 'results')?.map(({ title, url, content, published_date }) => ({
      title,
      address: url,
      snippet: content,
      date: published_date,
    })) ?? oddAnswer('Tavily'),
}

/** Exa. */
export const exa: SearchSource = {
  name: 'exa',
  title: 'Exa',
  says: 'Searches by meaning. It needs a key of your own.',
  key: 'EXA_API_KEY',
  ask: (words, { key }) => ({
    address: 'https://api.exa.ai/search',
    ...asJson(
      { 'x-api-key': key },
      {
        query: words,
        numResults: MOST_ASKED,
        type: 'auto',
        contents: { highlights: { maxCharacters: 500, query: words } },
      },
    ),
  }),
  read: text =>
    listAt(text, 'results')?.map(({ title, url, highlights, text: said, publishedDate }) => ({
      title,
      address: url,
      snippet: Array.isArray(highlights)
        ? highlights.filter(each => typeof each === 'string').join(' … ')
        : said,
      date: publishedDate,
    })) ?? oddAnswer('Exa'),
}

/** Firecrawl. */
export const firecrawl: SearchSource = {
  name: 'firecrawl',
  title: 'Firecrawl',
  says: 'Searches the web with a key of your own.',
  key: 'FIRECRAWL_API_KEY',
  ask: (words, { key }) => ({
    address: 'https://api.firecrawl.dev/v2/search',
    ...asJson(bearer(key), { query: words, limit: MOST_ASKED }),
  }),
  read: text =>
    // The first version of the API had the list without kinds.
    (listAt(text, 'data', 'web') ?? listAt(text, 'data'))?.map(({ title, url, description }) => ({
      title,
      address: url,
      snippet: description,
    })) ?? oddAnswer('Firecrawl'),
}
