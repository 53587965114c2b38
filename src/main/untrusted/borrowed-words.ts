/** A text prepared for searching words and numbers. */
export type Prepared = {
  /** The words in lower case, with a blank before and after each. */
  words: string
  /** The numbers of six or more digits, with only their digits. */
  numbers: string
  /** The text with white space collapsed, for addresses and codes. */
  letters: string
  /** A bit for each word, a quick test that rules out most texts without a given word; see `mayHold`. */
  bits: Uint8Array
}

/** How many words in a row count as taken. In a script without blanks, a letter counts as half a word. */
export const RUN = 8
/** Minimum number of digits of a number that counts. */
export const DIGITS = 6
/** Minimum length of a word that may be a code, such as a key or a password with digits. */
const CODE = 10

/** Scripts without blanks between words; each of their letters is taken as a word. */
const DENSE = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map(script => String.raw`\p{Script=${script}}`)
  .join('')
const WORD = new RegExp(String.raw`[${DENSE}]|[[\p{L}\p{N}]--[${DENSE}]]+`, 'gv')
/** A number, possibly in groups, such as a phone or card number. */
const NUMBER = /\d(?:[ .,/()+:_-]{0,2}\d)*/g
/** Years and recent dates, which are too common to count. */
export const TIME = /^(?:(?:19|20)\d\d)+$|^20[12-4]\d(?:0\d|1[0-2])(?:[0-2]\d|3[01])?$/
const ADDRESS = /https?:\/\/[^\s<>"']+|[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/gi
/** Spelled-out words, such as “h u n t e r”. */
const SPELT = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ .\-_][\p{L}\p{N}](?![\p{L}\p{N}])){3,}/gu

/** Cyrillic and Greek letters, and the Latin letters that they resemble. */
const [OTHERS, LATIN] = ['аеорсухіјѕһԁԛԝѵɑɡοιανρυκτ', 'aeopcyxijshdqwvagoiavpukt']
const LOOKS_LATIN = new RegExp(`[${OTHERS}]`, 'g')

/** Normalise a text: escapes, wide letters, accents, invisible letters, letters of other scripts. */
export function plainText(text: string): string {
  return unescapeText(text)
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll(/\p{Nd}/gu, asDigit)
    .toLowerCase()
    .replaceAll(LOOKS_LATIN, letter => LATIN[OTHERS.indexOf(letter)]!)
}

/** Decode percent escapes, even if they were escaped twice. */
function unescapeText(text: string): string {
  let plain = text
  for (let left = 3; left > 0 && /%[0-9a-f]{2}/i.test(plain); left--)
    plain = plain.replaceAll(/(?:%[0-9a-f]{2})+/gi, escaped => {
      const bytes = Uint8Array.from(escaped.slice(1).split('%'), byte => Number.parseInt(byte, 16))
      return new TextDecoder().decode(bytes)
    })
  return plain
}

/** Convert a digit of any script. The digits of a script are consecutive, starting with zero. */
function asDigit(letter: string): string {
  const code = letter.codePointAt(0)!
  let zero = code
  while (zero > code - 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--
  return code < 128 ? letter : String((code - zero) % 10)
}

/** Split a normalised text into words. */
export const splitWords = (plain: string): string[] =>
  plain.replaceAll(SPELT, spelt => spelt.replaceAll(/[ .\-_]/g, '')).match(WORD) ?? []
const weightOf = (word: string) => (/^[\p{L}\p{N}]$/u.test(word) && word > '\u0E00' ? 0.5 : 1)
/** The weight of joined words, in words. */
export const weighWords = (words: string) => words.split(' ').reduce((sum, word) => sum + weightOf(word), 0)
/** Join words as they are in a prepared text. */
export const sayWords = (words: readonly string[]) => ` ${words.join(' ')} `
const numbersOf = (plain: string) =>
  (plain.match(NUMBER) ?? [])
    .map(found => found.replaceAll(/\D/g, ''))
    .filter(found => found.length >= DIGITS)

/** Prepare a text for searching. */
export function prepareText(text: string): Prepared {
  const plain = plainText(text)
  const words = splitWords(plain)
  return {
    words: sayWords(words),
    bits: bitsOf(words),
    numbers: numbersOf(plain).join(' '),
    letters: plain.replaceAll(/\s+/g, ' '),
  }
}

/** Set a bit for each word, with at least eight bits per word to keep false matches rare. */
function bitsOf(words: readonly string[]): Uint8Array {
  const bits = new Uint8Array(2 ** Math.ceil(Math.log2(Math.max(32, words.length))))
  for (const word of words) {
    const at = hashOf(word) % (bits.length * 8)
    bits[at >> 3]! |= 1 << (at & 7)
  }
  return bits
}

function hashOf(word: string): number {
  let hash = 5381
  for (let at = 0; at < word.length; at++) hash = (Math.imul(hash, 33) ^ word.charCodeAt(at)) >>> 0
  return hash
}

/** Whether a text may contain words with these hashes; false is certain. */
const mayHold = ({ bits }: Prepared, hashes: readonly number[]): boolean =>
  hashes.every(hash => {
    const at = hash % (bits.length * 8)
    return (bits[at >> 3]! & (1 << (at & 7))) !== 0
  })

/** Create a test whether joined words occur in a text in this order. */
export function makeHolds(words: string): (text: Prepared) => boolean {
  const hashes = words.trim().split(' ').map(hashOf)
  return text => mayHold(text, hashes) && text.words.includes(words)
}

/** The texts to compare: those of others, and the user's own, whose words may be sent anywhere. */
export type Compared = { others: readonly Prepared[]; own: readonly Prepared[] }

/** From each word on, the shortest run of words that reaches this weight. */
function runsOf(words: readonly string[], weight: number): string[][] {
  return words.flatMap((_, from) => {
    let weighs = 0
    for (let to = from; to < words.length; to++) {
      weighs += weightOf(words[to]!)
      if (weighs >= weight) return [words.slice(from, to + 1)]
    }
    return []
  })
}

/**
 * Find what a text takes from texts of others and not from own ones: runs of eight words, or of `least`;
 * numbers of six or more digits; addresses; codes. Returns them in normalised form.
 */
export function findBorrowed(text: string, { others, own }: Compared, least = RUN): string[] {
  const plain = plainText(text)
  const isBorrowed = (part: string, of: 'words' | 'numbers' | 'letters') => {
    const holds = of === 'words' ? makeHolds(part) : (each: Prepared) => each[of].includes(part)
    return others.some(holds) && !own.some(holds)
  }
  const runs = runsOf(splitWords(plain), least).map(run => sayWords(run))
  const addresses = (plain.match(ADDRESS) ?? []).map(found =>
    found.replace(/(?<![.,;:!?)\]}])[.,;:!?)\]}]+$/, ''),
  )
  const codes = plain
    .split(/\s+/)
    .map(word => word.replaceAll(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, ''))
    .filter(word => word.length >= CODE && /\p{L}/u.test(word) && (word.match(/\d/g) ?? []).length >= 3)
  return [
    ...new Set([
      ...joinRuns(runs.filter(run => isBorrowed(run, 'words'))),
      ...numbersOf(plain).filter(found => !TIME.test(found) && isBorrowed(found, 'numbers')),
      ...addresses.filter(found => isBorrowed(found, 'letters')),
      ...codes.filter(found => isBorrowed(found, 'letters')),
    ]),
  ]
}

/** Merge overlapping runs. */
function joinRuns(runs: readonly string[]): string[] {
  const whole: string[] = []
  for (const run of runs.map(each => each.trim())) {
    const last = whole.at(-1)
    const [first = '', ...rest] = run.split(' ')
    const overlap = rest.slice(0, -1).join(' ')
    if (last !== undefined && overlap !== '' && last.endsWith(overlap))
      whole[whole.length - 1] = `${last} ${rest.at(-1)}`
    else whole.push([first, ...rest].join(' '))
  }
  return whole
}

/** Find parts that look encoded: Base64, a key or a row of character codes. Own texts do not count. */
export function findEncoded(text: string, own: readonly Prepared[]): string[] {
  const plain = text.normalize('NFKC')
  const isOwn = (part: string) => own.some(each => each.letters.includes(plainText(part)))
  const tokens = plain.split(/\s+/).flatMap(word => word.match(/[\w+/=~-]{16,}/g) ?? [])
  const rows = plain.match(/(?<!\d)\d{2,3}(?:[ ,;.-]{1,2}\d{2,3}){5,}(?!\d)/g) ?? []
  return [...tokens.filter(isEncoded), ...rows].filter(part => !isOwn(part))
}

/** Minimum share of changes between kinds of characters in encoded text; words and names have fewer. */
const CHANGES = 0.4

function isEncoded(token: string): boolean {
  if (/^(?:[0-9a-f]{2}){8,}$/i.test(token)) return true
  if (/^[A-Z2-7]{16,}=*$/.test(token) && (/\d/.test(token) || token.endsWith('='))) return true
  // Words with hyphens or in snake case, and paths of them, are not encoded.
  if (
    /^[a-z]+(?:[-_/][a-z0-9]{1,12})*$/i.test(token) &&
    !/\d\D+\d\D+\d/.test(token) &&
    !/[a-z][A-Z][a-z][A-Z]/.test(token)
  )
    return decodesToText(token)
  const kinds = token
    .split('')
    .map(letter => (/\d/.test(letter) ? 'd' : /[a-z]/.test(letter) ? 'l' : /[A-Z]/.test(letter) ? 'u' : 'o'))
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length
  return changes / token.length >= CHANGES || /[^=]={1,2}$/.test(token) || decodesToText(token)
}

/** Whether a token is the Base64 of plain text. */
function decodesToText(token: string): boolean {
  const bytes = Buffer.from(token.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
  return bytes.length >= 12 && bytes.every(byte => byte === 10 || (byte >= 32 && byte < 127))
}
