import type { WebAnswer } from './web-on-this-computer.ts'

// Answers of the search sources, each in its own format.

/** A search result in these answers. */
type Result = { title: string; address: string; snippet: string; date?: string }

const json = (value: unknown): WebAnswer => ({ type: 'application/json', body: JSON.stringify(value) })

/** DuckDuckGo's page for browsers without scripts, with an advertisement before the results. */
export const duckDuckGoPage = (results: readonly Result[]): WebAnswer => ({
  body: `<!DOCTYPE html><html><body><div id="links" class="results">
<div class="result results_links result--ad"><h2 class="result__title"><a class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Buy it</a></h2></div>
${results
  .map(
    ({ title, address, snippet }) => `<div class="result results_links results_links_deep web-result">
<h2 class="result__title"><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(address)}&amp;rut=abc123">${title}</a></h2>
<a class="result__snippet" href="#">${snippet}</a></div>`,
  )
  .join('\n')}
${results.length === 0 ? '<div class="no-results">No results.</div>' : ''}</div></body></html>`,
})

/** The page that DuckDuckGo shows to suspected robots in place of results. */
export const DUCKDUCKGO_PUZZLE: WebAnswer = {
  status: 202,
  body: '<html><body><div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></body></html>',
}

/** Mojeek's page of results. */
export const mojeekPage = (results: readonly Result[]): WebAnswer => ({
  body: `<!doctype html><html><body>${
    results.length === 0
      ? '<p class="result-col">No pages found matching your search.</p>'
      : `<ul class="results-standard">${results
          .map(
            ({ title, address, snippet }) =>
              `<li><a class="ob" href="${address}"><p class="i">${address}</p></a><h2><a class="title" href="${address}">${title}</a></h2><p class="s">${snippet}</p></li>`,
          )
          .join('')}</ul>`
  }</body></html>`,
})

/** An answer of Wikipedia. */
export const wikipediaAnswer = (results: readonly Omit<Result, 'address'>[]): WebAnswer =>
  json({
    batchcomplete: true,
    query: {
      searchinfo: { totalhits: results.length },
      search: results.map(({ title, snippet, date }, at) => ({
        ns: 0,
        title,
        pageid: at + 1,
        snippet,
        timestamp: date,
      })),
    },
  })

/** An answer of Marginalia, Tavily and SearXNG, which differ in their field names. */
export const marginaliaAnswer = (results: readonly Result[]): WebAnswer =>
  json({
    license: 'CC-BY-NC-SA 4.0',
    results: results.map(({ title, address, snippet }) => ({
      url: address,
      title,
      description: snippet,
      quality: 4.2,
    })),
  })
export const tavilyAnswer = (results: readonly Result[]): WebAnswer =>
  json({
    query: 'words',
    results: results.map(({ title, address, snippet, date }) => ({
      title,
      url: address,
      content: snippet,
      score: 0.9,
      published_date: date,
    })),
  })
export const searxngAnswer = (results: readonly Result[]): WebAnswer =>
  json({
    query: 'words',
    results: results.map(({ title, address, snippet, date }) => ({
      title,
      url: address,
      content: snippet,
      engine: 'bing',
      publishedDate: date ?? null,
    })),
    unresponsive_engines: [],
  })

/** An answer of Brave, Exa and Firecrawl. */
export const braveAnswer = (results: readonly Result[]): WebAnswer =>
  json({
    type: 'search',
    ...(results.length > 0 && {
      web: {
        type: 'search',
        results: results.map(({ title, address, snippet, date }) => ({
          title,
          url: address,
          description: snippet,
          page_age: date,
        })),
      },
    }),
  })
export const exaAnswer = (results: readonly Result[]): WebAnswer =>
  json({
    requestId: 'a',
    results: results.map(({ title, address, snippet, date }) => ({
      id: address,
      title,
      url: address,
      highlights: [snippet],
      publishedDate: date,
    })),
  })
export const firecrawlAnswer = (results: readonly Result[]): WebAnswer =>
  json({
    success: true,
    data: {
      web: results.map(({ title, address, snippet }, at) => ({
        url: address,
        title,
        description: snippet,
        position: at + 1,
      })),
    },
  })
