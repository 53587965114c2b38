import { LABELS } from './secret-words.ts'

type Span = { from: number; to: number }

/** “admin / admin1234”, “root:toor”: a name and a password, after a word such as “login”. */
const PAIR = /(?<![\w/.:@-])([\w.@-]{2,40})(?:\s{1,2}\/\s{1,2}|:)([^\s/:,;"'`]{4,60})(?![\w/:])/g
/** Passwords that devices come with. */
const COMMON = /^(?:admin|password|passw0rd|root|toor|changeme|guest|default|letmein|qwerty)[.,]?$/i
/** How far before a pair the word is that makes it one. */
const NEAR = 60

/** Passwords in pairs with the name of a user. */
export function* loginPairsIn(text: string): Generator<Span> {
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
