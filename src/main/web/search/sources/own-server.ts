import { listAt, oddAnswer, withQuery, type SearchSource } from '../search-source.ts'

/** SearXNG on the user’s own server. */
export const searxng: SearchSource = {
  name: 'searxng',
  title: 'SearXNG',
  says: 'A search engine that you run yourself and that asks many others. If it runs on this computer, it works under the offline lock too.',
  key: 'SEARXNG_URL',
  isOwnServer: true,
  ask(words, { key, language }) {
    const base = URL.parse(key)
    const asked = { q: words, format: 'json', language }
    return {
      address: withQuery(`${key.replace(/\/(?:search)?\/?$/, '')}/search`, asked),
      headers: { accept: 'application/json' },
      // The user wrote this address into the settings.
      ...(base && { mayPrivate: [base.host] }),
    }
  },
  explain(status, text) {
    if (status === 403)
      return {
        why: 'SearXNG gives no results to programs by default. Add “json” to search.formats in its settings.yml (formats: [html, json]), and restart it.',
      }
    if (status === 429)
      return {
        why: 'SearXNG limits searches. For a server of your own, set server.limiter to false in its settings.yml.',
        pauses: true,
      }
    return status < 300 && /^\s*</.test(text)
      ? { why: 'The page at this address is not a SearXNG search. Check SEARXNG_URL.' }
      : undefined
  },
  read: text =>
    listAt(text, 'results')?.map(({ title, url, content, publishedDate, pubdate }) => ({
      title,
      address: url,
      snippet: content,
      date: publishedDate ?? pubdate,
    })) ?? oddAnswer('SearXNG'),
}
