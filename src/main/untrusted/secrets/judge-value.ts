/** A possible password or code. `text` is without surrounding quotes and punctuation. */
export type Value = { text: string; from: number; to: number; isQuoted: boolean }

/** Characters of alphabets in which passwords are written: not Chinese, Japanese, Korean, Arabic or Hindi. */
const RUN = /[\x21-\x7E\u00A1-\u024F\u0370-\u052F]+/g
const BEFORE = /^[[\](){}<>«»„“”‘’"'`:=,;.¿¡→·*-]+/
const AFTER = /(?<![[\](){}<>«»„“”‘’"'`:;,.?…])[[\](){}<>«»„“”‘’"'`:;,.?…]+$/
const QUOTE = /["'`„“”‘’«»「『]$/

/** Find the runs of a text from `start` on, at most `most` of them. */
export function* valuesIn(text: string, start = 0, most = 40): Generator<Value> {
  const finder = new RegExp(RUN.source, 'g')
  finder.lastIndex = start
  for (let n = 0; n < most; n++) {
    const found = finder.exec(text)
    if (!found) return
    const opened = BEFORE.exec(found[0])?.[0] ?? ''
    const bare = found[0].slice(opened.length).replace(AFTER, '')
    const from = found.index + opened.length
    const isQuoted = QUOTE.test(opened === '' ? text.slice(0, from) : opened)
    if (bare !== '') yield { text: bare, from, to: from + bare.length, isQuoted }
  }
}

/** Names of products, formats and algorithms that look like passwords. */
const NAMES =
  /^(?:1password\d?|sha-?\d+|md5|argon2\w{0,2}|bcrypt|pbkdf2|scrypt|base\d+|utf-?\d+|aes-?\d*|rsa-?\d*|oauth2?(?:\.\d)?|http2?|ipv[46]|[2m]fa|u2f|fido2|wpa[23](?:-\w+)?|keepass\w*|bitwarden\w*|fritz!?box|win(?:dows)?\d+|ubuntu\d*|python\d*|node\d*|vue\d|gpt-?\d.*|k8s|[os]365|office365|microsoft365|pkcs\d*|x\.?509|jws?t?|[a-z]:\\.*)$/i
/** Values that are measures: a number with a unit, an ordinal, a version, a time, a share. */
const MEASURE =
  /^\d+(?:[.,]\d+)*-?(?:st|nd|rd|th|ms|[smhdwykx]|min|[kmgt]i?b|px|r?em|pt|[kcm]?m|k?g|bits?|bytes?|chars?|characters?|digits?|days?|years?|words?|zeichen|stellig|[ºª%°]|er|te[nr]?|[èe]me)$|^v?\d+(?:\.\d+)+(?:[-+][\w.]+)?$|^\d{1,2}[:h]\d{2}/i
/** Values that are code: an address, a path, a file, a variable, a call, a flag, a field. */
const CODE =
  /^(?:https?:|~?\/|\.{1,2}\/|[\w.-]+@[\w.-]+\.\w+|@|\$|%\w+%$|--?[a-z])|\(\)?$|^[\w.-]+(?:\/[\w.-]+)+$|^[\w-]+\.[a-z][a-z\d]{0,4}$|^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$|^(?:[a-z]+_)+(?:\d+|[a-z]+)$|^[\p{L}\d-]*(?:password|passwort|passwd)[\w-]*$/iu
const NUMBERED =
  /^(?:[A-Z]{2,10}-\d+|[A-Z]{1,3}\d{1,5}|\p{L}+\d|[0-9a-f]{40,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/u
const DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\.?$|^\d{1,2}\.\d{1,2}\.?$/

/** Whether a run can be a password: letters with digits or symbols. `isGiven`: the sentence says so. */
export function isStrong(text: string, isGiven: boolean): boolean {
  if (text.length < 4 || text.length > 200 || !/\p{L}/u.test(text)) return false
  if (NAMES.test(text) || MEASURE.test(text) || DATE.test(text)) return false
  if (CODE.test(text) && !(isGiven && /^[a-z]+_\d+$/i.test(text))) return false
  const hasDigit = /\d/.test(text)
  if (!isGiven) return text.length >= 5 && hasDigit && !NUMBERED.test(text)
  return hasDigit || /[!@#$%^&*+=~?]/.test(text.slice(0, -1)) || /[a-z]!$/i.test(text)
}

/** Whether a run can be a password of digits only. */
export const isNumber = (text: string): boolean => /^[#*]?\d{4,16}[#*]?$/.test(text)

/** Whether a run can be a code of a door, card or account: at least three digits, at most two letters. */
export function isCode(text: string, isGiven: boolean): boolean {
  if (DATE.test(text) && !/^\d{1,2}-\d{1,2}-\d{1,2}$/.test(text)) return false
  if (/^(?:\d{1,2}-){2,5}\d{1,2}$/.test(text) || /^\d{3,4}-\d{3,4}$/.test(text)) return true
  const bare = text.replace(/^[#*]|[#*]$/g, '')
  if (!/^[A-ZА-ЯЁ\d]{3,12}$/u.test(bare)) return false
  const digits = bare.replaceAll(/\D/g, '').length
  if (digits < 3 || bare.length - digits > 2) return false
  return isGiven || digits === bare.length || /^\d+[A-ZА-Я]\d+$/u.test(bare) || /^[A-Z]\d{3,}$/.test(bare)
}

/** Units after a number, which is then neither a password nor a code. */
const UNIT =
  /^[\s-]*(?:bits?|bytes?|characters?|chars?|digits?|letters?|words?|times?|days?|hours?|minutes?|seconds?|weeks?|months?|years?|lines?|files?|pages?|pieces?|people|users?|euros?|dollars?|[€$£%°]|zeichen|stellen|ziffern|tagen?|stunden|jahren?|zeilen|mal|caracteres|días|dígitos|años|caractères|jours|chiffres|caratteri|giorni|dias|位|个|文字|桁|日|年|символ\p{L}*|знак\p{L}*|дн\p{L}*|karakter|gün|자리|znak\p{L}*|dni|tekens|dagen|mm|cm|k?m|k?g)(?![\p{L}])/iu

/** Whether a number is followed by a unit. */
export const isCounted = (after: string): boolean => UNIT.test(after)

/** Words that follow “password” but are not one. */
const NO_PASSWORD =
  /^(?:see|ask|none|unknown|required|optional|needed|changed|unchanged|same|empty|blank|expired|hidden|forgotten|lost|ditto|yes|no|wrong|correct|right|invalid|valid|weak|strong|long|short|safe|secure|secret|unique|random|shared|private|public|stored|tbd|todo|n\/a|redacted|hash|text|string|siehe|falsch|richtig|leer|unbekannt|pflicht|nötig|geändert|vergessen|geheim|sicher|unsicher|schwach|stark|abgelaufen|keines?|gleich|ver|ninguna?|vacía|incorrecta|correcta|obligatori[oa]|segura|débil|larga|secreta|voir|aucun|vide|incorrect|faible|fort|obligatoire|inconnu|oublié|vedi|nessuna|vuota|corretta|errata|debole|sicura|nenhuma|vazia|errada|correta|fraca|forte|secreto|segreta|см|нет|неверный|верный|неизвестен|слабый|тот|этот|забыт|устарел|brak|błędne|słabe|puste|nieznane|zie|geen|verkeerd|leeg|onbekend|zwak|verlopen|yok|yanlış|boş|zayıf|doğru|its?|this|that|here|there|kept|saved|bitwarden|keepass\w*|lastpass|dashlane|keychain|vault)$/iu
/** Endings of words that describe a password. */
const QUALITY =
  /(?:ed|ing|able|ible|ous|ful|less|[ai]d[oa]s?|[ai]t[oai]|bar|lich|ное|ный|ная|wany|wane|é|ée|ível|ável)$/iu

/** Whether a word of letters can be a password, if the sentence announces one. */
export const isWord = (text: string): boolean =>
  /^\p{L}{4,40}$/u.test(text) && !NO_PASSWORD.test(text) && !QUALITY.test(text)
