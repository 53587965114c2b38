import { isIP } from 'node:net'

/** An IP address as a number. */
export type IpNumber = { version: 4; value: number } | { version: 6; value: bigint }

/** Read an address such as `10.0.0.1` or `fe80::1%eth0`, without its zone; undefined if it is not one. */
export function readIp(text: string): IpNumber | undefined {
  const bare = text
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
  switch (isIP(bare)) {
    case 4:
      return { version: 4, value: bare.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) }
    case 6:
      return { version: 6, value: readVersion6(bare) }
    default:
      return undefined
  }
}

/** Write an IPv4 address in its usual form. */
export const writeVersion4 = (value: number): string =>
  [24, 16, 8, 0].map(shift => Math.floor(value / 2 ** shift) % 256).join('.')

function readVersion6(text: string): bigint {
  // The last two groups may be written like an IPv4 address.
  const [, before, last] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? []
  const tail = last === undefined ? undefined : readIp(last)
  const whole =
    tail?.version === 4
      ? `${before}${Math.floor(tail.value / 65_536).toString(16)}:${(tail.value % 65_536).toString(16)}`
      : text
  const [head = '', rest] = whole.split('::')
  const left = groupsOf(head)
  const right = groupsOf(rest ?? '')
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}

const groupsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))
