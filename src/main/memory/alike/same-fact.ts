import { sayCharacters, usesCharacters } from './same-characters.ts'
import { EMPTY, FORMS, NUMBERS, OPENING, OWNER, PART_BEGINS, SAME_MEANING, SUBJECT } from './fact-words.ts'

// Whether two entries say the same. “Likes green tea” and “The user prefers green tea” do; with another
// colour, number, name or a “not” they do not. Every word is compared: words not known to be equal differ.

/** Longer entries are equal only if they match word for word. */
const MOST_CHARS = 400

/** Whether entries differ only in spaces, case, stops and subject: “I live in Graz”, “User lives in Graz”. */
export const sameWording = (a: string, b: string): boolean =>
  bare(a) === bare(b) || agree(a, b, (left, right) => left.join(' ') === right.join(' '))

/** Whether two entries state the same fact in different words or word order, as far as words can show. */
export const sayTheSame = (a: string, b: string): boolean =>
  bare(a) === bare(b) ||
  agree(a, b, (left, right) => {
    const [one, other] = [withLists(withMeanings(left)), withLists(withMeanings(right))]
    return isTurned(one, other) || isTurned(other, one)
  })

function agree(a: string, b: string, isSame: (left: string[], right: string[]) => boolean): boolean {
  if (!isWithinReach(a) || !isWithinReach(b)) return false
  if (usesCharacters(a) || usesCharacters(b)) return sayCharacters(a) === sayCharacters(b)
  const isGerman = GERMAN.test(a) || GERMAN.test(b)
  const [left, right] = [wordsOf(a, isGerman), wordsOf(b, isGerman)]
  return left.length > 0 && isSame(left, right)
}

const isWithinReach = (text: string): boolean => text.length <= MOST_CHARS

/** A text in lower case, with single spaces and without final full stops. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .replace(/(?<![\s.!。！])[\s.!。！]+$/u, '')
    .trim()

const GERMAN = /^(?:ich|(?:der |die )?(?:be)?nutzer(?:in)?)(?!\p{L})/iu
/** Words, numbers, and signs that make a difference: “C” and “C++”, “< 5” and “> 5”. */
const WORD = /(?<![\p{L}\d])-?\d+(?:[.,:/-]\d+)*|\p{L}[\p{L}\p{M}]*[+#]*|[%€$£¥<>=]/gu
/** Capital letters that are not articles: “Blood type A”, “lives in LA”. */
const CAPITALS = /(?<=\S\s)(?!I(?!\p{L}))\p{Lu}{1,3}(?![\p{L}\p{M}'])/gu
const words = (text: string): string[] => text.match(WORD) ?? []

/** The meaningful words of an entry, without its subject. The first verb has one form for all persons. */
function wordsOf(text: string, isGerman: boolean): string[] {
  const said = text
    .normalize('NFKC')
    .replaceAll('’', "'")
    .replace(/^[\s"“”'*•-]+/u, '')
    .replace(OPENING, '')
  const owned = OWNER.test(said)
  const fact = said
    .replace(owned ? OWNER : SUBJECT, '')
    .replaceAll(CAPITALS, capitals => (EMPTY.has(capitals.toLowerCase()) ? `letters${capitals}` : capitals))
    .toLowerCase()
    .replaceAll(/\b(?:the )?user's\b|\btheir\b/g, 'my')
    .replaceAll(/\b(?:the )?user\b/g, 'me')
    .replaceAll(/\b(?:cannot|can't)\b/g, 'can not')
    .replaceAll(/\b(could|would|do|does|did|is|are|was|has|have)n't\b/g, '$1 not')
    .replaceAll(/\b(?:do|does) not\b/g, 'not')
    .replaceAll(/'(?:s|m|re)\b/g, ' ')
    .replaceAll(/\b(?:very much|a lot)\b/g, ' ')
    .replaceAll(
      /(?:\b(?:is|am|are) |^\s*)(?:very |really )?(?:fond of|a (?:big |huge )?(?:fan|lover) of)\b/g,
      'like',
    )
    .replace(/^(?:am |is )?work(?:s|ing)? as /, ' ')
    .replaceAll(/\b(?:(?:was|is|am) )?born on\b|\bbirthday is (?:on )?/g, 'birthday ')
    .replaceAll(/\b(\d{4})-(\d\d)-(\d\d)\b/g, (_, year: string, month: string, day: string) =>
      [String(Number(day)), MONTHS[Number(month) - 1], year].join(' '),
    )
    .replaceAll(/\b(\d{1,2})(?:st|nd|rd|th)\b/g, '$1')
    .replaceAll(/\b(\d{1,2}) of (?=\p{L})/gu, '$1 ')
  const [first = '', ...others] = words(fact).filter(word => !EMPTY.has(word))
  const atVerb = ADVERBS.has(first) ? others.findIndex(word => !ADVERBS.has(word)) + 1 : 0
  const all = [first, ...others].map((word, at) => {
    const plain = isGerman ? germanVerb(word, at === atVerb) : englishVerb(word, at === atVerb && !owned)
    return NUMBERS.get(plain) ?? FORMS.get(plain) ?? plain
  })
  return dayFirst(owned ? all.filter((word, at) => at !== 0 || !TRADE.has(word)) : all).filter(
    word => word !== '',
  )
}

const ADVERBS = new Set(
  'always never usually often only still currently mostly sometimes rarely immer nie oft meist'.split(' '),
)
/** Words for a job: “My profession is baker” equals “works as a baker”. */
const TRADE = new Set(['job', 'profession', 'occupation', 'beruf'])
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
const VERBS = new Set(
  'works lives likes loves enjoys prefers uses speaks drinks eats plays hates dislikes wants needs studies teaches drives reads writes cooks wears owns'.split(
    ' ',
  ),
)

function englishVerb(word: string, isVerb: boolean): string {
  if (!isVerb && !VERBS.has(word)) return word
  if (/(?:ss|us|is)$|^.{1,3}$/.test(word)) return word
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, 'y')
  return word.replace(/(?<=ch|sh|x|ss|zz|o)es$|s$/, '')
}

/** One form for “trinke” and “trinkt”. Words in the tables keep their form. */
const germanVerb = (word: string, isVerb: boolean): string =>
  !isVerb || FORMS.has(word) || SAME_MEANING.has(word) || word.length < 5
    ? word
    : word.replace(/(?<=[dt])(?:et|e)$|(?<![dt])(?:t|e)$/, '')

/** Put the day before the month: “May 5” becomes “5 may”. */
function dayFirst(all: readonly string[]): string[] {
  const found = [...all]
  for (const [at, word] of all.entries())
    if (MONTHS.includes(word) && /^\d{1,2}$/.test(all[at + 1] ?? '') && !/^\d{1,2}$/.test(all[at - 1] ?? ''))
      [found[at], found[at + 1]] = [all[at + 1]!, word]
  return found
}

const withMeanings = (said: readonly string[]): string[] => {
  const plain = said.map(word => SAME_MEANING.get(word) ?? word)
  return plain.flatMap((word, at) =>
    word === 'not' && plain[at + 1] === 'like'
      ? []
      : plain[at - 1] === 'not' && word === 'like'
        ? ['dislike']
        : [word],
  )
}

const AND = new Set(['and', 'or', 'und', 'oder', 'et', 'ou', 'y', 'e', 'o'])

/** Sort the words of lists such as “nuts and shellfish”, if each is a single word after the shared part. */
function withLists(said: readonly string[]): string[] {
  const found = [...said]
  for (const [at, word] of said.entries()) {
    const [before, left, right, after] = [said[at - 2], said[at - 1], said[at + 1], said[at + 2]]
    if (!AND.has(word) || left === undefined || right === undefined) continue
    const isShort = before !== undefined && (LISTS_AFTER.has(before) || PART_BEGINS.has(before))
    const isEnd = after === undefined || PART_BEGINS.has(after)
    if (isShort && isEnd && !/\d/.test(left + right) && !isFixed(left) && !isFixed(right) && left > right)
      [found[at - 1], found[at + 1]] = [right, left]
  }
  return found
}
const LISTS_AFTER = new Set(
  'like dislike speak drink eat play use read have mag trink spreche esse name aime gusta piace gosto'.split(
    ' ',
  ),
)
const isFixed = (word: string) => /^(?:not|no|never|nicht|kein\p{L}*|pas|non|não|nie)$/u.test(word)

/**
 * Whether the words are equal, also with a phrase moved from the end to the beginning: “on Fridays works from
 * home”. No other order is tried: “prefers tea to coffee” and “prefers coffee to tea” have the same words.
 */
function isTurned(said: readonly string[], other: readonly string[]): boolean {
  if (said.length !== other.length) return false
  const wanted = other.join(' ')
  return said.some(
    (word, at) =>
      (at === 0 || PART_BEGINS.has(word)) && [...said.slice(at), ...said.slice(0, at)].join(' ') === wanted,
  )
}
