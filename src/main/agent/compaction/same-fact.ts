/** A line of a summary with its significant words. */
export type ParsedLine = { text: string; words: readonly string[]; turning: string }

/** Parse a line once, to compare it with many others. */
export function parseLine(text: string): ParsedLine {
  const words = wordsOf(text)
  return { text, words, turning: words.filter(word => TURNING.has(word)).join(' ') }
}

/**
 * Whether `line` contains everything that `other` says, so that `other` can be dropped. Deliberately strict:
 * when two lines might be two facts, both stay. A redundant line costs a few tokens; a dropped fact is gone.
 */
export function coversLine(line: ParsedLine, other: ParsedLine): boolean {
  if (line.text === other.text) return true
  if (other.words.length === 0 || line.turning !== other.turning) return false
  // “tabs over spaces” and “spaces over tabs” have the same words, so order matters here.
  if (line.turning !== '') return isWithin(other.words, line.words)
  return other.words.every(word => line.words.some(each => isSame(each, word)))
}

/** Words that change the meaning of a sentence by their presence or position. */
const TURNING = new Set(
  'not no never none nor without cannot over than instead rather before after until unless except against from only nicht kein keine nie statt vor nach ohne'.split(
    ' ',
  ),
)
const EMPTY = new Set(
  'the a an is are was were be been being am to of in on at for with and or that this these those it its as by has have had do does did will would should i you he she we they my your our their user users wants want asked now also please der die das ein eine ist sind und oder zu mit von'.split(
    ' ',
  ),
)

/** The significant words: names, numbers and paths verbatim, other words without their ending. */
function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().replace(/n['’]t\b/g, ' not')
  return (plain.match(/[\p{L}\p{N}][\p{L}\p{N}_./:@\\+#-]*/gu) ?? [])
    .map(word => word.replace(/[.:,/-]+$/, ''))
    .filter(word => word !== '' && !EMPTY.has(word))
}

/** “listens”, “listening” and “listen” are the same word; “4310” and “4311” are not. */
function isSame(a: string, b: string): boolean {
  if (a === b) return true
  if (!/^\p{L}+$/u.test(a) || !/^\p{L}+$/u.test(b)) return false
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  const stem = short.replace(/(?:ing|ed|es|s|e)$/, '')
  return (
    stem.length >= 3 &&
    long.startsWith(stem) &&
    /^(?:|e|s|es|ed|d|ing|[a-z]ing|[a-z]ed)$/.test(long.slice(stem.length))
  )
}

/** Whether `words` occur in `others` in the same order. */
function isWithin(words: readonly string[], others: readonly string[]): boolean {
  let at = 0
  for (const each of others) if (at < words.length && isSame(each, words[at]!)) at++
  return at === words.length
}
