import { holdsSecret } from '../../untrusted/redact.ts'

/** Parameters that contain a key or a password, without separators between their words. */
const KEY_NAMES = new Set(
  (
    'accesstoken refreshtoken idtoken authtoken oauthtoken apitoken usertoken sessiontoken resettoken logintoken securitytoken csrftoken ' +
    'token bearer bearertoken jwt apikey appkey accesskey accesskeyid secretkey secretaccesskey privatekey privatetoken jobtoken authkey ' +
    'subscriptionkey clientsecret appsecret secret password passwd pass pwd passphrase passcode credential credentials authorization ' +
    'awsaccesskeyid xamzsignature xamzcredential xamzsecuritytoken xgoogsignature xgoogcredential sharedaccesssignature ' +
    'sessionid sessid phpsessid jsessionid aspsessionid authcode otp'
  ).split(' '),
)

/** Parameters that contain a key only if the value is long and not a word. */
const MAYBE_NAMES = new Set([
  'sig',
  'signature',
  'key',
  'auth',
  'hmac',
  'sid',
  'session',
  'code',
  'ticket',
  'skey',
])

/** Find a key in an address: the name of its parameter, or “a key”; undefined if there is none. */
export function keyInAddress(url: URL): string | undefined {
  const fragment = /^#!?[^?]*[=&]/.test(url.hash) ? new URLSearchParams(url.hash.slice(1)) : []
  for (const [name, value] of [...url.searchParams, ...fragment]) if (isKey(name, value)) return name
  const [, session] = /;(jsessionid|phpsessid|sid)=[\w.!-]{8,}/i.exec(url.pathname) ?? []
  if (session !== undefined) return session
  // Long numbers are ids of pages, which the search for secrets can take for payment numbers.
  const rest = `${url.host}${url.pathname}${url.search}`.replaceAll(/\d{12,}/g, '0')
  return holdsSecret(rest) || BOT.test(url.href) ? 'a key' : undefined
}

/** Addresses of bots, which contain their key. */
const BOT = /^https?:\/\/api\.telegram\.org\/(?:file\/)?bot\d+:/i

function isKey(name: string, value: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (KEY_NAMES.has(plain)) return value !== ''
  return (
    MAYBE_NAMES.has(plain) &&
    value.length >= 16 &&
    /\d/.test(value) &&
    /[a-z]/i.test(value) &&
    !/\s/.test(value)
  )
}
