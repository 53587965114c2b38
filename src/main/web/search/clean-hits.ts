import { hiddenSpans } from '../../../shared/visible-text/hidden-characters.ts'
import type { WebHit } from '../../../shared/contract/connections/web.ts'
import type { RawHit } from './search-source.ts'

/** Maximum lengths of the parts of a result for a model, in characters. */
const LIMITS = { title: 200, snippet: 500, date: 60, address: 2_000 }
/** Maximum number of results of one search. */
const MOST_HITS = 10

/** Tracking parameters, which change nothing on a page. */
const TRACKING =
  /^(?:utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|mc_[ce]id|igshid|igsh|yclid|twclid|ttclid|li_fat_id|_hsenc|_hsmi|hsctatracking|mkt_tok|vero_id|oly_\w+_id|srsltid|ref_src|s_cid|rut|wickedid|__s|ns_\w+)$/i

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  middot: '·',
}

/** Clean the results for display: bounded, each page once, and without dead links. */
export function cleanHits(raw: readonly RawHit[]): WebHit[] {
  const found = new Map<string, WebHit>()
  for (const { title, address, snippet, date } of raw) {
    const page = typeof address === 'string' ? cleanAddress(address) : undefined
    if (page === undefined) continue
    const name = samePage(page)
    const said = cleanText(snippet, LIMITS.snippet)
    const before = found.get(name)
    if (before) {
      if (before.snippet === '') before.snippet = said
      continue
    }
    const day = cleanDate(date)
    found.set(name, {
      title: cleanText(title, LIMITS.title) || new URL(page).host,
      address: page,
      snippet: said,
      ...(day !== '' && { date: day }),
    })
    if (found.size === MOST_HITS) break
  }
  return [...found.values()]
}

/**
 * Clean an address: follow redirects written in it, and remove tracking; undefined if it is not a web page.
 * @internal its cases are tested alone
 */
export function cleanAddress(given: string): string | undefined {
  const url = unwrapAddress(given.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  for (const name of new Set(url.searchParams.keys())) if (TRACKING.test(name)) url.searchParams.delete(name)
  const address = url.href
  return address.length > LIMITS.address ? undefined : address
}

/** The target of a search engine's redirect, at most three levels deep. */
function unwrapAddress(given: string, depth = 0): URL | null {
  const url = URL.parse(given, 'https://duckduckgo.com')
  if (!url || depth === 3) return url
  const inner = wrappedIn(url)
  return inner === undefined ? url : unwrapAddress(inner, depth + 1)
}

function wrappedIn({ hostname, pathname, searchParams }: URL): string | undefined {
  const host = hostname.replace(/^(?:www|html|lite)\./, '')
  if (host === 'duckduckgo.com' && pathname === '/l/') return searchParams.get('uddg') ?? undefined
  if (/^google\.[a-z.]{2,6}$/.test(host) && pathname === '/url')
    return searchParams.get('q') ?? searchParams.get('url') ?? undefined
  if (host === 'bing.com' && pathname === '/ck/a') {
    const coded = /^a1([\w-]+)$/.exec(searchParams.get('u') ?? '')?.[1]
    return coded === undefined ? undefined : Buffer.from(coded, 'base64url').toString('utf8')
  }
  return undefined
}

/** A key that is the same for two addresses of one page. */
function samePage(address: string): string {
  const { hostname, port, pathname, searchParams } = new URL(address)
  searchParams.sort()
  return `${hostname.replace(/^www\./, '')}:${port}${pathname.replace(/\/$/, '')}?${searchParams.toString()}`
}

/**
 * Put a source's text on one line, without markup and invisible characters, with at most `most` characters.
 * @internal its cases are tested alone
 */
export function cleanText(given: unknown, most: number): string {
  if (typeof given !== 'string') return ''
  const plain = decodeEntities(
    given
      .slice(0, 20_000)
      .replaceAll(/<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi, ' ')
      .replaceAll(/<\/?[a-z!][^<>]{0,2000}>/gi, ''),
  )
  const line = withoutHidden(plain).replaceAll(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

const decodeEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,10}));/gi, (whole, ten, sixteen, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole
    const code = ten === undefined ? Number.parseInt(sixteen, 16) : Number(ten)
    return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
      ? String.fromCodePoint(code)
      : ' '
  })

function withoutHidden(text: string): string {
  let rest = ''
  let at = 0
  for (const { from, to } of hiddenSpans(text)) {
    rest += text.slice(at, from)
    at = to
  }
  return rest + text.slice(at)
}

/** The date as the source gives it; for a time, only the day. */
function cleanDate(given: unknown): string {
  const line = cleanText(given, LIMITS.date)
  return /^\d{4}-\d\d-\d\d(?=[T ])/.exec(line)?.[0] ?? line
}
