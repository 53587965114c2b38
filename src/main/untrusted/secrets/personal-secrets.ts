import { holdsSecret } from '../redact.ts'
import { nationalNumbersIn } from './national-numbers.ts'
import { recoveryPhrasesIn } from './recovery-phrases.ts'
import { saidSecretsIn } from './said-secrets.ts'
import { LABELS } from './secret-words.ts'

/**
 * The kind of personal secret in a text that no note may keep, as a phrase that continues “It …”: a password,
 * code, recovery phrase or state-issued number, in many languages. Undefined if there is none. `redact` does
 * not hide all of these: in the output of a command, such a number is just a number.
 */
export function personalSecretIn(text: string): string | undefined {
  if (!recoveryPhrasesIn(text, { named: true }).next().done) return 'holds the recovery phrase of a wallet'
  if (!nationalNumbersIn(text).next().done)
    return 'holds a number that a state gave a person, such as that of a tax or an identity card'
  const isSaid = !saidSecretsIn(text, 'memory').next().done || !loginPairsIn(text).next().done
  return isSaid ? 'holds a password or a code' : undefined
}

/** Whether a text contains what no note or skill may keep: a key, password, card or personal secret. */
export const holdsPrivate = (text: string): boolean =>
  holdsSecret(text) || personalSecretIn(text) !== undefined

type Span = { from: number; to: number }

/** A name and a password, such as “admin / admin1234” or “root:toor”, after a word such as “login”. */
const PAIR = /(?<![\w/.:@-])([\w.@-]{2,40})(?:\s{1,2}\/\s{1,2}|:)([^\s/:,;"'`]{4,60})(?![\w/:])/g
/** Default passwords of devices. */
const COMMON = /^(?:admin|password|passw0rd|root|toor|changeme|guest|default|letmein|qwerty)[.,]?$/i
/** How far before a pair a word such as “login” may be, in characters. */
const NEAR = 60

/** Find passwords in pairs with a user name. */
function* loginPairsIn(text: string): Generator<Span> {
  for (const { index, 0: whole, 1: name = '', 2: password = '' } of text.matchAll(PAIR)) {
    const bare = password.replace(/(?<![.,;)])[.,;)]+$/, '')
    const before = text.slice(Math.max(0, index - NEAR), index)
    if (!isPassword(bare) || !LABELS.login.test(before)) {
      LABELS.login.lastIndex = 0
      continue
    }
    LABELS.login.lastIndex = 0
    if (/^(?:v?\d|https?$)/i.test(name)) continue
    const from = index + whole.length - password.length
    yield { from, to: from + bare.length }
  }
}

const isPassword = (text: string): boolean =>
  COMMON.test(text) || (/\p{L}/u.test(text) && /[\d!@#$%^&*]/.test(text) && !/^[a-z]+\d$/i.test(text))
