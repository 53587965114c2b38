import { readLinked, type LinkedFile } from './read-response.ts'

/** A response, what a hub said about the file before redirecting, and the host that responded. */
export type Redirected = { response: Response; linked: LinkedFile | undefined; host: string }

const MOST_REDIRECTIONS = 5

/** The redirect is invalid, or leads to a place from which downloads are not allowed. */
export class RefusedRedirection extends Error {
  override readonly name = 'RefusedRedirection'
}

/**
 * Request a file and follow its redirects, collecting what hubs say on the way. A redirect from HTTPS to HTTP is
 * refused.
 */
export async function sendRequest(
  fetch: typeof globalThis.fetch,
  address: string,
  headersFor: (linked: LinkedFile | undefined) => Record<string, string>,
  init: { method: 'GET' | 'HEAD'; signal: AbortSignal },
): Promise<Redirected> {
  let url = new URL(address)
  let linked: LinkedFile | undefined
  for (let hop = 0; hop <= MOST_REDIRECTIONS; hop++) {
    const response = await fetch(url.href, { ...init, headers: headersFor(linked), redirect: 'manual' })
    const to = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || to === null)
      return { response, linked, host: url.host }
    await response.body?.cancel()
    linked = readLinked(response.headers) ?? linked
    const next = URL.parse(to, url.href)
    if (!next || !/^https?:$/.test(next.protocol) || (url.protocol === 'https:' && next.protocol === 'http:'))
      throw new RefusedRedirection(`${url.host} leads to an address from which nothing is fetched.`)
    url = next
  }
  throw new RefusedRedirection(`${url.host} leads from one address to the next.`)
}
