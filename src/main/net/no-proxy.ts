import { BlockList, isIP } from 'node:net'
import { hostname as ownName } from 'node:os'
import { isThisComputer } from '../lib/network/offline.ts'

/** Maximum number of entries to read; real lists are shorter. */
const MOST_ENTRIES = 2_000

/**
 * Whether an address is reached without a proxy: this computer always, and addresses in a list such as
 * NO_PROXY. Entries are names including all subdomains (`example.com`, `.example.com`, `*.example.com`),
 * addresses, ranges (`10.0.0.0/8`), prefixes (`192.168.*`), `<local>` for names without a dot, each with an
 * optional port, or `*` for everything.
 */
export function isWithoutProxy(url: URL, lists: readonly string[]): boolean {
  const host = bareHost(url.hostname)
  if (isOwnHost(url.hostname, host)) return true
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const entries = lists.flatMap(list => list.split(/[\s,;|]+/)).slice(0, MOST_ENTRIES)
  return entries.some(entry => isNamed(entry.toLowerCase(), host, port))
}

/** Wider than what the offline lock takes for this computer: a mistake here only fails a request. */
const isOwnHost = (shown: string, host: string): boolean =>
  isThisComputer(shown) ||
  isThisComputer(host) ||
  host.endsWith('.localhost') ||
  host === '0.0.0.0' ||
  host === '::' ||
  host === ownName().toLowerCase()

function isNamed(entry: string, host: string, port: string): boolean {
  if (entry === '') return false
  if (entry === '*') return true
  const { name, onlyPort } = partsOf(entry.replace(/^[a-z]+:\/\//, '').replace(/\/$/, ''))
  if (onlyPort !== undefined && onlyPort !== port) return false
  if (name === '*') return true
  if (name === '<local>') return !host.includes('.') && isIP(host) === 0
  if (name.includes('/')) return isInRange(host, name)
  if (isIP(name) !== 0) return isIP(host) !== 0 && isInRange(host, `${name}/${isIP(name) === 4 ? 32 : 128}`)
  if (name.endsWith('*')) return host.startsWith(name.slice(0, -1))
  const domain = bareHost(name.replace(/^\*?\./, ''))
  return domain !== '' && isIP(host) === 0 && (host === domain || host.endsWith(`.${domain}`))
}

/** Split `host:port` or `[::1]:port`. In an IPv6 address without brackets, the colons do not mean a port. */
function partsOf(entry: string): { name: string; onlyPort: string | undefined } {
  const [, bracketed, after] = /^\[([0-9a-f:.]+)\](?::(\d{1,5}))?$/.exec(entry) ?? []
  if (bracketed !== undefined) return { name: bracketed, onlyPort: after }
  const [, name, port] = /^([^:]*):(\d{1,5})$/.exec(entry) ?? []
  return name === undefined ? { name: entry, onlyPort: undefined } : { name, onlyPort: port }
}

function isInRange(host: string, range: string): boolean {
  const [net = '', bits = ''] = range.split('/')
  const family = isIP(net)
  if (family === 0 || isIP(host) === 0 || !/^\d{1,3}$/.test(bits)) return false
  if (Number(bits) > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  list.addSubnet(net, Number(bits), family === 4 ? 'ipv4' : 'ipv6')
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6')
}

/** A host name without brackets and final dot, in the form that DNS uses. */
function bareHost(name: string): string {
  const bare = name
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  return isIP(bare) === 0 ? (URL.parse(`http://${bare}`)?.hostname ?? bare) : bare
}
