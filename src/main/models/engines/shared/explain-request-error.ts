import { causesOf } from '../../../lib/expected-errors.ts'
import { OfflineError, unlockFix } from '../../../lib/network/offline.ts'
import { ProxyError } from '../../../lib/network/proxy-address.ts'
import { explainAnswer, type RefusedAnswer } from './explain-answer.ts'
import { BrokenOff, durationOf, Stalled, type Asked, type RequestFailure } from './request-failure.ts'

/** Explain any error of a request. Unexpected ones become `internal`, with the error as `cause` to log. */
export function explainRequestError(error: unknown, asked: Asked): RequestFailure & { cause?: unknown } {
  if (isAnswer(error)) return explainAnswer(error, asked)
  if (error instanceof Stalled) return explainSilence(error, asked)
  if (error instanceof BrokenOff) return explainBreak(asked)
  const causes = causesOf(error)
  const offline = causes.find(each => each instanceof OfflineError)
  if (offline) return explainOffline(offline)
  const proxy = causes.find(each => each instanceof ProxyError)
  if (proxy) return explainProxy(proxy)
  if (causes.some(each => each instanceof SyntaxError)) return explainGarbage(asked)
  // Most causes have a code. A few, such as a blocked port, have only their message.
  const signs = causes.flatMap(each => [each.code, each.message]).filter(each => typeof each === 'string')
  const connection = explainConnection(signs, asked)
  if (connection) return connection
  // Timeouts of Node's own fetch, which our network layer disables for models.
  if (signs.includes('UND_ERR_HEADERS_TIMEOUT')) return explainSilence(new Stalled(false, 300_000), asked)
  if (signs.includes('UND_ERR_BODY_TIMEOUT')) return explainSilence(new Stalled(true, 300_000), asked)
  if (signs.some(sign => BREAKS.has(sign))) return explainBreak(asked)
  return { ...unforeseen(asked), cause: error }
}

const BREAKS = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'terminated'])

function isAnswer(error: unknown): error is RefusedAnswer {
  const { status, error: body } = (error ?? {}) as { status?: unknown; error?: unknown }
  return typeof status === 'number' || (body !== undefined && body !== null)
}

function explainSilence({ begun, ms }: Stalled, { name }: Asked): RequestFailure {
  const time = durationOf(ms)
  const failure: RequestFailure['failure'] = begun
    ? {
        code: 'engine_gone',
        text: `${name} sent nothing for ${time} in the middle of the answer.`,
        fix: 'Send the message again. If it happens again, check the server’s log.',
      }
    : {
        code: 'unreachable',
        text: `${name} did not start to answer within ${time}.`,
        fix: 'It may still be loading the model or reading a long prompt. Check the server, then send the message again. You can change the maximum wait on the Models page (Change…), or as start_timeout_s of the server.',
      }
  return { failure, retry: false, elsewhere: true }
}

/** Explain the offline lock. Nothing was sent, and a retry would send nothing either. */
const explainOffline = ({ message }: OfflineError): RequestFailure => ({
  failure: { code: 'refused', text: message, fix: unlockFix },
  retry: false,
  elsewhere: true,
})

/** Explain a proxy error. `elsewhere`: another model may be on this computer, or need no proxy. */
const explainProxy = ({ message, fix }: ProxyError): RequestFailure => ({
  failure: { code: 'unreachable', text: message, fix },
  retry: false,
  elsewhere: true,
})

const explainBreak = ({ name }: Asked): RequestFailure => ({
  failure: {
    code: 'engine_gone',
    text: `The connection to ${name} broke in the middle of the answer.`,
    fix: 'Send the message again.',
  },
  retry: true,
  elsewhere: true,
})

const explainGarbage = ({ name, api }: Asked): RequestFailure => ({
  failure: {
    code: 'internal',
    text: `${name} sent something that is not an answer from a model.`,
    fix: `Check that the address belongs to ${api.server}, and that the server is up to date.`,
  },
  retry: false,
})

const unforeseen = ({ name }: Asked): RequestFailure => ({
  failure: {
    code: 'internal',
    text: `The request to ${name} failed unexpectedly.`,
    fix: 'The log has the details.',
  },
  retry: false,
})

type Rule = { signs: RegExp; text: string; fix: string }

/** Explain the error codes of a failed connection; undefined if none of these signs is known. */
function explainConnection(signs: readonly string[], asked: Asked): RequestFailure | undefined {
  const rule = rulesFor(asked).find(each => signs.some(sign => each.signs.test(sign)))
  return (
    rule && {
      failure: { code: 'unreachable', text: rule.text, fix: rule.fix },
      retry: false,
      elsewhere: true,
    }
  )
}

const rulesFor = ({ name, host, nearby }: Asked): Rule[] => [
  {
    signs: /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL)$/,
    text: `Nothing answers at ${host}.`,
    fix: nearby ? `Start ${name}, or correct its address.` : 'Check the connection and the address.',
  },
  {
    signs: /^(ENOTFOUND|EAI_\w+)$/,
    text: `There is no server named ${host}, or no network.`,
    fix: 'Check the address and the connection.',
  },
  {
    signs: /^bad port$/,
    text: `${host} cannot be reached: web addresses may not use this port.`,
    fix: 'Use another port for the server, and correct its address.',
  },
  {
    signs: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    text: `${host} cannot be reached: it did not answer in time.`,
    fix: 'Check the address and the connection.',
  },
  {
    signs: /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO|HPE_\w+)$/,
    text: `${host} does not speak this protocol.`,
    fix: 'Try http:// instead of https:// in the address, or the other way round.',
  },
  {
    signs: /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    text: `The certificate of ${host} is not valid today.`,
    fix: 'Check the clock of this computer. If it is right, the certificate on the server must be renewed.',
  },
  {
    signs: /ALTNAME_INVALID/,
    text: `The certificate of ${host} is for another name.`,
    fix: 'Use the name that the certificate is for, or correct the certificate on the server.',
  },
  {
    signs: /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/,
    text: `The certificate of ${host} is not trusted.`,
    fix: nearby
      ? 'Correct the certificate on the server, use its http:// address in a network of your own, or name the file of its certificate in NODE_EXTRA_CA_CERTS and start Talaria again.'
      : 'A company’s proxy may stand between. Add its certificate to those of the system, or name its file in NODE_EXTRA_CA_CERTS, and start Talaria again.',
  },
]
