/** The sections of a summary, in order. Anything outside them is dropped. */
export const SECTIONS = [
  'Goal',
  'Constraints',
  'Done',
  'In progress',
  'Decisions',
  'Files',
  'Open questions',
  'Next steps',
  'Gotchas',
] as const
type Section = (typeof SECTIONS)[number]

/** A summary by section; each item is one line. */
export type Summary = Record<Section, string[]>

const MAX_ITEM_CHARS = 400
/** Earlier goals to keep below the newest one, because users often return to them. */
const MAX_GOALS = 4
/** Tokens of a heading and the lines around it. */
const HEADING = 6

export const emptySummary = (): Summary =>
  Object.fromEntries(SECTIONS.map(section => [section, []])) as unknown as Summary

/** Parse a summary that a model wrote: headings in any common form, items with or without bullets. */
export function readSummary(text: string): Summary {
  const summary = emptySummary()
  let section: Section | undefined
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim()
    const heading = headingOf(line)
    if (heading) {
      section = heading.section
      if (heading.rest !== '') summary[section].push(heading.rest)
      continue
    }
    const item = line.replace(/^([-*•]|\d{1,3}[.)])\s+/, '').trim()
    if (section && item !== '' && !/^(none|n\/a|nothing|-+)\.?$/i.test(item))
      summary[section].push(item.slice(0, MAX_ITEM_CHARS).toWellFormed())
  }
  return summary
}

/** `## Goal`, `**Goal:** write it`, `Goal: write it`. */
function headingOf(line: string): { section: Section; rest: string } | undefined {
  const plain = line
    .replace(/^#{1,4}\s*/, '')
    .replace(/\*\*/g, '')
    .trim()
  for (const section of SECTIONS) {
    if (!plain.toLowerCase().startsWith(section.toLowerCase())) continue
    const rest = plain.slice(section.length)
    if (rest === '') return { section, rest }
    const after = /^\s*:\s*(.*)$/.exec(rest)
    if (after) return { section, rest: after[1]!.trim() }
  }
  return undefined
}

/** The summary as Markdown for a model. */
export const writeSummary = (summary: Summary): string =>
  SECTIONS.filter(section => summary[section].length > 0)
    .map(section => `## ${section}\n${summary[section].map(item => `- ${item}`).join('\n')}`)
    .join('\n\n')

export const isEmpty = (summary: Summary): boolean => SECTIONS.every(section => summary[section].length === 0)

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

/** Sections to cut first from an overlong summary: easiest to find again, or least useful for continuing. */
const EXPENDABLE: readonly Section[] = [
  'Done',
  'Files',
  'Gotchas',
  'Next steps',
  'Open questions',
  'Decisions',
  'In progress',
  'Constraints',
]

/**
 * Cut a summary to `room` tokens: finished work first, oldest first, then files and gotchas. The chat itself
 * keeps everything and search finds it. The newest goal always stays.
 */
export function trimSummary(summary: Summary, room: number, count: (text: string) => number): Summary {
  const trimmed = structuredClone(summary)
  const costOf = (item: string) => count(`- ${item}\n`)
  let tokens = SECTIONS.filter(section => trimmed[section].length > 0).reduce(
    (sum, section) => sum + HEADING + trimmed[section].reduce((all, item) => all + costOf(item), 0),
    0,
  )
  // The newest line of each section is only cut when nothing else is left.
  for (const least of [1, 0]) {
    for (const section of EXPENDABLE) {
      while (tokens > room && trimmed[section].length > least) {
        tokens -= costOf(trimmed[section].shift()!)
        if (trimmed[section].length === 0) tokens -= HEADING
      }
    }
  }
  while (tokens > room && trimmed.Goal.length > 1) tokens -= costOf(trimmed.Goal.pop()!)
  return trimmed
}

/** A line of a summary with its significant words. */
type ParsedLine = { text: string; words: readonly string[]; turning: string }

/** Parse a line once, to compare it with many others. */
function parseLine(text: string): ParsedLine {
  const words = wordsOf(text)
  return { text, words, turning: words.filter(word => TURNING.has(word)).join(' ') }
}

/**
 * Whether `line` contains everything that `other` says, so that `other` can be dropped. Deliberately strict:
 * when two lines might be two facts, both stay. A redundant line costs a few tokens; a dropped fact is gone.
 */
function coversLine(line: ParsedLine, other: ParsedLine): boolean {
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
