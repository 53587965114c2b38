import { encode } from 'iconv-lite'
import { nameInLibrary, type KnownEncoding } from './known-encodings.ts'
import { costsOfLanguage, type LanguageCosts } from './language-costs.ts'

/** Costs of unlikely features of a text in an encoding, in nats. */
const COST = {
  unreadable: 18,
  symbol: 12,
  /** A letter that is not used in the language. */
  foreign: 13,
  /** A pair of letters that was never counted. */
  newPair: 3,
  mixedScripts: 6,
  /** A capital letter inside a word. */
  capital: 4,
  besideWord: 2,
  halfWidth: 10.5,
  /** Punctuation inside a word, where only an apostrophe is usual. */
  signInWord: 6,
} as const

const QUOTES = /[’‘“”„«»‹›‚´]/
const DASHES = /[–—…•·\u00a0]/
const SIGNS = /[°§©®€£±×²³µ½¼¾™¿¡ºª№′″→−]/

/** A decoded text prepared for counting costs; `count`: the number of its non-ASCII characters. */
export type Weighed = { letters: readonly string[]; capitals: readonly boolean[]; count: number }

/** Prepare a text for `costInLanguage`: composed and in lower case, with spaces for ASCII non-letters. */
export function weighText(text: string): Weighed {
  const all = Array.from(text.normalize('NFC'))
  const capitals = all.map(each => each !== each.toLowerCase())
  const letters = all.map(each => (each < '\u0080' ? smallOf(each) : each === 'İ' ? 'ı' : each.toLowerCase()))
  return { letters, capitals, count: letters.filter(each => each >= '\u0080').length }
}

const smallOf = (ascii: string) => (/[a-z]/i.test(ascii) ? ascii.toLowerCase() : ' ')

/** Return how unlikely it is that a text read in an encoding is of a language, in nats. */
export function costInLanguage(weighed: Weighed, language: string, encoding: KnownEncoding): number {
  const costs = costsOfLanguage(language)
  const count = encoding.isWide ? wideCost : narrowCost
  return weighed.letters.reduce(
    (sum, letter, at) =>
      sum + count(letter, at === 0 ? ' ' : weighed.letters[at - 1]!, at, weighed, costs, encoding),
    0,
  )
}

type Count = (
  letter: string,
  before: string,
  at: number,
  weighed: Weighed,
  costs: LanguageCosts,
  encoding: KnownEncoding,
) => number

const narrowCost: Count = (letter, before, at, { letters, capitals }, { alone, behind }) => {
  const isPlain = letter < '\u0080'
  if (isPlain && before < '\u0080') return 0
  const punctuation = isPlain ? undefined : signOf(letter)
  if (punctuation !== undefined) {
    const isWithin = before !== ' ' && (letters[at + 1] ?? ' ') !== ' ' && letter !== '’'
    return punctuation + (isWithin ? COST.signInWord : 0)
  }
  const isBehindSign = before >= '\u0080' && !alone.has(before)
  const inWord = !capitals[at - 1] && before !== ' ' && capitals[at] ? COST.capital : 0
  if (isPlain) return isBehindSign ? 0.5 : (behind.get(before + letter) ?? (letter === ' ' ? 4 : 7)) + inWord
  const known = alone.get(letter)
  if (known === undefined) return COST.foreign
  const pair = isBehindSign ? known : behind.get(before + letter)
  if (pair !== undefined) return pair + inWord
  const isMixed = /[a-z]/.test(before) && !/\p{Script=Latin}/u.test(letter)
  return known + COST.newPair + inWord + (isMixed ? COST.mixedScripts : 0)
}

const wideCost: Count = (letter, before, _at, _weighed, { alone }, encoding) => {
  if (letter < '\u0080') return /[a-z]/.test(letter) && isIdeograph(before) ? COST.besideWord : 0
  const beside = /[a-z]/.test(before) && isIdeograph(letter) ? COST.besideWord : 0
  return (alone.get(letter) ?? rarity(letter, encoding.name)) + beside
}

const isIdeograph = (letter: string) => /[\p{Script=Han}\p{Script=Hangul}]/u.test(letter)

const signs = new Map<string, number | undefined>()

/** Return a cached `costOfSign`, which is slow and needed for the same characters again and again. */
function signOf(letter: string): number | undefined {
  if (!signs.has(letter) && signs.size < 50_000) signs.set(letter, costOfSign(letter))
  return signs.has(letter) ? signs.get(letter) : costOfSign(letter)
}

/** Return the cost of punctuation and symbols, which any language may have; undefined for letters. */
function costOfSign(letter: string): number | undefined {
  if (QUOTES.test(letter)) return 3.5
  if (DASHES.test(letter)) return 4.5
  if (SIGNS.test(letter)) return 5
  if (letter === '\ufffd' || /\p{Cc}|\p{Co}|\p{Cn}/u.test(letter)) return COST.unreadable
  return /[\p{L}\p{M}]/u.test(letter) ? undefined : COST.symbol
}

const known = new Map<string, number>()

/** Return the cost of an unlisted character. The tables of these encodings start with common ones. */
function rarity(letter: string, encoding: string): number {
  const key = `${encoding} ${letter}`
  const cost = known.get(key) ?? placeCost(letter, encoding)
  if (known.size < 50_000) known.set(key, cost)
  return cost
}

function placeCost(letter: string, encoding: string): number {
  if (letter === '\ufffd' || /\p{Cc}|\p{Co}|\p{Cn}/u.test(letter)) return COST.unreadable
  const [lead = 0, trail] = encode(letter, nameInLibrary(encoding))
  if (trail === undefined) return lead >= 0xa1 && lead <= 0xdf ? COST.halfWidth : COST.symbol
  const [signs, first, last, least] = USUAL[encoding] ?? [0, 0, 0, 0]
  if (lead <= signs) return /\p{L}/u.test(letter) ? 12 : 8
  if (lead > last) return 13.5
  if (lead < first || trail < least) return 15
  return 10.3
}

/** The last lead byte of symbols, the first and last of common characters, and their minimum second byte. */
const USUAL: Readonly<Record<string, readonly [number, number, number, number]>> = {
  GBK: [0, 0xb0, 0xd7, 0xa1],
  GB18030: [0, 0xb0, 0xd7, 0xa1],
  Big5: [0xa3, 0xa4, 0xc6, 0x40],
  Shift_JIS: [0x84, 0x88, 0x98, 0x40],
  'EUC-JP': [0xa8, 0xb0, 0xcf, 0xa1],
  'EUC-KR': [0, 0xb0, 0xc8, 0xa1],
}
