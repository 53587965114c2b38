import type { Refusal } from '../../lib/expected-errors.ts'
import type { FetchAddress } from '../web-parts.ts'

const ACCEPT =
  'text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.8, application/pdf;q=0.7, */*;q=0.5'

/** Headers that may go to any site, because they say nothing about the user. */
const FOR_ALL = ['accept', 'user-agent', 'accept-language']

/** Build the first request. It says who asks and what can be read, and has no cookies. */
export function firstRequest(
  { headers = {}, body }: Parameters<FetchAddress>[1],
  version: string,
): RequestInit {
  const all = new Headers({
    accept: ACCEPT,
    // The form that programs other than browsers use; some sites answer only to it.
    'user-agent': `Mozilla/5.0 (compatible; Talaria/${version})`,
  })
  for (const [name, value] of Object.entries(headers)) all.set(name, value)
  return { method: body === undefined ? 'GET' : 'POST', headers: all, ...(body !== undefined && { body }) }
}

/** Build the request after a redirect, as browsers do. Keys and bodies for one site go to no other. */
export function nextRequest(
  request: RequestInit,
  status: number,
  isElsewhere: boolean,
): RequestInit | Refusal {
  const given = new Headers(request.headers)
  const kept = FOR_ALL.flatMap(name => (given.has(name) ? [[name, given.get(name) ?? '']] : []))
  const headers = isElsewhere ? new Headers(Object.fromEntries(kept)) : given
  if (request.method !== 'POST') return { method: 'GET', headers }
  if (status >= 307)
    return isElsewhere
      ? { refused: 'The site wants what was sent to go to another site, which was not done.' }
      : { ...request, headers }
  headers.delete('content-type')
  return { method: 'GET', headers }
}
