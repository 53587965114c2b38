import { holdsSecret } from '../../untrusted/redact.ts'

/** Parameters that carry a key or a password, without the signs between their words. */
const KEY_NAMES = new Set(
  (
    'accesstoken refreshtoken idtoken authtoken oauthtoken apitoken usertoken sessiontoken resettoken logintoken securitytoken csrftoken ' +
    'token bearer bearertoken jwt apikey appkey accesskey accesskeyid secretkey secretaccesskey privatekey privatetoken jobtoken authkey ' +
    'subscriptionkey clientsecret appsecret secret password passwd pass pwd passphrase passcode credential credentials authorization ' +
    'awsaccesskeyid xamzsignature xamzcredential xamzsecuritytoken xgoogsignature xgoogcredential sharedaccesssignature ' +
    'sessionid sessid phpsessid jsessionid aspsessionid authcode otp'
  ).split(' '),
)

/** Parameters that may carry one; they do if the value is long and no word. */
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

/** A key or a password in an address beside a user's name: the name of its parameter, or “a key”. Undefined without one. */
export function keyInAddress(url: URL): string | undefined {
  const fragment = /^#!?[^?]*[=&]/.test(url.hash) ? new URLSearchParams(url.hash.slice(1)) : []
  for (const [name, value] of [...url.searchParams, ...fragment]) if (isKey(name, value)) return name
  const [, session] = /;(jsessionid|phpsessid|sid)=[\w.!-]{8,}/i.exec(url.pathname) ?? []
  if (session !== undefined) return session
  // Numbers of many digits are ids of pages; the search for secrets takes some for those of payment.
  const rest = `${url.host}${url.pathname}${url.search}`.replaceAll(/\d{12,}/g, '0')
  return holdsSecret(rest) || BOT.test(url.href) ? 'a key' : undefined
}

/** The address of a bot holds its key. */
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
