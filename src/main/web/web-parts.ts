import type { PassedSource, WebHit } from '../../shared/contract/connections/web.ts'
import type { Refusal } from '../lib/expected-errors.ts'

/** The names of the web tools, and of their toolset. */
export const WEB_SEARCH = 'web_search'
export const WEB_READ = 'web_read'
export const WEB_TOOLSET = 'web'

/**
 * A verdict on where an address leads. `private`: this computer, a network of the user, or an address with a
 * key, which needs approval. `never`: a place that gives out keys of the machine, or an address with a
 * password. `invalid`: not a web address. `why` is worded to follow “because”.
 */
export type AddressVerdict = { verdict: 'public' } | { verdict: 'private' | 'never' | 'invalid'; why: string }

/** The answer from an address. `address` is that after redirects; `bytes` are decompressed and limited. */
export type Fetched = {
  ok: true
  address: string
  status: number
  contentType: string
  bytes: Uint8Array
  /** Whether the content was longer and was cut. */
  cut: boolean
}

/**
 * Why nothing was fetched. `status`: of an answer that refuses. `privateHost`: the private host of the
 * request, in the form for `mayPrivate`, if the user may allow it.
 */
export type NotFetched = Refusal & { status?: number; privateHost?: string }

/** Fetches an address, judged at the connection and at each redirect. The ledger and offline lock apply. */
export type FetchAddress = (
  address: string,
  options: {
    signal: AbortSignal
    /** Hosts of a private network that the user allowed, with their port, as in `new URL(address).host`. */
    mayPrivate?: readonly string[]
    headers?: Readonly<Record<string, string>>
    /** The body of a POST, for sources that need one. */
    body?: string
    /** The purpose for the ledger, such as the name of a source; the default is “a page”. */
    subject?: string
  },
) => Promise<Fetched | NotFetched>

/** The text of a page. `hidden`: texts that users cannot see on it, which were removed. */
export type ReadPage = {
  ok: true
  title: string
  site?: string
  /** The date of publication, as YYYY-MM-DD. */
  date?: string
  /** The page's canonical address, if it is on the same site and differs from the fetched one. */
  canonical?: string
  markdown: string
  hidden: readonly string[]
  /** Notes on the page in sentences, such as that it is a consent wall or made by scripts. */
  problems: readonly string[]
}

/** Converts a fetched page to Markdown, in a worker with limits. */
export type ReadFetched = (
  page: Fetched,
  options: { signal: AbortSignal; browser?: boolean },
) => Promise<ReadPage | Refusal>

/** Asks the sources in order. */
export type SearchWeb = (
  words: string,
  options: { signal: AbortSignal },
) => Promise<
  { ok: true; answeredBy: string; hits: readonly WebHit[]; passed: readonly PassedSource[] } | Refusal
>
