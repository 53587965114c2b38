import { isCode, isCounted, isNumber, isStrong, isWord, valuesIn, type Value } from './judge-value.ts'
import { LABELS } from './secret-words.ts'

type Span = { from: number; to: number }

/** The end of a sentence. White space must follow the mark, because passwords may contain one. */
const END = /\n+|[.!?](?=\s)|[。！？；।]/g
/** The text that links the name of a secret to its value. */
const LINK =
  /(?:[:=：＝→–—]|->|\s-|[はがを是为為]|(?<![\p{L}\p{M}])(?:is|was|are|reads|to|ist|lautet|war|auf|es|era|est|c['’]est|è|é|e|это|на|هو|هي|है|olarak|to|jest|brzmi|är|on|er|with|mit|con|avec|com|no\.?|nr\.?|number|nummer|code)|(?<=\p{Script=Hangul})[은는이가])\s{0,3}["'“„«‘「『(]{0,2}\s{0,3}$/iu
/** Links that announce a word, even one of letters only. */
const COLON = /(?:[:=：＝→–—]|(?:^|\s)-)\s*["'“„«‘]?$/u
/** Words that say whose password it is; then even a word of letters only counts. */
const POSSESSIVE =
  /(?<![\p{L}\p{M}])(?:my|our|mein|unser|meine|mi|mon|notre|minha|meu|mia|mio|мой|наш|mój|moje|mijn|ons|mitt)\s+(?:[\p{L}-]{1,20}\s+){0,2}$/iu
/** Words that say where a password is, what it must be or what was done with it. */
const ELSEWHERE =
  /(?<![\p{L}\p{M}])(?:in|on|at|see|ask|stored|kept|saved|managed|under|must|should|has|have|needs?|requires?|expires?|via|from|by|since|until|steht|liegt|siehe|im|unter|muss|hat|seit|vom|am|está|en|guardad[ao]|ver|debe|dans|sur|voir|stocké|doit|nel|nella|sotto|salvata|vedi|deve|na|no|cofre|mit|лежит|хранится|см|сменил|забыл|trzyma|staat|zie|moet|में|कम|في)(?![\p{L}\p{M}])|保存|存在|管理|至少|違|長|저장/iu
/** Words between a secret and its name after it: “… is my password”. */
const NAMED_AFTER =
  /^["'”’»」]?,?\s*(?:(?:is|was|as|for|ist|als|es|como|est|comme|è|come|é|jest|jako|to|это|как|är)(?![\p{L}])\s*(?:[\p{L}'’]{1,12}\s+){0,2}|[がは]|是我?的?|为)$/iu
/** Maximum number and distance of values to check after a name. */
const MOST = 10
const FAR = 200
/** Three digits close together, which every code contains. */
const DIGITS = /\d\D{0,2}\d\D{0,2}\d/

/** Parts of password names in lower case. Texts and sentences without any of them are skipped. */
const STEMS = {
  /** Parts to search in every text of a chat; each takes time. */
  common: ['contrase', 'mot de passe', 'palavra', 'senha', 'wachtwoord', 'lösenord'],
  latin: [
    'contrase',
    'mot de passe',
    'mdp',
    'phrase secr',
    'palavra',
    'senha',
    'parola',
    'clave',
    'haslo',
    'sifre',
    'salasan',
    'adgangskode',
    'wachtwoord',
    'lösenord',
    'passord',
    'jelsz',
  ],
  others:
    `парол مرور كلمة السري पासवर्ड şifre hasł 密 口令 パスワード パスフレーズ 暗証 비밀번호 패스워드 암호`.split(
      ' ',
    ),
  password: ['pass', 'kennwort', 'pw'],
  code: `pin cvv cvc puk tan otp cod códi kod keypad lockbox combin kombin код コード 番号 码 碼 رمز كود رقم कोड पिन ओटीपी 코드 번호
    комбин пин şifre szyfr 密`.split(/\s+/),
} as const
/** Letters beyond those of Western Europe, a quick test since most texts have none. */
const BEYOND = /[\u0100-\u1fff\u3040-\uffef]/
const isOfOthers = (low: string): boolean => BEYOND.test(low) && holdsOne(low, STEMS.others)
const isOfPassword = (low: string): boolean => holdsOne(low, STEMS.latin) || isOfOthers(low)
const holdsOne = (text: string, stems: readonly string[]): boolean => stems.some(stem => text.includes(stem))

const sentencesOf = function* (text: string): Generator<Span> {
  let from = 0
  for (const { index, 0: end } of text.matchAll(END)) {
    if (index > from) yield { from, to: index }
    from = index + end.length
  }
  if (from < text.length) yield { from, to: text.length }
}

const placesOf = (text: string, label: RegExp): Span[] =>
  Array.from(text.matchAll(label), ({ index, 0: found }) => ({ from: index, to: index + found.length }))

/** Blank out general talk about passwords and codes, so that all positions stay the same. */
const withoutTalk = (text: string): string => text.replace(LABELS.about, found => ' '.repeat(found.length))

/** Whether the text between a name and a value links them. */
const isLinked = (between: string): boolean => between.trim() === '' || LINK.test(between.slice(-40))

/**
 * Find passwords and codes that a text gives with their name, in the languages of {@link LABELS}: “Mi
 * contraseña es …”, “door code …”. `scope`: codes of doors and cards matter only for memory; in the output of
 * a command they are ordinary numbers. `low`: the text in lower case, if the caller already has it.
 */
export function* saidSecretsIn(
  text: string,
  scope: 'memory' | 'anywhere',
  low = text.toLowerCase(),
): Generator<Span> {
  if (scope === 'anywhere' && !holdsOne(low, STEMS.common) && !isOfOthers(low)) return
  for (const { from, to } of sentencesOf(text)) {
    const whole = text.slice(from, to)
    const small = whole.toLowerCase()
    const isMemory = scope === 'memory'
    const ofPassword = isOfPassword(small) || (isMemory && holdsOne(small, STEMS.password))
    const ofCode = isMemory && DIGITS.test(whole) && holdsOne(small, STEMS.code)
    if (!ofPassword && !ofCode) continue
    const sentence = withoutTalk(whole)
    const words = ofPassword ? [...passwordsIn(sentence, scope), ...passphrasesIn(sentence)] : []
    for (const span of [...words, ...(ofCode ? codesIn(sentence) : [])])
      yield { from: from + span.from, to: from + span.to }
  }
}

/** A passphrase of several words: “The passphrase is purple monkey …”. */
const PASSPHRASE =
  /(?:pass ?phrase|passphrase|phrase secrète|パスフレーズ)["'”]?\s{0,2}(?:\p{L}{1,12}\s){0,4}?(?:is|ist|lautet|:|=|est|es|è|é)\s{0,2}["'“]?((?:\p{Ll}{3,14}[ -]){2,11}\p{Ll}{3,14})(?=["'”]?\s*(?:[.!]|$))/giu
/** Words of sentences, which no passphrase contains. */
const PROSE =
  /(?<![\p{L}])(?:the|an?|in|on|of|is|are|was|to|for|and|not|too|very|with|by|from|der|die|das|im|auf|nicht|zu|und|dans|sur|le|la|les|trop|en|el|muy|nel|molto|no|na)(?![\p{L}])/u

function* passphrasesIn(sentence: string): Generator<Span> {
  for (const { index, 0: found, 1: words = '' } of sentence.matchAll(PASSPHRASE))
    if (!PROSE.test(words)) yield { from: index + found.length - words.length, to: index + found.length }
}

function* passwordsIn(sentence: string, scope: 'memory' | 'anywhere'): Generator<Span> {
  const labels = placesOf(sentence, LABELS.password)
  for (const label of labels) {
    const found = passwordAfter(sentence, label) ?? passwordBefore(sentence, label)
    if (found && (scope === 'memory' || (found.isGiven && !found.isWord))) yield found
  }
  for (const label of placesOf(sentence, LABELS.loosePassword)) {
    const found = passwordAfter(sentence, label)
    if (
      found?.isGiven &&
      (scope === 'memory' || !found.isWord) &&
      sentence.slice(label.to, found.from).trim() !== ''
    )
      yield found
  }
}

type Found = Span & { isGiven: boolean; isWord?: boolean }

function passwordAfter(sentence: string, label: Span): Found | undefined {
  const isMine = POSSESSIVE.test(sentence.slice(Math.max(0, label.from - 60), label.from))
  for (const value of valuesIn(sentence.slice(0, label.to + FAR), label.to, MOST)) {
    const between = sentence.slice(label.to, value.from)
    const isGiven = isLinked(between)
    if (!isGiven && ELSEWHERE.test(between)) continue
    if (isStrong(value.text, isGiven)) return { ...value, isGiven }
    if (!isGiven) continue
    const after = sentence.slice(value.to, value.to + 40)
    if (isNumber(value.text) && !isCounted(after)) return { ...value, isGiven }
    if (isGivenWord(between, after, value, isMine)) return { ...value, isGiven, isWord: true }
  }
  return undefined
}

/** Whether a word of letters is a password: it is quoted, or last and after a colon or “my”. */
function isGivenWord(between: string, after: string, value: Value, isMine: boolean): boolean {
  if (!isWord(value.text) || between.trim() === '') return false
  if (value.isQuoted) return true
  const isLast = /^["'”’»」)]?\s*(?:[.!,;]|$)/u.test(after)
  return isLast && (COLON.test(between) || isMine)
}

function passwordBefore(sentence: string, label: Span): Found | undefined {
  const start = Math.max(0, label.from - 80)
  for (const value of valuesIn(sentence.slice(0, label.from), start)) {
    const between = sentence.slice(value.to, label.from)
    if (!NAMED_AFTER.test(between)) continue
    const quoted = /["“„«‘「]([^"”“»’」]{6,80})$/u.exec(sentence.slice(Math.max(0, value.to - 100), value.to))
    if (isStrong(value.text, true) || (quoted && /^["”»’」]/u.test(between)))
      return { from: value.from, to: value.to, isGiven: false }
  }
  return undefined
}

function* codesIn(sentence: string): Generator<Span> {
  const own = [...placesOf(sentence, LABELS.code), ...placesOf(sentence, LABELS.codeInAnyCase)]
  const opens = placesOf(sentence, LABELS.opens)
  const plain = opens.length === 0 ? [] : placesOf(sentence, LABELS.plainCode)
  // “The code of the door 1945”: the value follows both words.
  const behind = plain.length === 0 ? [] : opens.filter(({ from }) => from > plain[0]!.to)
  for (const label of [...own, ...plain, ...behind]) {
    const found = codeAfter(sentence, label) ?? codeBefore(sentence, label)
    if (found) yield found
  }
}

function codeAfter(sentence: string, label: Span): Span | undefined {
  for (const value of valuesIn(sentence.slice(0, label.to + FAR), label.to, MOST)) {
    const between = sentence.slice(label.to, value.from)
    const isGiven = isLinked(between)
    if (!isGiven && ELSEWHERE.test(between)) continue
    if (isPostalPin(sentence, label, value)) continue
    if (isCode(value.text, isGiven) && !isAsideNumber(sentence, value, isGiven)) return value
  }
  return undefined
}

function codeBefore(sentence: string, label: Span): Span | undefined {
  for (const value of valuesIn(sentence.slice(0, label.from), Math.max(0, label.from - 60)))
    if (NAMED_AFTER.test(sentence.slice(value.to, label.from)) && isCode(value.text, true)) return value
  return undefined
}

/** Whether a number is a count or a year, and so not the code of a door. */
function isAsideNumber(sentence: string, { text, to }: Value, isGiven: boolean): boolean {
  if (isCounted(sentence.slice(to, to + 40))) return true
  return !isGiven && /^(?:19|20)\d{2}$/.test(text)
}

/** Whether a “PIN” is an Indian postal code: six digits in an address. */
const isPostalPin = (sentence: string, label: Span, { text, to }: Value): boolean =>
  /^[1-9]\d{5}$/.test(text) &&
  (/(?:\b(?:in|at)|,)\s$/.test(sentence.slice(0, label.from)) || /^,\s\p{Lu}/u.test(sentence.slice(to)))
