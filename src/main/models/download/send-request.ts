import { readLinked, type Linked } from './read-answer.ts'

/** An answer, what a hub on the way said of the file, and the host that gave the answer. */
export type Answered = { response: Response; linked: Linked | undefined; host: string }

const MOST_REDIRECTIONS = 5

/** Where addresses lead nowhere, or to where nothing may be fetched from. */
export class RefusedRedirection extends Error {
  override readonly name = 'RefusedRedirection'
}

/**
 * Ask for a file and follow where its address leads, listening to what is said on the way. An address that is protected never
 * leads to one that is not.
 */
export async function ask(
  fetch: typeof globalThis.fetch,
  address: string,
  headersFor: (linked: Linked | undefined) => Record<string, string>,
  init: { method: 'GET' | 'HEAD'; signal: AbortSignal },
): Promise<Answered> {
  let url = new URL(address)
  let linked: Linked | undefined
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
