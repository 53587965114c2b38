import { runToEnd } from '../lib/timing.ts'
import { paymentNumbersIn } from './secrets/payment-numbers.ts'
import { recoveryPhrasesIn } from './secrets/recovery-phrases.ts'
import { saidSecretsIn } from './secrets/said-secrets.ts'

/** A pattern, and texts of which every match contains one. Searching for those first is many times faster. */
type Finder = readonly [pattern: RegExp, ...needles: string[]]

/** Keys with a recognisable vendor format. */
const KEYS: readonly Finder[] = [
  // Models and search: OpenAI, Anthropic, OpenRouter and similar, but not names such as `sk-fading-circle`.
  [/\bc?sk-(?=(?:[\w-]{0,40}-)?(?=[A-Za-z_]{0,40}\d)\w{16})[\w-]{20,300}/, 'sk-'],
  [/\b(?:gsk|hf|r8|tgp_v1)_[A-Za-z0-9_-]{30,120}/, 'gsk_', 'hf_', 'r8_', 'tgp_v1_'],
  [
    /\b(?:xai|pplx|nvapi|tvly(?:-(?:dev|prod))?)-(?=[\w-]{0,30}\d)[A-Za-z0-9_-]{28,120}/,
    'xai-',
    'pplx-',
    'nvapi-',
    'tvly-',
  ],
  [/\bAIza[A-Za-z0-9_-]{35}/, 'AIza'],
  [/\bya29\.[A-Za-z0-9_-]{20,500}/, 'ya29.'],
  [/\bGOCSPX-[A-Za-z0-9_-]{20,60}/, 'GOCSPX-'],
  // Code and packages.
  [/\bgh[pousr]_[A-Za-z0-9]{30,255}/, 'ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
  [/\bgithub_pat_[A-Za-z0-9_]{40,255}/, 'github_pat_'],
  [
    /\bgl(?:pat|dt|rt|ft|cbt|ptt|soat|agent)-[A-Za-z0-9_-]{18,100}/,
    'glpat-',
    'gldt-',
    'glrt-',
    'glft-',
    'glcbt-',
    'glptt-',
    'glsoat-',
    'glagent-',
  ],
  [/\bnpm_[A-Za-z0-9]{30,100}/, 'npm_'],
  [/\bpypi-[A-Za-z0-9_-]{30,300}/, 'pypi-'],
  [/\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{20,100}/, 'dckr_'],
  [/\bATATT3[A-Za-z0-9_=-]{60,300}/, 'ATATT3'],
  // Clouds.
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/, 'AKIA', 'ASIA'],
  [/\bdo[opr]_v1_[a-f0-9]{64}\b/, '_v1_'],
  [/\bdapi[a-f0-9]{32}\b/, 'dapi'],
  [/\bhv[sbr]\.[A-Za-z0-9_-]{20,300}/, 'hvs.', 'hvb.', 'hvr.'],
  [/\btskey-[a-z]{2,12}-[A-Za-z0-9-]{16,120}/, 'tskey-'],
  [
    /\b(?:glsa|glc|sbp|ntn|lin_api|PMAK|shp(?:at|ca|pa|ss))[_-](?=[\w-]{0,30}\d)[A-Za-z0-9_-]{30,200}/,
    'glsa_',
    'glc_',
    'sbp_',
    'ntn_',
    'lin_api_',
    'PMAK-',
    'shp',
  ],
  [/\bAGE-SECRET-KEY-1[0-9A-Z]{50,70}/, 'AGE-SECRET-KEY-1'],
  // A secret after an id and a dot: Zhipu.
  [/\.(?<=\b[a-f0-9]{32}\.)(?=[A-Za-z\d]{0,16}[A-Z])(?=[A-Za-z\d]{0,16}[a-z])[A-Za-z0-9]{12,40}\b/, '.'],
  // Messaging and payment.
  [/\bx(?:ox[abeoprs]|app)-(?=[\w-]{0,40}\d)[A-Za-z0-9-]{10,300}/, 'xox', 'xapp-'],
  [/\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}/, 'sk_', 'rk_'],
  [/\bwhsec_[A-Za-z0-9+/=]{20,100}/, 'whsec_'],
  [/\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/, 'SG.'],
  [/\bSK[a-f0-9]{32}\b/, 'SK'],
  [/\bkey-[a-f0-9]{32}\b/, 'key-'],
  [/\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}/, 'sq0'],
  [/\b\d{8,10}:AA[A-Za-z0-9_-]{32,40}\b/, ':AA'],
  [/\b[MNO][A-Za-z\d_-]{23,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40}\b/, '.'],
  // A signed token (JWT) of any vendor.
  [/\beyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,2000}/, 'eyJ'],
  // A private key, whole or truncated.
  [
    /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[\s\S]{0,10000}?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\:,.-]{0,10000})/,
    'PRIVATE KEY',
  ],
]

/** Secrets recognised by a label, which is kept. The secret is the last group. Needles are in lower case. */
const LABELLED: readonly Finder[] = [
  [
    /\bauthorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:(?:bearer|basic|token|digest|apikey)\s{1,3})?(?!(?:bearer|basic|token|digest|apikey)\b)([^\s"'`\\,$<{]{8,4000})/i,
    'authorization',
  ],
  [/\bsignature=([a-f0-9]{64})\b/i, 'signature='],
  [
    /\baws[ _-]{0,3}secret(?:[ _-]?(?:access[ _-]?)?key)?\\?["']?[ \t]{0,3}(?:is|:|=|lautet|ist)?[ \t]{0,3}\\?["']?(?=[A-Za-z/+]{0,30}\d)(?=[a-z\d/+]{0,30}[A-Z])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/i,
    'aws',
  ],
  [/\bbearer\s{1,3}(?=[\w.~+/-]{0,200}\d)([\w.~+/-]{16,4000}=*)/i, 'bearer'],
  [/\b(?:set-)?cookie\\?["']?:\s{0,3}\\?["']?(?=[\w.-]{1,80}=[^\s;]{8})([^\r\n"'\\]{1,4000})/i, 'cookie'],
  // A word in brackets or after a dollar sign is a placeholder.
  [/:\/\/[^\s/:@"'<>]{0,100}:(?![$<{[%*]|x{3,}@)([^\s/@"'<>]{3,200})(?=@[\w[])/i, '://'],
  [/\bhooks\.slack\.com\/services\/T\w{6,20}\/B\w{6,20}\/(\w{16,40})/, 'hooks.slack.com'],
  [/\bdiscord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/([\w-]{40,100})/, 'api/webhooks'],
  [/\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]["']?[^\s:"']{1,60}:(?![$<{])([^\s"']{4,200})/, 'curl'],
  [/\bsshpass\s{1,3}-p\s{0,3}["']?(?![$<{])([^\s"']{4,200})/, 'sshpass'],
  [
    /\b(?:_auth|_authToken|AccountKey|SharedAccessKey)\s{0,3}=\s{0,3}["']?(?![$<{])([A-Za-z0-9+/=_-]{16,200})/,
    '_auth',
    'accesskey',
    'accountkey',
  ],
  [
    /[?&](?:access_token|api_?key|key|sig|signature|X-Amz-Signature)=(?=[\w.%~+/-]{0,80}\d)([\w.%~+/-]{16,500})/i,
    'key=',
    'token=',
    'sig=',
    'signature=',
  ],
  [/\b(?:pin|pin[ -]?code)\s{0,3}(?:is|:|=|lautet|ist)\s{0,3}["']?(\d{4,8})\b(?![.,]?\d|%)/i, 'pin'],
  // Unlike “my password is wrong”, this must be a password of letters only.
  [
    /\b(?:my|our|mein|unser)\s{1,3}(?:\w{1,20}\s){0,2}(?:password|passwort|passphrase|passcode|kennwort|pw)\s{1,3}(?:is|lautet|ist)\s{0,3}:?\s{0,3}["'`]?(?!(?:[a-z]{2,20}(?:ed|ing|able|ible|tted|ly)|[a-z]{0,2}correct|right|wrong|valid|invalid|missing|empty|blank|weak|strong|long|short|safe|secure|secret|unique|different|same|optional|mandatory|necessary|random|public|private|great|good|simple|complex|complicated|sensitive|also|already|always|never|only|still|just|being|here|there|this|that|what|very|then|null|none|true|false|unset|undefined|falsch|richtig|leer|lang|kurz|sicher|unsicher|nicht|noch|auch|abgelaufen|vergessen|geheim|schwach|stark|ung.ltig|g.ltig)\b)([a-z]{6,60})(?=["'`]?(?:[.,;!)]|\s*$|\s+(?:and|und|for|f.r)\b))/im,
    'pass',
    'kennwort',
    'pw',
  ],
  [
    /(?:passphrase|mnemonic|seed[ _-]?phrase|recovery[ _-]?phrase)\\?["']?\s{0,3}(?:is|:|=|lautet|ist)\s{0,3}\\?["'`]([a-z]{3,12}(?:[ -][a-z]{3,12}){2,24})\\?["'`]/i,
    'phrase',
    'mnemonic',
  ],
]

/** The name of a secret with a value, which `isSecret` judges. */
const NAMED =
  /(pass(?:word|wd|phrase|wort|code)|kennwort|(?<![a-z])pwd?|secret(?:[ _-]?(?:access[ _-]?)?key)?|(?:api|access|auth|private|encryption|signing|account|master)[ _-]?key|token)\\?["']?(?:\s{0,3}(?::=|=>|[:=])\s{0,3}|\s{1,3}(?:is|lautet|ist)\s{1,3}:?|(?<=--[\w-]{0,30})\s)\\?["'`]?([^\s"'`\\,;]{4,400})/gi

/** Values that are placeholders: a variable, text in brackets, an example, code. */
const STANDS_FOR = [
  /^[<{[%(…•]|^\$\{|^\$\(|^\$\w+[;,)\]}]*$|^(?:x{4,}|\*{3,}|\.{3})/i,
  /^(?:your|the|some|my|insert|enter|replace)[-_]|^(?:changeme|redacted|example|placeholder|undefined|null|none|true|false)\b/i,
  // A call, a field of something, a type.
  /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*[([]|^[a-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+[;,)\]}?]*$/,
  // A path, an address, a date.
  /^(?:~?\/|\.{1,2}\/|[a-z]:\\|https?:)|^\d{4}-\d{2}-\d{2}/i,
]
/** Characters that ordinary words of prose and code do not contain. */
const ODD = /[\d!@#$%^&*]/
const ENDS = /(?<![.,;:)\]}>])[.,;:)\]}>]+$/

function isSecret(name: string, value: string): boolean {
  const bare = value.replace(ENDS, '')
  if (bare.length < 4 || !ODD.test(bare) || STANDS_FOR.some(pattern => pattern.test(value))) return false
  // A password may be a number or a word, but `token: 4096` is a count and `token: next_page_2` is a name.
  return isPassword(name) || (bare.length >= 8 && !COUNTS.test(bare) && !NAMES.test(bare))
}

const COUNTS = /^[\d.,_%x-]+$/
const NAMES = /^[a-z]{2,}(?:[_-][a-z]{2,})+[_-]?\d{0,3}$/i

const isPassword = (name: string) => /^(?:pass|pwd?|kennwort)/i.test(name)

type Span = { from: number; to: number }

/** Find the secrets of a text that are not redacted yet. */
const secretsIn = (text: string): IteratorObject<Span> => foundIn(text).filter(span => isOpen(span, text))
const isOpen = (span: Span | undefined, text: string): span is Span =>
  span !== undefined && span.to > span.from && text.slice(span.from, span.to) !== BLACK

/** Find secrets. Yields undefined between two searches, so that callers can pause in a long text. */
function* foundIn(text: string): Generator<Span | undefined> {
  const low = text.toLowerCase()
  const finders = LONG.test(text) ? KEY_FINDERS : KEY_FINDERS.slice(-1)
  yield
  for (const { pattern, needles } of finders) {
    if (!needles.some(each => text.includes(each))) continue
    for (const { index, 0: key } of text.matchAll(pattern)) yield { from: index, to: index + key.length }
    yield
  }
  for (const { pattern, needles } of LABEL_FINDERS) {
    if (!needles.some(each => low.includes(each))) continue
    yield
    for (const { index, 0: whole, 1: secret = '' } of text.matchAll(pattern)) {
      const from = index + whole.lastIndexOf(secret)
      yield { from, to: from + secret.length }
    }
  }
  if (NAMES_OF_SECRETS.some(each => low.includes(each))) yield* namedIn(text)
  yield
  yield* saidSecretsIn(text, 'anywhere', low)
  yield
  if (NAMES_OF_PHRASES.some(each => low.includes(each))) yield* recoveryPhrasesIn(text, { named: false })
  yield
  yield* paymentNumbersIn(text)
}

const NAMES_OF_SECRETS = ['pass', 'kennwort', 'pw', 'secret', 'key', 'token']
/** Words without which no recovery phrase is searched, because that takes longer than all other searches. */
const NAMES_OF_PHRASES = [
  'phrase',
  'mnemonic',
  'seed',
  'wallet',
  'frase',
  'wiederherstell',
  '助记词',
  'фраза',
]

function* namedIn(text: string): Generator<Span> {
  for (const { index, 0: whole, 1: name = '', 2: value = '' } of text.matchAll(NAMED)) {
    if (!isSecret(name, value)) continue
    const from = index + whole.length - value.length
    yield { from, to: from + value.replace(ENDS, '').length }
  }
}

const findersOf = (finders: readonly Finder[]) =>
  finders.map(([pattern, ...needles]) => ({
    pattern: new RegExp(pattern.source, `${pattern.flags}g`),
    needles,
  }))
/** Every key contains a run of this length, which most prose lacks. Private keys do not; they come last. */
const LONG = /\b[\w-]{15}/
const KEY_FINDERS = findersOf(KEYS)
const LABEL_FINDERS = findersOf(LABELLED)

/** Whether a text contains something that looks like a key or a password. */
export const holdsSecret = (text: string): boolean => !secretsIn(text).next().done

/** The replacement for a secret. */
export const BLACK = '[redacted]'

/** Maximum number of passes. Once a secret is replaced by a short text, patterns may find the next one. */
const PASSES = 10

/** Redact the keys and passwords in a text; their labels stay. */
export const redactText = (text: string): string => runToEnd(redactSteps(text))

/** Redact with a pause after each pattern, which takes some milliseconds per 100,000 letters. */
export function* redactSteps(text: string): Generator<void, string, void> {
  let cleaned = text
  for (let pass = 0; pass < PASSES; pass++) {
    const before = cleaned
    const found: Span[] = []
    for (const span of foundIn(before))
      if (isOpen(span, before)) found.push(span)
      else yield
    cleaned = withoutSpans(before, joinSpans(found))
    if (cleaned === before) break
  }
  return cleaned
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  let cleaned = ''
  let from = 0
  for (const span of spans) {
    cleaned += text.slice(from, span.from) + BLACK
    from = span.to
  }
  return cleaned + text.slice(from)
}

/** The positions of secrets in a text, in order; overlapping ones are merged. */
export const secretSpans = (text: string): Span[] => joinSpans([...secretsIn(text)])

function joinSpans(found: readonly Span[]): Span[] {
  const spans: Span[] = []
  for (const span of found.toSorted((a, b) => a.from - b.from)) {
    const last = spans.at(-1)
    if (last && span.from < last.to) last.to = Math.max(last.to, span.to)
    else spans.push({ ...span })
  }
  return spans
}

/** Redact every occurrence of known secrets, longer ones first. */
export const redactKnown = (text: string, secrets: readonly string[]): string =>
  secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, BLACK), text)

/** The start of a key, with its prefix. A server may repeat a key with asterisks in it. */
const MAY_BE_SECRET =
  /\b((?:bearer|basic)\s+(?!authenti|authori)|(?:token|api_?key|password)=|(?:sk|pk|gsk|xai|ghp|hf|xox[a-z])[-_]|(?:key|api)[-_](?=[\w-]*[\d*]))[\w.~+/=*-]{6,}/gi

/**
 * Redact texts that help to find errors: the log, and messages of a server. Also redacts each word that
 * starts like a secret, and the secret `known`.
 */
export function redactEagerly(text: string, known = ''): string {
  // Real keys are longer, and short strings are often words.
  const rest = known.length < 4 ? text : text.replaceAll(known, BLACK)
  return redactText(rest).replace(MAY_BE_SECRET, `$1${BLACK}`)
}

/** Redact a line of the log, which is a JSON object. */
export const redactLine = (line: string): string =>
  `${JSON.stringify(redactIn(JSON.parse(line))).replace(MAY_BE_SECRET, `$1${BLACK}`)}\n`

const SECRET_FIELD =
  /(?:^|[_-])(?:pass(?:word|wd|phrase|code)|pwd|secret|token|authorization|(?:api|access|auth|private|secret)[_-]?key)$|(?:Password|Passphrase|Secret|Token|Key)$/i

/** Redact every string in a JSON value, and whole values of fields with a secret name. */
export function redactIn<T>(value: T): T {
  return redacted(value, '') as T
}

function redacted(value: unknown, name: string): unknown {
  if (typeof value === 'string') return isField(name, value) ? BLACK : redactText(value)
  if (Array.isArray(value)) return value.map(each => redacted(each, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [redactText(key), redacted(each, key)]),
  )
}

function isField(name: string, value: string): boolean {
  const [found = ''] = SECRET_FIELD.exec(name) ?? []
  const field = found.replace(/^[_-]/, '')
  const bare = value.trim()
  if (field === '' || STANDS_FOR.some(pattern => pattern.test(bare))) return false
  return isPassword(field) ? bare.length >= 4 : isSecret(field, bare)
}
