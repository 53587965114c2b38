import { many } from '../../../shared/text/amounts.ts'
import { causesOf } from '../../lib/expected-errors.ts'
import { OfflineError, unlock } from '../../lib/network/offline.ts'
import { ProxyError } from '../../lib/network/proxy-address.ts'
import type { NotFetched } from '../web-parts.ts'
import { JudgedError } from './judged-lookup.ts'

const STATUSES: Readonly<Record<number, (host: string) => string>> = {
  401: host => `${host} wants a login`,
  402: host => `${host} wants to be paid`,
  403: host => `${host} does not let programs read this, or not without a login`,
  404: host => `${host} has no page at this address`,
  407: () => 'The proxy wants a login',
  408: host => `${host} gave up waiting`,
  410: host => `${host} has taken this page away`,
  429: host => `${host} has been asked too often`,
  451: host => `${host} may not show this page here`,
  999: host => `${host} does not let programs read this`,
}

/** Explain an answer that contains no page. */
export function explainAnswer(host: string, status: number, retryAfter: string | null): NotFetched {
  const known = STATUSES[status]?.(host)
  const seconds = Number(retryAfter ?? Number.NaN)
  const wait =
    (status === 429 || status === 503) && seconds > 0 && seconds <= 86_400
      ? ` Ask again in ${seconds < 120 ? many(Math.ceil(seconds), 'second') : `${Math.ceil(seconds / 60)} minutes`}.`
      : ''
  const text =
    known ??
    (status >= 500
      ? `${host} is in trouble and gave no page`
      : status < 300
        ? `${host} answered with nothing`
        : status < 400
          ? `${host} leads on without saying where`
          : `${host} refused to give the page`)
  return { refused: `${text} (${status >= 400 ? 'error' : 'status'} ${status}).${wait}`, status }
}

const CODES: readonly [signs: RegExp, text: (host: string) => string][] = [
  [/^ENOTFOUND$/, host => `There is no site named ${host}, or this computer has no network.`],
  [
    /^EAI_/,
    host =>
      `The name ${host} could not be looked up: this computer has no network, or its name server does not answer.`,
  ],
  [/^ECONNREFUSED$/, host => `Nothing answers at ${host}.`],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN)$/, host => `${host} cannot be reached from here.`],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, host => `${host} did not answer in time.`],
  [/^CERT_HAS_EXPIRED$/, host => `The certificate of ${host} has run out, so it is not known who answers.`],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, host => `Who answers at ${host} shows the certificate of another site.`],
  [
    /^(SELF_SIGNED_CERT\w*|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_\w+)$/,
    host => `The certificate of ${host} is not one that this computer trusts.`,
  ],
  [
    /^(ERR_SSL_\w+|EPROTO)$/,
    host => `${host} does not speak https at this port, or not in a way that is safe today.`,
  ],
  [
    /^UND_ERR_HEADERS_OVERFLOW$|^HPE_/,
    host => `What answers at ${host} is no web server, or sends more than one may.`,
  ],
  [
    /^Z_|^ERR__?ERROR_FORMAT|^ERR_BROTLI|^ERR_(?:BUFFER_)?ZSTD|^ERR_PADDING|^ERR__ERROR/,
    host => `What ${host} sent is packed and cannot be unpacked.`,
  ],
  [
    /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_RES_\w+)$/,
    host => `The connection to ${host} broke off.`,
  ],
]

/** Explain an error of a request in plain words. */
export function explainFailure(error: unknown, url: URL, isRedirected: boolean): NotFetched {
  const causes = causesOf(error)
  for (const each of causes) {
    if (each instanceof JudgedError) return explainJudged(each, url, isRedirected)
    if (each instanceof OfflineError) return { refused: `${each.message} ${unlock}` }
    if (each instanceof ProxyError) return { refused: `${each.message} ${each.fix}` }
  }
  const codes = causes.flatMap(each => (typeof each.code === 'string' ? [each.code] : []))
  const known = CODES.find(([signs]) => codes.some(code => signs.test(code)))
  if (known) return { refused: known[1](url.host) }
  if (causes.some(each => each.message === 'bad port'))
    return { refused: `Port ${url.port} is not one of the web, so nothing was sent to ${url.host}.` }
  if (causes.some(each => /content-encoding/i.test(each.message)))
    return { refused: `What ${url.host} sent is packed many times over, and was not unpacked.` }
  return { refused: `The connection to ${url.host} broke off (${codes[0] ?? 'no reason given'}).` }
}

/** Explain why a place is not requested. A private host is named, because the user may allow it. */
export function explainPlace(
  { verdict, why }: { verdict: 'private' | 'never' | 'invalid'; why: string },
  url: URL | undefined,
  isRedirected: boolean,
): NotFetched {
  const host = url?.host
  const led = isRedirected ? 'The page leads on to another address' : 'This address'
  if (verdict === 'invalid' || host === undefined)
    return { refused: `${led}${isRedirected ? ', which' : ''} cannot be asked: ${why}.` }
  if (verdict === 'never') return { refused: `Nothing was asked of ${host}, and never is: ${why}.` }
  return isRedirected
    ? { refused: `The page leads on to ${host}, which was not asked: ${why}. No page may lead there.` }
    : { refused: `Nothing was asked of ${host}: ${why}. Only the person can allow that.`, privateHost: host }
}

function explainJudged({ verdict, isInvented }: JudgedError, url: URL, isRedirected: boolean): NotFetched {
  if (verdict.verdict === 'public') return { refused: `There is no site named ${url.host}.` }
  if (!isInvented) return explainPlace(verdict, url, isRedirected)
  return {
    refused:
      `Nothing was asked of ${url.host}: its name leads to ${verdict.why.replace(/^it is in /, '')}. A VPN or proxy on this computer ` +
      'probably invents such answers for every name. If that is so, the person can set network.allow_fake_dns.',
  }
}
