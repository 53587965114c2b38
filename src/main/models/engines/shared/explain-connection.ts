import type { Asked, RequestFailure } from './request-failure.ts'

type Rule = { signs: RegExp; text: string; fix: string }

/** Explain the error codes of a failed connection; undefined when none of these signs is known. */
export function explainConnection(signs: readonly string[], asked: Asked): RequestFailure | undefined {
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
    text: `The port of ${host} is kept for something other than the web.`,
    fix: 'Let the server listen on another port, and correct its address.',
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
    signs: /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/,
    text: `The certificate of ${host} is not trusted.`,
    fix: 'Correct the certificate on the server, or use its http:// address in a network of your own.',
  },
]
