import type { AddressVerdict } from '../web-parts.ts'
import { readIp, writeVersion4, type IpNumber } from './ip-numbers.ts'

/** Addresses at which clouds give out keys and names of the requesting machine. */
const METADATA = [
  // Most clouds; for Amazon also those of containers.
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  'fd00:ec2::254',
  'fd00:ec2::23',
  // Alibaba, Azure, Oracle, Tencent, Scaleway, Rancher.
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '169.254.0.23',
  '169.254.10.10',
  '169.254.42.42',
  'fd00:42::42',
  '169.254.169.250',
  // Google, Linode.
  'fd20:ce::254',
  'fd00:a9fe:a9fe::1',
]

/** The last 32 bits of such an address in private IPv6 networks of other clouds: 169.254.169.254. */
const METADATA_END = 0xa9fea9fen

/** IPv4 ranges that are not the public internet, from the registry of IANA. */
const RANGES_4: readonly [range: string, what: string][] = [
  ['0.0.0.0/8', 'this computer'],
  ['10.0.0.0/8', 'a private network'],
  ['100.64.0.0/10', 'the network of a provider or a VPN'],
  ['127.0.0.0/8', 'this computer'],
  ['169.254.0.0/16', 'the local link of this computer'],
  ['172.16.0.0/12', 'a private network'],
  ['192.0.0.0/24', 'a range for special use'],
  ['192.0.2.0/24', 'a range for examples'],
  ['192.31.196.0/24', 'a range for special use'],
  ['192.52.193.0/24', 'a range for special use'],
  ['192.88.99.0/24', 'a range for special use'],
  ['192.168.0.0/16', 'a private network'],
  ['192.175.48.0/24', 'a range for special use'],
  ['198.18.0.0/15', 'a range for tests, which some VPNs use'],
  ['198.51.100.0/24', 'a range for examples'],
  ['203.0.113.0/24', 'a range for examples'],
  ['224.0.0.0/4', 'many computers at once'],
  ['240.0.0.0/4', 'a range that nobody has'],
]

/** Special ranges within the public IPv6 range. Everything outside that range is not public anyway. */
const RANGES_6: readonly [range: string, what: string][] = [
  ['::/128', 'this computer'],
  ['::1/128', 'this computer'],
  ['fc00::/7', 'a private network'],
  ['fe80::/10', 'the local link of this computer'],
  ['fec0::/10', 'a private network'],
  ['ff00::/8', 'many computers at once'],
  ['2001::/23', 'a range for special use'],
  ['2001:db8::/32', 'a range for examples'],
  ['2002::/16', 'a tunnel of old'],
  ['2620:4f:8000::/48', 'a range for special use'],
  ['3ffe::/16', 'a range that nobody has'],
  ['3fff::/20', 'a range for examples'],
]

/**
 * The positions of IPv4 addresses inside IPv6 addresses. `through`: connections go to that IPv4 address, so
 * only that address counts. Without `through`, it can only make the verdict worse.
 */
const HOLDERS: readonly { range: string; at: (value: bigint) => bigint; through?: true }[] = [
  { range: '::ffff:0:0/96', at: value => value, through: true },
  { range: '64:ff9b::/96', at: value => value, through: true },
  { range: '::/96', at: value => value },
  { range: '::ffff:0:0:0/96', at: value => value },
  { range: '64:ff9b:1::/48', at: value => value },
  // The form of RFC 6052 for 48 bits, in which the address skips bits 64 to 71.
  { range: '64:ff9b:1::/48', at: value => ((value >> 64n) << 16n) | ((value >> 40n) & 0xffffn) },
  { range: '2002::/16', at: value => value >> 80n },
  // Teredo: its server, and its client with inverted bits.
  { range: '2001::/32', at: value => value >> 64n },
  { range: '2001::/32', at: value => ~value },
]

/** The reason why an address that gives out keys of a cloud is never requested. */
export const AT_METADATA = 'it is where clouds give out the keys of a computer'

/** Judge an IP address; undefined if the text is not one. */
export function judgeIp(text: string): AddressVerdict | undefined {
  const ip = readIp(text)
  return ip && judgeNumber(ip)
}

/** Whether an address is one that VPNs with fake DNS return for every name. */
export function isInvented(text: string): boolean {
  const ip = readIp(text)
  return ip?.version === 4 && isIn(ip, parsed('198.18.0.0/15'))
}

function judgeNumber(ip: IpNumber): AddressVerdict {
  if (METADATA_NUMBERS.has(ip.value)) return { verdict: 'never', why: AT_METADATA }
  if (ip.version === 4) return special(ip, KNOWN_4) ?? { verdict: 'public' }
  const held = KNOWN_HOLDERS.filter(({ range }) => isIn(ip, range)).map(({ at, through }) => {
    const value = Number(BigInt.asUintN(32, at(ip.value)))
    return { through, value, judged: judgeNumber({ version: 4, value }) }
  })
  const worst = held.find(({ judged }) => judged.verdict === 'never') ?? held.find(({ through }) => through)
  if (worst?.judged.verdict === 'never' || worst?.through) {
    const { judged, value } = worst
    return judged.verdict === 'public'
      ? judged
      : { ...judged, why: `it stands for ${writeVersion4(value)}: ${judged.why}` }
  }
  if (BigInt.asUintN(32, ip.value) === METADATA_END && PRIVATE_6.some(range => isIn(ip, range)))
    return { verdict: 'never', why: AT_METADATA }
  const found = special(ip, KNOWN_6)
  if (found) return found
  // All public IPv6 addresses begin with the bits 001.
  if (ip.value >> 125n !== 1n) return { verdict: 'private', why: 'it is in a range that nobody has' }
  return judgeIsatap(ip.value) ?? { verdict: 'public' }
}

/** Judge an ISATAP address by its second half, which names the IPv4 address that packets go to. */
function judgeIsatap(value: bigint): AddressVerdict | undefined {
  const marker = (value >> 32n) & 0xffffffffn
  if (marker !== 0x5efen && marker !== 0x2005efen) return undefined
  const judged = judgeNumber({ version: 4, value: Number(BigInt.asUintN(32, value)) })
  return judged.verdict === 'public' ? undefined : judged
}

function special(ip: IpNumber, known: readonly Known[]): AddressVerdict | undefined {
  const found = known.find(({ range }) => isIn(ip, range))
  return found && { verdict: 'private', why: `it leads to ${found.what} (${found.written})` }
}

type Range = { base: bigint; shift: bigint; version: 4 | 6 }
type Known = { range: Range; written: string; what: string }

const isIn = (ip: IpNumber, { base, shift, version }: Range): boolean =>
  ip.version === version && BigInt(ip.value) >> shift === base

function parsed(written: string): Range {
  const [text = '', bits = ''] = written.split('/')
  const ip = readIp(text)
  if (!ip) throw new Error(`${written} is no range.`)
  const shift = BigInt((ip.version === 4 ? 32 : 128) - Number(bits))
  return { base: BigInt(ip.value) >> shift, shift, version: ip.version }
}

const known = ([written, what]: readonly [string, string]): Known => ({
  range: parsed(written),
  written,
  what,
})
const KNOWN_4 = RANGES_4.map(known)
const KNOWN_6 = RANGES_6.map(known)
const PRIVATE_6 = ['fc00::/7', 'fe80::/10'].map(parsed)
const KNOWN_HOLDERS = HOLDERS.map(holder => ({ ...holder, range: parsed(holder.range) }))
// IPv6 numbers have another type, so the two kinds cannot be confused.
const METADATA_NUMBERS = new Set(METADATA.map(text => readIp(text)?.value))
