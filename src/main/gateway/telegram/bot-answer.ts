import { causesOf, parseJson } from '../../lib/expected-errors.ts'
import { OfflineError } from '../../lib/network/offline.ts'
import { ProxyError } from '../../lib/network/proxy-address.ts'

/**
 * The outcome of a call to Telegram. Only `not-sent` may be repeated freely: after `maybe-sent` the server
 * may have carried it out.
 */
export type BotAnswer<T> =
  | { kind: 'ok'; result: T }
  /** Too fast: nothing may be sent to this chat for so many seconds. */
  | { kind: 'retry-after'; seconds: number }
  /** A user blocked the bot, or removed it from a group. */
  | { kind: 'blocked'; why: string }
  /** The token is wrong, or was revoked. */
  | { kind: 'unauthorized' }
  /** Another program is fetching the updates of this bot. */
  | { kind: 'conflict'; why: string }
  /** The group has another id now. */
  | { kind: 'migrated'; chat: number }
  | { kind: 'bad-request'; why: string }
  | { kind: 'not-sent'; why: string }
  | { kind: 'maybe-sent'; why: string }

/** Maximum length of an answer; real ones are small, and an endless one would fill the memory. */
const MOST_ANSWER_LETTERS = 20_000_000
const LONGEST_WHY = 300
/** Seconds to wait if the server names none, and the maximum: timers are limited to some days. */
const USUAL_WAIT = 5
const LONGEST_WAIT = 86_400

/** Read a response. If it is not from the API, but a login page, say, the call may still have got through. */
export async function readAnswer<T>(
  response: Response,
  is: (value: unknown) => value is T,
  hide: (text: string) => string,
): Promise<BotAnswer<T>> {
  const said = recordOf(parseJson(await readText(response)))
  const says = (what: string) => hide(`Telegram says: ${what}`).slice(0, LONGEST_WHY)
  if (said === undefined || typeof said['ok'] !== 'boolean')
    return { kind: 'maybe-sent', why: `The answer did not come from Telegram (status ${response.status}).` }
  if (said['ok'])
    return is(said['result'])
      ? { kind: 'ok', result: said['result'] }
      : { kind: 'maybe-sent', why: 'Telegram’s answer cannot be read.' }
  const description = typeof said['description'] === 'string' ? said['description'] : 'no reason'
  return judgeError(
    Number(said['error_code'] ?? response.status),
    description,
    recordOf(said['parameters']),
    says,
  )
}

function judgeError(
  code: number,
  description: string,
  parameters: Record<string, unknown> | undefined,
  says: (what: string) => string,
): BotAnswer<never> {
  const { migrate_to_chat_id: chat, retry_after: seconds } = parameters ?? {}
  if (typeof chat === 'number') return { kind: 'migrated', chat }
  if (code === 429)
    return { kind: 'retry-after', seconds: Math.min(Number(seconds) || USUAL_WAIT, LONGEST_WAIT) }
  // A malformed token gets a 404.
  if (code === 401 || (code === 404 && !/method/i.test(description))) return { kind: 'unauthorized' }
  if (code === 409) return { kind: 'conflict', why: says(description) }
  if (code === 403) return { kind: 'blocked', why: says(description) }
  if (code >= 500) return { kind: 'maybe-sent', why: says(description) }
  return { kind: 'bad-request', why: says(description) }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.length > MOST_ANSWER_LETTERS) return ''
  }
  return text + decoder.decode()
}

const recordOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined

/** Errors of connections that were never established, so that no byte of the call was sent. */
const NEVER_SENT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_\w+)$/

/** Return whether a failed call certainly did not reach the server. */
export function isNeverSent(error: unknown): boolean {
  const causes = causesOf(error)
  if (causes.some(each => each instanceof OfflineError || each instanceof ProxyError)) return true
  const coded = causes.filter(({ code }) => typeof code === 'string')
  return (
    coded.length > 0 &&
    coded.every(
      each => NEVER_SENT.test(String(each.code)) || ('syscall' in each && each.syscall === 'connect'),
    )
  )
}

/** Return why a call failed, as text. It may contain the address, and with it the token. */
export function explainFailedCall(error: unknown): string {
  const causes = causesOf(error)
  const known = causes.find(each => each instanceof OfflineError || each instanceof ProxyError)
  if (known) return known.message
  const codes = causes.map(({ code }) => (typeof code === 'string' ? code : ''))
  if (codes.some(code => /^(?:ENOTFOUND|EAI_\w+)$/.test(code)))
    return 'Telegram’s server was not found. This computer may have no connection.'
  if (codes.some(code => /^(?:CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)_/.test(code)))
    return 'The server that answered cannot prove that it belongs to Telegram.'
  if (codes.some(code => code === 'ECONNREFUSED')) return 'Nothing answers at the address of the server.'
  const code = codes.find(each => each !== '')
  return isNeverSent(error)
    ? `Telegram’s server cannot be reached${code === undefined ? '' : ` (${code})`}.`
    : `The connection to Telegram was lost${code === undefined ? '' : ` (${code})`}.`
}
