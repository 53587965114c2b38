/** Whose computer an address means: this one, one in the own network, or one elsewhere. */
export type Place = 'here' | 'near' | 'far'

export type Address =
  | { kind: 'empty' }
  /** `scheme`: it does not begin like an address. `secrets`: it has a name or a password in it. */
  | { kind: 'wrong'; why: 'scheme' | 'secrets' | 'unreadable' }
  | { kind: 'known'; host: string; origin: string; place: Place; encrypted: boolean }

/** What a typed address means, without asking anybody. */
export function readAddress(typed: string): Address {
  const trimmed = typed.trim()
  if (trimmed === '') return { kind: 'empty' }
  if (!/^https?:\/\//iu.test(trimmed)) return { kind: 'wrong', why: 'scheme' }
  const url = URL.parse(trimmed)
  if (!url) return { kind: 'wrong', why: 'unreadable' }
  if (url.username !== '' || url.password !== '') return { kind: 'wrong', why: 'secrets' }
  const { host, hostname, origin, protocol } = url
  return { kind: 'known', host, origin, place: placeOf(hostname), encrypted: protocol === 'https:' }
}

/** The same names and addresses as the offline lock lets through. */
const HERE = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const NEAR =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)[\d.]+$|^\[f[cde]|\.(local|lan|internal|home\.arpa)$/

function placeOf(hostname: string): Place {
  if (HERE.test(hostname)) return 'here'
  // A name without a dot is known only in the own network.
  return NEAR.test(hostname) || !/[.:]/.test(hostname) ? 'near' : 'far'
}
