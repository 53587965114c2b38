/** Where an address points: this computer, the local network, or the internet. */
type Place = 'here' | 'near' | 'far'

export type Address =
  | { kind: 'empty' }
  /** `scheme`: not http or https. `secrets`: contains a user name or password. */
  | { kind: 'wrong'; why: 'scheme' | 'secrets' | 'unreadable' }
  | { kind: 'known'; host: string; origin: string; place: Place; encrypted: boolean }

/** Parses a typed address without any network request. */
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

/** Must match the names and addresses that the offline lock allows. */
const HERE = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const NEAR =
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.)[\d.]+$|^\[f[cde]|\.(local|lan|internal|home\.arpa)$/

function placeOf(hostname: string): Place {
  if (HERE.test(hostname)) return 'here'
  // A host name without a dot resolves only in the local network.
  return NEAR.test(hostname) || !/[.:]/.test(hostname) ? 'near' : 'far'
}
