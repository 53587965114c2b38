import { stemmer } from 'stemmer'
import { pairsOf, foldText, splitUnspaced } from '../../lib/words/index-words.ts'
import { foldWord, keptSpellings, spellingsOf, spellOut } from '../../lib/words/spellings.ts'

/** One search term: a word, phrase, prefix, letters of an unspaced script, or letters inside words. */
export type SearchTerm = {
  /** The term as an FTS5 expression. */
  match: string
  kind: 'words' | 'begun' | 'unspaced' | 'inside'
  /** The stems in order; the last one may be a prefix. For an unspaced script, the letters. */
  stems: readonly string[]
  /** The stems of the words spelled out, as Strasse for Straße; absent if there is only one spelling. */
  spelled?: readonly string[]
  /** The words as given. */
  words?: readonly string[]
}

/**
 * Return whether texts really contain a term's spelling, given an index expression for it. `isSure`: the
 * expression matches nothing else.
 */
export type IsWritten = (match: string, term: SearchTerm, isSure: boolean) => boolean

/** A parsed search query. */
export type ParsedQuery = {
  /** The required expression in FTS5 syntax, if the query uses operators. */
  must: string | undefined
  /** The significant terms. */
  wanted: SearchTerm[]
  /** The stop words of the query. */
  everyday: SearchTerm[]
  /** Excluded terms, as FTS5 expressions. */
  unwanted: string[]
}

/** A parser's input besides the terms found so far. */
type Asking = { isWritten: IsWritten }

/** Limits of a query; longer ones are cut, because every word takes time. */
const MAX_CHARS = 1_000
const MAX_WORDS = 40
const MAX_DEPTH = 20
const JOINED =
  /(?<![\p{L}\p{N}\p{M}\p{Co}])[\p{L}\p{N}\p{M}\p{Co}]+(?:[-_./\\@:#+&]+[\p{L}\p{N}\p{M}\p{Co}]+)+/gu
const PART = /"[^"]*"?|[()]|[^\s"()]+/g
const OPERATOR = /^(?:AND|OR|NOT)$/

/**
 * Parse a query written by a model or the user. “Quoted phrases”, `AND`, `OR`, `NOT`, parentheses and `word*`
 * are operators; everything else is words. Every text is a valid query.
 */
export function parseQuery(query: string, isWritten: IsWritten = () => false): ParsedQuery {
  const text = query
    .slice(0, MAX_CHARS)
    .toWellFormed()
    .replace(/[“”„«»]/g, '"')
  const parts = text.match(PART) ?? []
  const ask: ParsedQuery & Asking = { must: undefined, wanted: [], everyday: [], unwanted: [], isWritten }
  // In a query written all in capitals, AND, OR and NOT are not operators.
  const operators = parts.some(part => OPERATOR.test(part)) && /\p{Ll}/u.test(text)
  if (operators) {
    ask.must = createReader(parts, ask).any(0, false)
  } else {
    const phrases = parts.filter(part => part.startsWith('"')).flatMap(part => collect(part, ask))
    for (const part of parts) if (!part.startsWith('"')) collect(part, ask)
    if (phrases.length > 0) ask.must = phrases.map(phrase => phrase.match).join(' AND ')
  }
  if (ask.wanted.some(wanted => wanted.kind === 'unspaced')) ask.must = undefined
  ask.wanted = unique(ask.wanted)
  ask.everyday = unique(ask.everyday)
  const { isWritten: _, ...parsed } = ask
  return parsed
}

/** Parse an expression like FTS5, but tolerate errors: missing parts are left out. */
function createReader(parts: readonly string[], ask: ParsedQuery & Asking) {
  let at = 0

  function any(depth: number, negated: boolean): string | undefined {
    const found: string[] = []
    do {
      const one = all(depth, negated)
      if (one !== undefined) found.push(one)
    } while (parts[at] === 'OR' && ++at)
    return joined(found, ' OR ')
  }

  function all(depth: number, negated: boolean): string | undefined {
    const wanted: string[] = []
    const unwanted: string[] = []
    let not = false
    for (; at < parts.length && parts[at] !== 'OR'; at++) {
      const part = parts[at]!
      if (part === ')' && depth > 0) break
      if (part === 'NOT') not = true
      if (OPERATOR.test(part) || part === ')') continue
      let one: string | undefined
      if (part === '(' && depth < MAX_DEPTH) {
        at++
        one = any(depth + 1, negated !== not)
        // The end of the text closes open parentheses.
        if (at >= parts.length) at = parts.length - 1
      } else one = leaf(part, negated !== not)
      if (one !== undefined) (not ? unwanted : wanted).push(one)
      not = false
    }
    const positive = joined(wanted, ' AND ')
    return positive !== undefined && unwanted.length > 0
      ? `(${positive} NOT ${joined(unwanted, ' OR ')})`
      : positive
  }

  function leaf(part: string, negated: boolean): string | undefined {
    // Exclude only words that are certainly the same.
    const into: ParsedQuery & Asking = negated
      ? {
          must: undefined,
          wanted: [],
          everyday: [],
          unwanted: [],
          isWritten: (match, term, isSure) => isSure && ask.isWritten(match, term, isSure),
        }
      : ask
    const found = collect(part, into).map(wanted => wanted.match)
    if (negated) ask.unwanted.push(...found)
    return joined(found, ' AND ')
  }
  return { any }
}

const joined = (parts: readonly string[], by: string): string | undefined =>
  parts.length > 1 ? `(${parts.join(by)})` : parts[0]

/** Collect the terms of one part of the query. Returns those for the expression. */
function collect(part: string, ask: ParsedQuery & Asking): SearchTerm[] {
  if (ask.wanted.length + ask.everyday.length > MAX_WORDS) return []
  if (part.startsWith('"')) {
    const phrase = wordsIn(part)
    if (phrase.some(isUnspaced)) return phrase.flatMap(word => ofWord(word, ask))
    if (phrase.length === 0) return []
    const wanted = inOrder(phrase, ask.isWritten)
    ask.wanted.push(wanted)
    return [wanted]
  }
  if (/[\p{L}\p{N}]\*$/u.test(part)) {
    const words = wordsIn(part)
    if (!words.some(isUnspaced)) {
      const wanted = begunWith(words, ask.isWritten)
      ask.wanted.push(wanted)
      return [wanted]
    }
  }
  // A compound such as foo_bar, 3.22.1 or me@here.org is one term, and its words are further terms.
  const things = (part.match(JOINED) ?? [])
    .map(wordsIn)
    .filter(words => words.length > 1 && !words.some(isUnspaced))
  const compounds = things.filter(words => words.some(isTelling)).map(words => inOrder(words, ask.isWritten))
  ask.wanted.push(...compounds)
  const words = wordsIn(part.replace(/['’]s(?![\p{L}\p{N}])/gu, ''))
    // Short numbers, as in versions, are everywhere.
    .filter(word => compounds.length === 0 || !/^\p{N}{1,2}$/u.test(word))
    .flatMap(word => ofWord(word, ask))
  return compounds.length === 1 && things.length === 1 ? compounds : words
}

/** Collect a word, with stop words kept apart. Returns it unless it is a stop word. */
function ofWord(word: string, ask: ParsedQuery & Asking): SearchTerm[] {
  const { spaced, runs } = splitUnspaced(word)
  const words = spaced.map(part => inOrder([part], ask.isWritten))
  if (runs.length === 0 && !isTelling(word)) {
    ask.everyday.push(...words)
    return []
  }
  const pieces = runs.flatMap(letters => (letters.length > 1 ? pairsOf(letters) : letters)).map(unspaced)
  ask.wanted.push(...words, ...pieces)
  return [...words, ...pieces]
}

const wordsIn = (text: string): string[] => text.match(WORD) ?? []
const isUnspaced = (word: string) => splitUnspaced(word).runs.length > 0
const isTelling = (word: string) => !isStopWord(foldText(word))

const inOrder = (words: readonly string[], isWritten: IsWritten): SearchTerm =>
  inAnySpelling(
    { match: '', kind: 'words', stems: words.map(word => stemOf(foldWord(word))), words },
    isWritten,
  )
/** Return a term for words in order, of which the last one may be incomplete. */
const begunWith = (words: readonly string[], isWritten: IsWritten): SearchTerm => {
  const stems = words.map((word, at) => (at < words.length - 1 ? stemOf(foldWord(word)) : foldWord(word)))
  return inAnySpelling({ match: '', kind: 'begun', stems, words }, isWritten)
}

/** Maximum number of spellings to search for per term. */
const MAX_SPELLINGS = 12

/** Return the term with an expression that finds all spellings of its words. */
function inAnySpelling(term: SearchTerm & { words: readonly string[] }, isWritten: IsWritten): SearchTerm {
  const { words, kind } = term
  const expression = (given: readonly string[]) => `"${given.join(' ')}"${kind === 'begun' ? '*' : ''}`
  const known = words.map(spellingsOf)
  const [word = '', ...more] = words
  const kept = more.length > 0 ? [] : keptSpellings(word).map(each => expression([each]))
  const alsoKept = kept.filter(each => isWritten(each, term, true))
  if (known.every(({ sure, doubtful }) => sure.length + doubtful.length === 1))
    return { ...term, match: anyOf([expression(words), ...alsoKept]) }
  const spelled = words.map((word, at) =>
    kind === 'begun' && at === words.length - 1 ? spellOut(word) : stemOf(spellOut(word)),
  )
  const full = { ...term, spelled }
  const sure = inTurn(known.map(each => each.sure)).map(expression)
  const doubtful = inTurn(known.map(each => [...each.sure, ...each.doubtful])).map(expression)
  // Always search for the words as given.
  const first = expression(words)
  const others = [...new Set([...sure, ...doubtful])].filter(
    each => each !== first.toLowerCase() && isWritten(each, full, sure.includes(each)),
  )
  return { ...full, match: anyOf([...new Set([first, ...others, ...alsoKept])].slice(0, MAX_SPELLINGS)) }
}

const anyOf = (all: readonly string[]): string => (all.length === 1 ? all[0]! : `(${all.join(' OR ')})`)

/** Return all combinations of one item from each list, up to the limit. */
function inTurn(lists: readonly (readonly string[])[]): string[][] {
  let found: string[][] = [[]]
  for (const list of lists)
    found = list.flatMap(each => found.map(begun => [...begun, each])).slice(0, MAX_SPELLINGS)
  return found
}
const unspaced = (letters: string): SearchTerm => ({
  match: /^.$/u.test(letters) ? `"${letters}"*` : `"${letters}"`,
  kind: 'unspaced',
  stems: [letters],
})

/** Return the query with its last word also as a prefix. */
export function withLastAsPrefix(
  ask: ParsedQuery,
  query: string,
  isWritten: IsWritten = () => false,
): ParsedQuery {
  const [last] = query.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]{3,}$/u) ?? []
  if (last === undefined || isUnspaced(last) || !isTelling(last)) return ask
  return { ...ask, wanted: [...ask.wanted, begunWith([last], isWritten)] }
}

/** Return a term for letters anywhere inside words, such as a part of a German compound. */
export const insideTerm = (word: string): SearchTerm => ({
  match: '',
  kind: 'inside',
  stems: [foldWord(word)],
  spelled: [spellOut(word)],
})

/** Return a term for verbatim text, such as punctuation. */
export const literalTerm = (text: string): SearchTerm => ({
  match: '',
  kind: 'unspaced',
  stems: [foldText(text)],
})

const unique = (all: readonly SearchTerm[]): SearchTerm[] => [
  ...new Map(
    all.map(wanted => [`${wanted.kind} ${(wanted.spelled ?? wanted.stems).join(' ')}`, wanted]),
  ).values(),
]

/** Words so common in English that they say nothing about the topic. */
const STOP_WORDS = new Set(
  `a about above after again all also an and any are aren as at be been before being below between both but by can could
  d did didn do does doesn doing don done down during each every few for from further had has hasn have haven having he her
  here hers herself him himself his how i if in into is isn it its itself just ll m may me might mine more most must my
  myself no nor not o of off on once only or other our ours ourselves out over own re s same shall she should so some such
  t than that the their theirs them themselves then there these they this those through to too under until up us ve very
  was wasn we were weren what when where which while who whom whose why will with would y you your yours yourself
  please tell remember recall find search know`
    .trim()
    .split(/\s+/),
)

/** Longer tokens are not words and only slow stemming down. */
const MAX_WORD_CHARS = 64

/** Cache of stems; the same words come up constantly. */
const stems = new Map<string, string>()
const MAX_STEMS = 50_000

/** Matches words, split like the word index splits them. */
export const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** Return whether a lower-case word is a stop word. */
const isStopWord = (word: string): boolean => STOP_WORDS.has(word)

/** Return the form in which a word is indexed: its Porter stem. */
export function stemOf(word: string): string {
  if (word.length < 3 || word.length > MAX_WORD_CHARS) return word
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MAX_STEMS) stems.clear()
  const stem = stemmer(word)
  stems.set(word, stem)
  return stem
}
