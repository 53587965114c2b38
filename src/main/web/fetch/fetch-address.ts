import type { LookupFunction } from 'node:net'
import { isRefusal } from '../../lib/expected-errors.ts'
import { judgePlace, judgePort, type Judged } from '../addresses/judge-address.ts'
import type { FetchAddress, Fetched, NotFetched } from '../web-parts.ts'
import { explainAnswer, explainFailure, explainPlace } from './explain-fetch-failure.ts'
import { createJudgedLookup, lookUpBySystem, type LookUp } from './judged-lookup.ts'
import { firstRequest, nextRequest } from './page-requests.ts'
import { readBounded, startClock } from './request-bounds.ts'

type FetchLimits = { bytes: number; firstByteMs: number; wholeMs: number; redirects: number }

/** Default limits. `bytes` counts after decompression. */
const LIMITS: FetchLimits = { bytes: 5_000_000, firstByteMs: 15_000, wholeMs: 30_000, redirects: 5 }

/** The dependencies on the host. */
export type FetchParts = {
  /** The `fetchFor` of the host's network. */
  fetchFor(this: void, reason: { purpose: 'web'; subject: string }, lookup: LookupFunction): typeof fetch
  /** Whether a request uses a proxy, which then looks up the name, so that only the address is judged. */
  isProxied(this: void, url: URL): boolean
  /** Whether addresses that VPNs invent are allowed (a setting). */
  allowFakeDns(this: void): boolean
  /** The version of Talaria, sent to servers. */
  version: string
  lookUp?: LookUp
  limits?: Partial<FetchLimits>
}

type Options = Parameters<FetchAddress>[1]

const REDIRECTIONS = new Set([301, 302, 303, 307, 308])
/** Content types that cannot be read as a page, and are often large. */
const NO_PAGE = /^\s*(audio|video|font)\//i

/** Create the function that fetches web addresses for models. */
export function createFetchAddress(parts: FetchParts): FetchAddress {
  const limits = { ...LIMITS, ...parts.limits }
  return async (address, options) => {
    const clock = startClock(options.signal, limits)
    const start = judgePlace(address)
    let at: Step = { ...start, hop: 0, isHome: true }
    let request = firstRequest(options, parts.version)
    try {
      for (;;) {
        const { url } = at
        const refusal = refuseStep(at, options, parts.isProxied)
        if (refusal || !url) return refusal ?? { refused: 'This address cannot be asked.' }
        const answer = await ask(url, at, request)
        if (!REDIRECTIONS.has(answer.status)) return await read(url, answer)
        const to = locationOf(answer)
        await answer.body?.cancel()
        if (to === undefined) return explainAnswer(url.host, answer.status, null)
        if (at.hop === limits.redirects)
          return { refused: `${url.host} leads from one address to the next without end.` }
        // Whole addresses stay as sent, so that odd spellings in them are judged too.
        const next = judgePlace(/^\s*[a-z][\w+.-]*:/i.test(to) ? to : (URL.parse(to, url.href)?.href ?? to))
        const isElsewhere = next.url?.origin !== url.origin
        at = { ...next, hop: at.hop + 1, isHome: at.isHome && !isElsewhere }
        const following = nextRequest(request, answer.status, isElsewhere)
        if (isRefusal(following)) return following
        request = following
      }
    } catch (error) {
      return (
        clock.stopped() ?? explainFailure(error, at.url ?? new URL('https://nowhere.invalid/'), at.hop > 0)
      )
    } finally {
      clock.end()
    }

    async function ask(url: URL, { isHome }: Step, request: RequestInit): Promise<Response> {
      const lookup = createJudgedLookup(url, {
        mayPrivate: isHome && isAllowed(url, options),
        allowInvented: parts.allowFakeDns(),
        lookUp: parts.lookUp ?? lookUpBySystem,
      })
      const send = parts.fetchFor({ purpose: 'web', subject: options.subject ?? 'a page' }, lookup)
      clock.waitFor(url.host)
      const answer = await send(url.href, { ...request, redirect: 'manual', signal: clock.signal })
      clock.hasBegun()
      return answer
    }

    async function read(url: URL, answer: Response): Promise<Fetched | NotFetched> {
      const { status } = answer
      const contentType = answer.headers.get('content-type') ?? ''
      const isPage = status >= 200 && status < 300 && status !== 204 && status !== 205
      if (isPage && !NO_PAGE.test(contentType)) {
        const { bytes, cut } = await readBounded(answer.body, limits.bytes)
        return { ok: true, address: url.href, status, contentType, bytes, cut }
      }
      await answer.body?.cancel()
      return isPage
        ? { refused: `What ${url.host} sent is no page but sound, film or a font.`, status }
        : explainAnswer(url.host, status, answer.headers.get('retry-after'))
    }
  }
}

/** The state of a request. `isHome`: it never left the host that was requested first. */
type Step = Judged & { hop: number; isHome: boolean }

/** Refuse a place by its address. A host that the user allowed may redirect to itself. */
function refuseStep(
  { verdict, url, hop, isHome }: Step,
  options: Options,
  isProxied: FetchParts['isProxied'],
): NotFetched | undefined {
  if (verdict.verdict === 'public') return undefined
  if (verdict.verdict === 'private' && url) {
    const port = judgePort(url)
    if (port.verdict !== 'public') return explainPlace(port, url, hop > 0)
    if (isHome && isAllowed(url, options)) return undefined
    // The addresses of the name say more, and are judged at the lookup.
    if (verdict.unless !== undefined && !isProxied(url)) return undefined
  }
  return explainPlace(verdict, url, hop > 0)
}

const isAllowed = (url: URL, { mayPrivate = [] }: Options): boolean => mayPrivate.includes(url.host)

/** The target of a redirect. Servers send it in UTF-8, but it is read as one byte per letter. */
function locationOf(answer: Response): string | undefined {
  const location = answer.headers.get('location')
  if (location === null || location === '') return undefined
  const read = Buffer.from(location, 'latin1').toString()
  return read.includes('\ufffd') ? location : read
}
