import { Fault } from '../../shared/rpc.ts'

/** Why a page is not let in, for the user: Talaria runs again, but this page needs a new address. */
export const NOT_KNOWN =
  'Talaria runs again, but does not know this page any more. Open the address that it prints, or one of: talaria address. What you typed here is kept.'

const LONGEST_MS = 10_000

type Page = { origin: string; port: string; fetch: (url: string, init: RequestInit) => Promise<Response> }

/**
 * Ask whether the host knows the token of this page, before the token is shown to it: another program may have taken the port. Throws a
 * `disconnected` Fault when nothing answers, or when what answers does not know the token.
 */
export async function checkHost(
  token: string,
  { origin, port, fetch }: Page = { ...pick(location), fetch: window.fetch.bind(window) },
): Promise<void> {
  // The server for development passes requests on from a port of its own.
  if (import.meta.env.DEV) return
  await proveHost(token, { origin, port, fetch })
}

const pick = ({ origin, port }: Location) => ({ origin, port })

async function proveHost(token: string, { origin, port, fetch }: Page): Promise<void> {
  const nonce = encode(crypto.getRandomValues(new Uint8Array(16)))
  let answer: Response
  try {
    const signal = AbortSignal.timeout(LONGEST_MS)
    answer = await fetch(`${origin}/known`, { method: 'POST', body: nonce, signal })
  } catch {
    throw new Fault('disconnected', 'The host does not answer.')
  }
  const proof = answer.ok ? await answer.text().catch(() => '') : ''
  if (token === '' || proof !== (await hmac(token, `${nonce}:${port}`)))
    throw new Fault('disconnected', NOT_KNOWN)
}

async function hmac(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const how = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), how, false, ['sign'])
  return encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))))
}

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
