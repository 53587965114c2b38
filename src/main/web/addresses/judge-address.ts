import { isIP } from 'node:net'
import type { AddressVerdict } from '../web-parts.ts'
import { keyInAddress } from './keys-in-addresses.ts'
import { judgeName, type NameVerdict } from './local-names.ts'
import { judgeIp } from './special-ranges.ts'

/** Maximum length of an address. Real ones are shorter; servers refuse them from 8,000 on. */
const LONGEST = 16_000

/** Ports of other services, from the fetch standard: a request there could be taken for a command. */
const OTHER_PORTS = new Set(
  (
    '0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137 139 143 161 ' +
    '179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 3306 3389 3659 4045 ' +
    '4190 5060 5061 5432 6000 6379 6566 6665 6666 6667 6668 6669 6679 6697 10080 11211 27017'
  ).split(' '),
)

/** A verdict before the name is looked up. Without a `url` there is nothing to request. */
export type Judged = { verdict: NameVerdict; url?: URL }

/** Judge an address by its text alone: the form, the name or number, the port, and keys in it. */
export function judgeLiteral(address: string): AddressVerdict {
  return withKey(judgePlace(address))
}

/**
 * Judge an address with the addresses that names resolve to. If any of these is private, so is the name; if
 * any gives out keys of a cloud, the verdict is never. A name without an entry is judged by itself.
 *
 * @internal for the eval: the product judges what it looks up, by `judgeLed`
 */
export function judgeResolved(
  address: string,
  resolves: Readonly<Record<string, readonly string[]>>,
): AddressVerdict {
  const judged = judgePlace(address)
  if (!judged.url) return judged.verdict
  const name = nameOf(judged.url.hostname)
  const led = Object.entries(resolves).find(([key]) => isSameName(key, name))?.[1]
  if (led === undefined || isNumber(judged.url.hostname)) return withKey(judged)
  return withKey({ ...judged, verdict: judgeLed(judged.verdict, led) })
}

/** Judge a name with all addresses that it resolves to. */
export function judgeLed(byName: NameVerdict, ips: readonly string[]): AddressVerdict {
  const own: AddressVerdict = byName.unless === undefined ? byName : { verdict: 'public' }
  const found = ips.map(ip => judgeIp(ip) ?? judgeNoIp(ip))
  if (found.length === 0) found.push({ verdict: 'invalid', why: 'its name leads to no address' })
  return worstOf([own, ...found])
}

/** Judge a resolved text that is not a usual address: a number in another spelling, or another name. */
function judgeNoIp(text: string): AddressVerdict {
  const { verdict, url } = judgePlace(`http://${text}/`)
  return verdict.verdict !== 'public' || (url && isNumber(url.hostname))
    ? verdict
    : { verdict: 'invalid', why: 'its name leads to nothing that is an address' }
}

/** Judge the form, the host and the port of an address, but not keys in its parameters. */
export function judgePlace(address: string): Judged {
  const text = address.trim()
  const url = text.length > LONGEST ? null : URL.parse(text)
  if (!url) return { verdict: { verdict: 'invalid', why: 'it is no address' } }
  if (!/^https?:$/.test(url.protocol))
    return {
      verdict: { verdict: 'invalid', why: 'only addresses that begin with https:// or http:// are asked' },
    }
  if (url.username !== '' || url.password !== '')
    return { verdict: { verdict: 'never', why: 'it holds a name or a password of somebody' } }
  const place = judgeHost(url, text)
  if (place.verdict !== 'public') return { verdict: place, url }
  const odd = oddSpelling(text)
  if (odd) return { verdict: odd }
  const port = judgePort(url)
  if (port.verdict !== 'public') return { verdict: port }
  return { verdict: place, url }
}

/** Judge the port. Called separately for an allowed private place, whose verdict ignores the port. */
export const judgePort = ({ port }: URL): AddressVerdict =>
  OTHER_PORTS.has(port)
    ? { verdict: 'invalid', why: `port ${port} is not one of the web` }
    : { verdict: 'public' }

/** Make an allowed address with a key private, so that it needs approval. */
function withKey({ verdict, url }: Judged): AddressVerdict {
  const { unless: _, ...plain } = verdict
  if (plain.verdict !== 'public' || !url) return plain
  const key = keyInAddress(url)
  return key === undefined
    ? plain
    : { verdict: 'private', why: `it carries what lets somebody in (${key}), which would be sent along` }
}

function judgeHost(url: URL, text: string): NameVerdict {
  const { hostname } = url
  if (!isNumber(hostname)) return judgeName(nameOf(hostname))
  const judged = judgeIp(hostname) ?? { verdict: 'invalid', why: 'it is no address' }
  if (judged.verdict !== 'public') return judged
  // Some programs read 010.8.8.8 as 8.8.8.8, others as 10.8.8.8.
  const other = hostOf(text).replaceAll(/(^|\.)0+(?=\d)/g, '$1')
  return judgeIp(other) ?? judged
}

/** Find a spelling that programs read in different ways. */
function oddSpelling(text: string): AddressVerdict | undefined {
  const [, slashes = '', authority = ''] = /^[a-z]+:([/\\]*)([^/?#]*)/i.exec(text) ?? []
  // oxlint-disable-next-line no-control-regex
  if (slashes !== '//' || /[\\\u0000-\u001f]/.test(authority) || /\s/.test(authority))
    return { verdict: 'invalid', why: 'programs read it in different ways' }
  if (authority.includes('@')) return { verdict: 'never', why: 'it has a place for a name or a password' }
  return undefined
}

/** The host as written, in plain letters and digits. */
const hostOf = (text: string): string =>
  (/^[a-z]+:[/\\]*([^/\\?#]*)/i.exec(text)?.[1] ?? '')
    .replace(/^.*@/, '')
    .normalize('NFKC')
    .replaceAll('。', '.')
    .replace(/:\d*$/, '')
    .replace(/\.$/, '')

const isNumber = (hostname: string): boolean => hostname.startsWith('[') || isIP(hostname) !== 0

const nameOf = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '')

function isSameName(key: string, name: string): boolean {
  const host = URL.parse(`http://${key.trim()}/`)?.hostname
  return nameOf(host ?? key) === name
}

const SEVERITY = ['public', 'invalid', 'private', 'never'] as const

const worstOf = (verdicts: readonly AddressVerdict[]): AddressVerdict =>
  verdicts.reduce((worst, each) =>
    SEVERITY.indexOf(each.verdict) > SEVERITY.indexOf(worst.verdict) ? each : worst,
  )
