import { BlockList, isIP } from 'node:net'
import { hostname as ownName } from 'node:os'
import { isThisComputer } from '../lib/network/offline.ts'

/** Entries beyond this are not read; no list that a person keeps is so long. */
const MOST_ENTRIES = 2_000

/**
 * Whether an address is reached without a proxy: this computer always, and what a list such as NO_PROXY names. It holds names
 * with all below them (`example.com`, `.example.com`, `*.example.com`), addresses, ranges (`10.0.0.0/8`), beginnings
 * (`192.168.*`), `<local>` for names without a dot, each with or without a port, and `*` for everything.
 */
export function isWithoutProxy(url: URL, lists: readonly string[]): boolean {
  const host = bareHost(url.hostname)
  if (isOwnHost(url.hostname, host)) return true
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const entries = lists.flatMap(list => list.split(/[\s,;|]+/)).slice(0, MOST_ENTRIES)
  return entries.some(entry => isNamed(entry.toLowerCase(), host, port))
}

/** More than what the offline lock takes for this computer: here a mistake costs a failed request and no secret. */
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

/** `host:port`, `[::1]:port`, and an address of version 6 without brackets, whose colons are no port. */
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

/** A host without brackets and last dot, in the letters that DNS knows. */
function bareHost(name: string): string {
  const bare = name
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  return isIP(bare) === 0 ? (URL.parse(`http://${bare}`)?.hostname ?? bare) : bare
}
