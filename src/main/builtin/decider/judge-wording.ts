import { contentIn, wordsIn } from '../../agent/compaction/summary-words.ts'
import type { WordingFault } from '../../agent/turn-types.ts'

/** The question, the call's arguments and result, and the earlier answers. */
export type Worded = {
  asked: string
  given: Readonly<Record<string, unknown>>
  result: string
  earlier: readonly string[]
}

/** Maximum share of words in an answer that are neither in the result nor in the question. */
export const STRICT = 0.2
export const LENIENT = 0.45
/**
 * Minimum share of words in an answer that are in the result but not in the question. Below it the answer
 * says nothing about the result.
 */
const FROM_RESULT = 0.25
/** Minimum share of three-word runs in common with an earlier answer to count as a repetition. */
const SAME = 0.75
/** Maximum number of answers to compare, newest first. */
const MOST_COMPARED = 40

/** Maximum number of unknown words; with more, an answer is astray if they are most of it. */
const MOST_ASTRAY = 4

/** Words that answers use around the facts. */
const AROUND = contentIn(
  `file files folder folders directory list lists listed listing show shows shown content contents text line lines here contain contains
  containing includes include found find finds named called says say said following follows look looked looking read reading see seen open opened
  opening result results entry entries item items let know help need more anything else sure please note notes name names first second last only
  two three four five several write wrote written save saved saving remember remembered create created change changed replace replaced run ran
  byte bytes exit code matches command output total number size empty done now tool current today day date time yes no ok okay some other both each like get got`,
)

/** The answer claims that the model cannot do what was just done. */
const DENIES =
  /\b(?:i(?:'m| am)? ?(?:not able|unable)|i (?:can(?:'|no)?t|cannot|don't|do not|didn't|did not) (?:have|see|read|access|open|find|know|view|run|list)|as an ai|no access|unable to)\b/i

/**
 * A path, a file with its extension, or a number. File names have at most 255 characters. Each match must
 * start at the beginning of its run of characters.
 */
const EXACT =
  /(?<![\p{L}\p{N}_.~-])[\p{L}\p{N}_.~-]{0,255}(?:\/[\p{L}\p{N}_.-]+)+|(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]{1,255}\.[a-z]\w{0,4}\b|\p{N}[\p{N}.,:]*\p{N}|\p{N}/giu
/** The number of a list item. */
const POINT = /^[ \t]*(\d{1,2})[.)]/gm
/** Sizes after names, which nobody asked for. */
const SIZE = /\(\d[\d.,]* ?(?:bytes?|[kKMG]i?B)\)/g
/** A quotation, or code. */
const QUOTED = /```[^`\n]*\n([^]*?)(?:```|$)|`([^`\n]+)`|["“]([^"”\n]{3,1000})["”]/gu

/**
 * Why a weak model's answer does not state the result of a call; undefined if it does. The answer may contain
 * words, names, numbers or quotations from nowhere, say nothing of the result, deny what was done, or repeat
 * an earlier answer. `mostUnknown`: maximum share of words from nowhere.
 */
export function judgeWording(
  answer: string,
  { asked, given, result, earlier }: Worded,
  mostUnknown: number,
): WordingFault | undefined {
  const text = answer.replaceAll('’', "'")
  const known = readKnown({ asked, given, result })
  if (DENIES.test(text) || !isExact(text, known)) return isAgain(text, earlier) ?? 'unfounded'
  const { content, unknown } = ownWords(text, known)
  const isOwn = unknown.length > Math.max(1, mostUnknown * content.length)
  const isNew = (word: string) => known.inResult.has(word) && !known.inQuestion.has(word) && !AROUND.has(word)
  const hasNews = [...known.inResult].some(isNew)
  const news =
    content.filter(isNew).length +
    exactsIn(text).filter(exact => !known.question.includes(inOneLine(exact))).length
  const isSilent = hasNews && news < Math.max(1, FROM_RESULT * content.length)
  return isOwn || isSilent ? (isAgain(text, earlier) ?? 'unfounded') : undefined
}

/** Whether an unfinished answer is already astray: most of its words, or a name, are from nowhere. */
export function isAstray(begun: string, worded: Worded): boolean {
  const known = readKnown(worded)
  // The last word may be incomplete, and the last quotation may be unfinished.
  const text = begun.replaceAll('’', "'").replace(/(?<!\S)\S*$/, '')
  const isOpen = (text.match(/[`"“”]/g) ?? []).length % 2 === 1
  if (DENIES.test(text) || (!isOpen && !isExact(text, known))) return true
  const { content, unknown } = ownWords(text, known)
  return unknown.length > MOST_ASTRAY && unknown.length > content.length / 2
}

/** A file name with a common extension, or a path with at least two slashes. */
const FILE_NAME =
  /(?<![\p{L}\p{N}_.~-])[\p{L}\p{N}_.~-]{0,255}(?:\/[\p{L}\p{N}_.-]+){2,}|(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]{1,255}\.(?:md|txt|csv|tsv|py|js|ts|json|ya?ml|toml|ini|log|pdf|docx?|xlsx?|html?|sh)\b/giu

/** Whether an answer names a file or path that does not occur in the text before it. */
export function namesUnread(answer: string, before: readonly string[]): boolean {
  const known = inOneLine(before.join('\n'))
  // A web address does not count as a path.
  const bare = answer.replaceAll(/\b\w+:\/\/\S+/g, ' ')
  return [...bare.matchAll(FILE_NAME)].some(
    ([name]) => !known.includes(inOneLine(name.replace(/(?<![.])[.]+$/, ''))),
  )
}

type Known = {
  question: string
  everywhere: string
  inQuestion: ReadonlySet<string>
  inResult: ReadonlySet<string>
}

function readKnown({ asked, given, result }: Omit<Worded, 'earlier'>): Known {
  const around = `${asked}\n${Object.values(given).map(writeValue).join('\n')}`
  return {
    question: inOneLine(around),
    everywhere: inOneLine(`${result}\n${around}`),
    inQuestion: contentIn(around),
    inResult: contentIn(result.replaceAll(SIZE, '')),
  }
}

/** The content words of an answer, and those that are in neither the result nor the question. */
function ownWords(text: string, { inResult, inQuestion }: Known): { content: string[]; unknown: string[] } {
  const content = [...contentIn(text)].filter(word => !AROUND.has(word) && !/^\d/.test(word))
  return { content, unknown: content.filter(word => !inResult.has(word) && !inQuestion.has(word)) }
}

const exactsIn = (text: string): string[] =>
  [...text.matchAll(EXACT)].map(([exact]) => exact.replace(/(?<![.,:])[.,:]+$/, ''))

/** Whether all file names, numbers and quotations are in the result or question. List numbers are ignored. */
function isExact(text: string, { everywhere }: Known): boolean {
  const points = new Set([...text.matchAll(POINT)].map(([, point]) => point))
  const quoted = [...text.matchAll(QUOTED)].map(([, block, code, words]) => block ?? code ?? words ?? '')
  return [...exactsIn(text).filter(exact => !points.has(exact)), ...quoted].every(exact =>
    everywhere.includes(inOneLine(exact)),
  )
}

const isAgain = (text: string, earlier: readonly string[]): 'same' | undefined => {
  const runs = runsOf(text)
  const isSame = (other: string) => {
    const theirs = runsOf(other)
    return runs.size > 0 && runs.intersection(theirs).size >= SAME * Math.max(runs.size, theirs.size)
  }
  return earlier.slice(-MOST_COMPARED).some(isSame) ? 'same' : undefined
}

const runsOf = (text: string): Set<string> => {
  const words = wordsIn(text)
  return new Set(words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`))
}

const inOneLine = (text: string): string =>
  text.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/g, ' ').trim()

const writeValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
