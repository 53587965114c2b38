import { holdsSecret } from '../redact.ts'
import { loginPairsIn } from './login-pairs.ts'
import { nationalNumbersIn } from './national-numbers.ts'
import { recoveryPhrasesIn } from './recovery-phrases.ts'
import { saidSecretsIn } from './said-secrets.ts'

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
