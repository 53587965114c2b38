import { emptySummary, SECTIONS, type Summary } from './summary.ts'

/** How many earlier goals to keep below the newest one, because users often return to them. */
const MAX_GOALS = 4

/**
 * Merge a later summary into an earlier one. A line of the earlier summary stays if the later one omits it or
 * says it less precisely. “In progress” and “Next steps” come from the later summary, unless it leaves them
 * empty. A question stays open until it is answered. The newest lines come last, except for the goal.
 */
export function extendSummary(before: Summary, later: Summary): Summary {
  const extended = emptySummary()
  const done = later.Done.map(parseLine)
  const settled = [...done, ...later.Decisions.map(parseLine)]
  for (const section of SECTIONS) {
    const now = withoutRepeats(later[section].map(parseLine))
    const old = before[section]
      .map(parseLine)
      .filter(line => !now.some(each => each.text !== line.text && coversLine(each, line)))
    const fresh = now.filter(line => !isIn(line, old))
    let lines = [...old, ...fresh]
    if (section === 'Goal') lines = [...fresh, ...old].slice(0, MAX_GOALS)
    else if (section === 'Open questions') lines = [...old.filter(line => !isIn(line, settled)), ...fresh]
    else if (section === 'In progress' || section === 'Next steps')
      lines = now.length > 0 ? now : old.filter(line => !isIn(line, done))
    extended[section] = lines.map(({ text }) => text)
  }
  return extended
}

const isIn = (line: ParsedLine, lines: readonly ParsedLine[]): boolean =>
  lines.some(each => coversLine(each, line))

const withoutRepeats = (lines: readonly ParsedLine[]): ParsedLine[] =>
  lines.filter((line, at) => !isIn(line, lines.slice(0, at)))

/** A line of a summary with its significant words. */
type ParsedLine = { text: string; words: readonly string[]; turning: string }

/** Parse a line once, to compare it with many others. */
export function parseLine(text: string): ParsedLine {
  const words = wordsOf(text)
  return { text, words, turning: words.filter(word => TURNING.has(word)).join(' ') }
}

/**
 * Whether `line` contains everything that `other` says, so that `other` can be dropped. Deliberately strict:
 * if two lines might be two facts, both stay. A redundant line costs a few tokens; a dropped fact is gone.
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
    .map(word => word.replace(/(?<![.:,/-])[.:,/-]+$/, ''))
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
