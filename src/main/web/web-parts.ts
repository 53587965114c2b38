import type { PassedSource, WebHit } from '../../shared/contract/connections/web.ts'
import type { Refusal } from '../lib/expected-errors.ts'

/** The names of the tools of the web, and of their toolset. */
export const WEB_SEARCH = 'web_search'
export const WEB_READ = 'web_read'
export const WEB_TOOLSET = 'web'

/**
 * Where an address leads. `private`: this computer or a network of the person, or an address that carries a key; asked only with a
 * card. `never`: a place that gives out keys of the machine, or a name with a password in it. `invalid`: no address of the web.
 * `why` goes on after “because”.
 */
export type AddressVerdict = { verdict: 'public' } | { verdict: 'private' | 'never' | 'invalid'; why: string }

/** What came from an address. `address` is the last one after redirects; `bytes` are decompressed and bounded. */
export type Fetched = {
  ok: true
  address: string
  status: number
  contentType: string
  bytes: Uint8Array
  /** Longer than what is kept. */
  cut: boolean
}

/**
 * Why nothing came. `status`: of an answer that is a refusal. `privateHost`: where it would have gone, if a card allows that; so written
 * it belongs into `mayPrivate`.
 */
export type NotFetched = Refusal & { status?: number; privateHost?: string }

/** Gets an address for a tool: judged where the connection is made, each redirect again; ledger and lock as everywhere. */
export type FetchAddress = (
  address: string,
  options: {
    signal: AbortSignal
    /** Hosts of a private network that the person allowed by a card, with their port as `new URL(address).host` writes it. */
    mayPrivate?: readonly string[]
    headers?: Readonly<Record<string, string>>
    /** The body of a POST, for sources that want one. */
    body?: string
    /** What the ledger says that it was for, such as a source; “a page” without it. */
    subject?: string
  },
) => Promise<Fetched | NotFetched>

/** What is read of a page. `hidden`: texts that nobody sees on it, which were taken out before. */
export type ReadPage = {
  ok: true
  title: string
  site?: string
  /** The day it was published, as YYYY-MM-DD. */
  date?: string
  /** Its own address, where it says one of the same site that is another than it came from. */
  canonical?: string
  markdown: string
  hidden: readonly string[]
  /** What is worth knowing, such as that the page is a consent wall or made by scripts, in sentences. */
  problems: readonly string[]
}

/** Makes Markdown of a page that was fetched, in a worker with limits. */
export type ReadFetched = (
  page: Fetched,
  options: { signal: AbortSignal; browser?: boolean },
) => Promise<ReadPage | Refusal>

/** Asks the sources in turn. */
export type SearchWeb = (
  words: string,
  options: { signal: AbortSignal },
) => Promise<
  { ok: true; answeredBy: string; hits: readonly WebHit[]; passed: readonly PassedSource[] } | Refusal
>
