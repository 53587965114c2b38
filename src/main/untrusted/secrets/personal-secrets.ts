import { holdsSecret } from '../redact.ts'
import { nationalNumbersIn } from './national-numbers.ts'
import { recoveryPhrasesIn } from './recovery-phrases.ts'
import { saidSecretsIn } from './said-secrets.ts'
import { LABELS } from './secret-words.ts'

/**
 * What of a person no note keeps, as a phrase that continues “It …”: passwords, codes, recovery phrases and the numbers that a
 * state gives, in the languages of people. Undefined when there is none. `redact` does not hide all of it: in the output of a
 * command, a number of such a form is a number.
 */
export function personalSecretIn(text: string): string | undefined {
  if (!recoveryPhrasesIn(text, { named: true }).next().done) return 'holds the recovery phrase of a wallet'
  if (!nationalNumbersIn(text).next().done)
    return 'holds a number that a state gave a person, such as that of a tax or an identity card'
  const isSaid = !saidSecretsIn(text, 'memory').next().done || !loginPairsIn(text).next().done
  return isSaid ? 'holds a password or a code' : undefined
}

/** Whether a text holds anything that no note and no skill keeps: a key, a password, a payment card, the secret of a person. */
export const holdsPrivate = (text: string): boolean =>
  holdsSecret(text) || personalSecretIn(text) !== undefined

type Span = { from: number; to: number }

/** “admin / admin1234”, “root:toor”: a name and a password, after a word such as “login”. */
const PAIR = /(?<![\w/.:@-])([\w.@-]{2,40})(?:\s{1,2}\/\s{1,2}|:)([^\s/:,;"'`]{4,60})(?![\w/:])/g
/** Passwords that devices come with. */
const COMMON = /^(?:admin|password|passw0rd|root|toor|changeme|guest|default|letmein|qwerty)[.,]?$/i
/** How far before a pair the word is that makes it one. */
const NEAR = 60

/** Passwords in pairs with the name of a user. */
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
