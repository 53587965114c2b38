import type { Refusal } from '../expected-errors.ts'

/** A proxy for requests. `shown` is its host with its port, which is safe to print: an address may hold a password. */
export type ProxyAddress = { url: URL; shown: string }

const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** Read the address of a proxy as variables and settings hold it, with or without `http://`. */
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
  // A slip such as `ht!tp://` would be read as the name of a computer.
  if (url && HOST.test(url.hostname)) return { url, shown: url.host }
  // The address is not repeated: it may hold a password.
  const hint = bare.includes('@')
    ? ' Signs such as # / ? @ in its password are written as %23 %2F %3F %40'
    : ''
  return { refused: `it is no address such as http://proxy.example:3128.${hint}`.replace(/\.$/, '') }
}

/** The header that a proxy wants for the name and the password in its address; undefined without them. */
export function proxyCredentials({ url }: ProxyAddress): string | undefined {
  if (url.username === '' && url.password === '') return undefined
  const pair = `${decoded(url.username)}:${decoded(url.password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** A `%` that begins no code stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

/** A proxy that could not be used; the message names it, and `fix` says what to do. Nothing came from the host itself. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly fix: string
  constructor(message: string, fix: string, options?: ErrorOptions) {
    super(message, options)
    this.fix = fix
  }
}
