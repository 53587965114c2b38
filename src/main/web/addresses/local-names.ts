import type { AddressVerdict } from '../web-parts.ts'
import { writeVersion4 } from './ip-numbers.ts'
import { AT_METADATA, judgeIp } from './special-ranges.ts'

/** A verdict on a name alone. `unless`: the addresses that it resolves to, if known, say more. */
export type NameVerdict = AddressVerdict & { unless?: 'looked up' }

const METADATA_NAMES = new Set(
  (
    'metadata metadata-host metadata.goog metadata.tencentyun.com metadata.platformequinix.com metadata.packet.net metadata.exoscale.com ' +
    'metadata.oraclecloud.com metadata.cloud.ibm.com api.metadata.cloud.ibm.com rancher-metadata instance-data'
  ).split(' '),
)
const METADATA_FORM = /^(?:metadata|instance-data)\.(?:[\w.-]+\.)?(?:internal|local)$/

/** Last parts of names that exist only in one network, or that mean this computer. */
const LOCAL_ENDS = (
  'localhost localdomain local internal intranet intra lan home corp private priv domain workgroup localnet loopback ' +
  'home.arpa ipv4only.arpa svc default consul docker pod kube ip router gateway modem nas server ' +
  'fritz.box fritz.nas easy.box myfritz.box routerlogin.net routerlogin.com tplinkwifi.net tplinklogin.net ' +
  'router.asus.com asusrouter.com miwifi.com tendawifi.com pi.hole amplifi.lan orbilogin.com mywifiext.net'
).split(' ')

/** Names on the internet that lead to this computer, made for developers. */
const LEADING_HOME = (
  'localtest.me lvh.me lacolhost.com vcap.me fuf.me local.gd localho.st lndo.site ddev.site smackaho.st ulh.us ' +
  'localdev.me localhost.direct localhost.domaincontrol.com localhost.sec.qq.com mail.ebc.apple.com ' +
  'spoofed.burpcollaborator.net bugbounty.dod.network'
).split(' ')

/** Names that lead to the address written in them. */
const ADDRESS_IN_NAME = (
  'nip.io sslip.io xip.io xip.name ip6.name traefik.me backname.io plex.direct local-ip.co local-ip.sh ' +
  'local-ip.medicmobile.org'
).split(' ')

/** Names that lead to changing addresses, to get past checks such as this one. */
const SWITCHING = 'rbndr.us 1u.ms rebind.network rebind.it'.split(' ')

/** Names reserved for tests and examples, which are not on the internet, and those of other networks. */
const NO_INTERNET = new Map([
  ['invalid', 'such a name never leads anywhere'],
  ['onion', 'names of Tor are not reached from here'],
  ['i2p', 'names of I2P are not reached from here'],
  ['alt', 'such a name is not on the internet'],
])

/** Judge a name in lower case without its last dot. */
export function judgeName(name: string): NameVerdict {
  if (METADATA_NAMES.has(name) || METADATA_FORM.test(name)) return { verdict: 'never', why: AT_METADATA }
  const odd = malformed(name)
  const isOf = (ends: readonly string[]) => ends.some(end => name === end || name.endsWith(`.${end}`))
  if (!name.includes('.') || isOf(LOCAL_ENDS))
    return {
      verdict: 'private',
      why: 'such a name is known only in a private network, or means this computer',
    }
  if (odd) return odd
  if (isOf(LEADING_HOME)) return { verdict: 'private', why: 'the name leads to this computer' }
  if (isOf(ADDRESS_IN_NAME) || isOf(SWITCHING)) return judgeWritten(name, isOf(SWITCHING))
  const last = name.slice(name.lastIndexOf('.') + 1)
  const why = NO_INTERNET.get(last)
  if (why !== undefined) return { verdict: 'invalid', why, unless: 'looked up' }
  if (last === 'test' || name.endsWith('.ts.net'))
    return { verdict: 'private', why: 'such names are used in private networks', unless: 'looked up' }
  return { verdict: 'public' }
}

/** Judge a name by the worst address written in it. */
function judgeWritten(name: string, isSwitching: boolean): NameVerdict {
  const found = writtenAddresses(name).flatMap(each => judgeIp(each) ?? [])
  const worst =
    found.find(({ verdict }) => verdict === 'never') ?? found.find(({ verdict }) => verdict === 'private')
  if (worst && worst.verdict !== 'public') return { ...worst, why: `the name holds an address: ${worst.why}` }
  if (isSwitching) return { verdict: 'private', why: 'such a name leads now to one place and now to another' }
  const isItsSite = ADDRESS_IN_NAME.some(each => name === each || name === `www.${each}`)
  return found.length > 0 || isItsSite
    ? { verdict: 'public' }
    : { verdict: 'private', why: 'names like this lead to an address that is written in them' }
}

function writtenAddresses(name: string): string[] {
  const four = [...name.matchAll(/(?<!\d)(\d{1,3})[.-](?=(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?!\d))/g)]
  const hex = [...name.matchAll(/(?<![\da-z])(?:0x)?([\da-f]{8})(?![\da-z])/g)]
  const whole = [...name.matchAll(/(?<![\da-z])(\d{8,10})(?![\da-z])/g)]
  // IPv6 addresses have dashes in place of colons.
  const six = name.split('.').map(label => label.replaceAll('-', ':'))
  return [
    ...four.map(([, a, b, c, d]) => [a, b, c, d].map(Number).join('.')),
    ...hex.map(([, digits = '']) => writeVersion4(Number.parseInt(digits, 16))),
    ...whole.flatMap(([, digits]) => (Number(digits) < 2 ** 32 ? [writeVersion4(Number(digits))] : [])),
    ...six,
    // A longer name may come before the address: `app--1`.
    ...six.map(label => /:(:.*)$/.exec(label)?.[1] ?? ''),
  ]
}

function malformed(name: string): AddressVerdict | undefined {
  const labels = name.split('.')
  if (name.length > 253 || labels.some(label => label === '' || label.length > 63))
    return { verdict: 'invalid', why: 'its name has parts that are too long, or none at all' }
  if (/[^\w.-]/.test(name)) return { verdict: 'invalid', why: 'its name has signs that no name has' }
  return undefined
}
