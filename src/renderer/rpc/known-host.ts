import { Fault } from '../../shared/rpc.ts'

const LONGEST_MS = 10_000

/** The asking page: its origin, its port as in `location.port` (empty for 80), and its `fetch`. */
export type AskingPage = {
  origin: string
  port: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** Whether the host knows the token of a page. Throws a `disconnected` Fault if nothing answers. */
export async function knowsToken(token: string, page: AskingPage): Promise<boolean> {
  return token !== '' && prove(token, newNonce(), page)
}

/**
 * Like `knowsToken`, for a one-time code that is still unused. The page sends the hash of the code, and the
 * host answers with a key derived from the code.
 */
export async function knowsCode(code: string, page: AskingPage): Promise<boolean> {
  return prove(await sha256(`key:${code}`), `${newNonce()}.${await sha256(code)}`, page)
}

/** Whether the host answers a question with its HMAC by a key that both know. */
async function prove(key: string, question: string, { origin, port, fetch }: AskingPage): Promise<boolean> {
  let proof: string
  try {
    const signal = AbortSignal.timeout(LONGEST_MS)
    const answer = await fetch(`${origin}/known`, { method: 'POST', body: question, signal })
    // An interrupted answer proves nothing either way, and a page drops a code that the host does not know.
    proof = answer.ok ? await answer.text() : ''
  } catch {
    throw new Fault('disconnected', 'Talaria is not responding.')
  }
  return proof === (await hmac(key, `${question}:${port || '80'}`))
}

const newNonce = () => encode(crypto.getRandomValues(new Uint8Array(16)))

async function hmac(secret: string, text: string): Promise<string> {
  const how = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), how, false, ['sign'])
  return encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytesOf(text))))
}

const sha256 = async (text: string) =>
  encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text))))

const bytesOf = (text: string) => new TextEncoder().encode(text)

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
