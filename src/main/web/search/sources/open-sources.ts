import { listAt, MOST_ASKED, oddAnswer, withQuery, type SearchSource } from '../search-source.ts'

// Sources that programs can search without a key.

/** Identifies Talaria, as Wikimedia requires of programs. */
const NAMED = { 'user-agent': 'Talaria/0.1 (an assistant on the computer of a person; one search at a time)' }

/** Wikipedia’s own search. */
export const wikipedia: SearchSource = {
  name: 'wikipedia',
  title: 'Wikipedia',
  says: 'Searches Wikipedia in the language of your words. It needs no key and welcomes programs. It finds no other pages.',
  ask(words, { language }) {
    const asked = {
      action: 'query',
      list: 'search',
      srsearch: words,
      srlimit: String(MOST_ASKED),
      srprop: 'snippet|timestamp',
      format: 'json',
      formatversion: '2',
      utf8: '1',
    }
    return { address: withQuery(`https://${language}.wikipedia.org/w/api.php`, asked), headers: NAMED }
  },
  read(text, asked) {
    if (/"code"\s*:\s*"ratelimited"/.test(text))
      return { why: 'Wikipedia limits searches right now.', pauses: true }
    const found = listAt(text, 'query', 'search')
    const { host } = new URL(asked.address)
    return (
      found?.map(({ title, snippet, timestamp }) => ({
        title,
        address:
          typeof title === 'string'
            ? `https://${host}/wiki/${encodeURIComponent(title.replaceAll(' ', '_'))}`
            : undefined,
        snippet,
        date: typeof timestamp === 'string' ? `edited ${timestamp.slice(0, 10)}` : undefined,
      })) ?? oddAnswer('Wikipedia')
    )
  },
}

/** Marginalia, a small index of pages that are mostly text. */
export const marginalia: SearchSource = {
  name: 'marginalia',
  title: 'Marginalia',
  says: 'Finds small sites that are mostly text. Its shared key is free to try, but often at its limit. The results are for non-commercial use.',
  ask: words => ({
    address: withQuery('https://api2.marginalia-search.com/search', {
      query: words,
      count: String(MOST_ASKED),
    }),
    headers: { 'api-key': 'public' },
  }),
  read: text =>
    listAt(text, 'results')?.map(({ title, url, description }) => ({
      title,
      address: url,
      snippet: description,
    })) ?? oddAnswer('Marginalia'),
}
