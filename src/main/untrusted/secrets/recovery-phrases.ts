import { createHash } from 'node:crypto'
import { wordlist as chinese } from '@scure/bip39/wordlists/simplified-chinese.js'
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js'
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { wordlist as traditional } from '@scure/bip39/wordlists/traditional-chinese.js'
import { LABELS } from './secret-words.ts'

type Span = { from: number; to: number }
type Word = Span & { text: string }

const LISTS = [
  english,
  spanish,
  french,
  italian,
  portuguese,
  czech,
  japanese,
  korean,
  chinese,
  traditional,
] as const
/** How many words a phrase may have (BIP-39), the longest first. */
const LENGTHS = [24, 21, 18, 15, 12] as const
const SHORTEST = 12
/** Minimum number of different words. Phrases with fewer are examples, such as “abandon abandon … about”. */
const DIFFERENT = 4
/** A separate word: between white space, commas or numbers of a list. */
const WORD = /(?<![^\s,、;])(?:\d{1,2}[.):]\s?)?([\p{L}\p{M}]{1,16})(?=$|[\s,、;.])/gu
const BETWEEN = /^[\s,、;.\d):]{1,8}$/

let places: ReadonlyMap<string, ReadonlyMap<number, number>> | undefined

/** Map each word to its lists and its position there. Built for the first long run of words. */
function knownPlaces(): ReadonlyMap<string, ReadonlyMap<number, number>> {
  if (places) return places
  const made = new Map<string, Map<number, number>>()
  for (const [list, words] of LISTS.entries())
    for (const [place, word] of words.entries()) {
      const key = word.normalize('NFC')
      const known = made.get(key) ?? new Map<number, number>()
      made.set(key, known.set(list, place))
    }
  places = made
  return made
}

/** Find runs of at least twelve words separated only by blanks, commas and numbers. */
function* runsIn(text: string): Generator<Word[]> {
  let run: Word[] = []
  for (const { index, 0: found, 1: word = '' } of text.matchAll(WORD)) {
    const from = index + found.length - word.length
    const last = run.at(-1)
    if (last && !BETWEEN.test(text.slice(last.to, from))) {
      if (run.length >= SHORTEST) yield run
      run = []
    }
    run.push({ text: word.normalize('NFC').toLowerCase(), from, to: from + word.length })
  }
  if (run.length >= SHORTEST) yield run
}

/**
 * Find recovery phrases of wallets by their words and checksum, so that prose does not match. With `named`,
 * also finds any words after a name such as “seed phrase”.
 */
export function* recoveryPhrasesIn(text: string, { named }: { named: boolean }): Generator<Span> {
  for (const run of runsIn(text)) {
    const label = named && isNamed(text.slice(Math.max(0, run[0]!.from - 60), run[0]!.to), run)
    if (label) yield { from: run[0]!.from, to: run.at(-1)!.to }
    else yield* phrasesOf(run)
  }
  if (named) yield* namedAmongWords(text)
}

/** Words of prose that no phrase contains. */
const PROSE =
  /^(?:the|an?|is|are|was|of|in|on|to|and|for|it|der|die|das|ist|und|el|la|los|es|y|le|les|est|et|il|è|o|os|é)$/

/** Whether a name precedes or begins the run: “seed phrase apple river …”. */
function isNamed(before: string, run: readonly Word[]): boolean {
  const isLabelled = LABELS.phrase.test(before)
  LABELS.phrase.lastIndex = 0
  return isLabelled && !run.some(({ text }) => PROSE.test(text))
}

/** Find phrases in the same run of words as their name: “My recovery phrase is apple river …”. */
function* namedAmongWords(text: string): Generator<Span> {
  for (const { index, 0: label } of text.matchAll(LABELS.phrase)) {
    const from = index + label.length
    const tail = text
      .slice(from, from + 400)
      .replace(/^\s{0,3}(?:is|are|ist|lautet|es|est|è|é|:)?\s{0,3}/iu, '')
    const words = /^(?:[a-zà-ÿ]{3,12}[\s,]{1,2}){10,23}[a-zà-ÿ]{3,12}(?=\s*(?:[.!]|$))/u.exec(tail)?.[0]
    if (words !== undefined && !words.split(/[\s,]+/).some(word => PROSE.test(word)))
      yield { from: text.indexOf(words, from), to: text.indexOf(words, from) + words.length }
  }
}

function* phrasesOf(run: readonly Word[]): Generator<Span> {
  const known = knownPlaces()
  const lists = run.map(({ text }) => known.get(text))
  for (let at = 0; at + SHORTEST <= run.length; at++) {
    const length = LENGTHS.find(
      each => at + each <= run.length && isPhrase(lists.slice(at, at + each), run.slice(at, at + each)),
    )
    if (length === undefined) continue
    yield { from: run[at]!.from, to: run[at + length - 1]!.to }
    at += length - 1
  }
}

function isPhrase(
  lists: readonly (ReadonlyMap<number, number> | undefined)[],
  words: readonly Word[],
): boolean {
  if (lists.includes(undefined) || new Set(words.map(({ text }) => text)).size < DIFFERENT) return false
  return LISTS.some((_, list) => {
    const indexes = lists.map(each => each?.get(list))
    return !indexes.includes(undefined) && hasChecksum(indexes as number[])
  })
}

/** BIP-39: eleven bits per word; the last bits are the first bits of the SHA-256 of the rest. */
function hasChecksum(indexes: readonly number[]): boolean {
  const bits = indexes.map(index => index.toString(2).padStart(11, '0')).join('')
  const length = Math.floor((bits.length * 32) / 33)
  const entropy = Buffer.from(
    (bits.slice(0, length).match(/.{8}/g) ?? []).map(each => Number.parseInt(each, 2)),
  )
  const digest = createHash('sha256').update(entropy).digest()
  const sum = (digest[0] ?? 0).toString(2).padStart(8, '0')
  return sum.startsWith(bits.slice(length))
}
