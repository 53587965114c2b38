import type { Refusal } from '../expected-errors.ts'

/** A proxy for requests. `shown`: host and port, which are safe to print; the address may hold a password. */
export type ProxyAddress = { url: URL; shown: string }

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** Read a proxy address from a variable or setting, with or without `http://`. */
export function readProxyAddress(text: string): ProxyAddress | Refusal {
  const bare = text.trim().replace(/^(["'])(.*)\1$/, '$2')
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(bare)?.[1]?.toLowerCase()
  if (scheme?.startsWith('socks'))
    return { refused: `SOCKS proxies (${scheme}://) are not supported. Use the http:// address of the proxy` }
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    return {
      refused: `a proxy has an address with http:// or https://, and this one begins with ${scheme}://`,
    }
  const url = /[\s\p{C}]/u.test(bare) ? null : URL.parse(scheme === undefined ? `http://${bare}` : bare)
  // A typing mistake such as `ht!tp://` would be read as the name of a computer.
  if (url && HOST.test(url.hostname)) return { url, shown: url.host }
  // Do not repeat the address: it may contain a password.
  const hint = bare.includes('@')
    ? ' Signs such as # / ? @ in its password are written as %23 %2F %3F %40'
    : ''
  return { refused: `it is no address such as http://proxy.example:3128.${hint}`.replace(/\.$/, '') }
}

/** Return the header with a proxy's user name and password; undefined if its address has none. */
export function proxyCredentials({ url }: ProxyAddress): string | undefined {
  if (url.username === '' && url.password === '') return undefined
  const pair = `${decoded(url.username)}:${decoded(url.password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** Decode percent escapes. A `%` that starts no escape stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** A proxy that could not be used, so the target was not reached. The message names it; `fix`: the remedy. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly fix: string
  constructor(message: string, fix: string, options?: ErrorOptions) {
    super(message, options)
    this.fix = fix
  }
}
