/** A part of a text. */
type Span = { from: number; to: number }

/** Finds lines that report a failure. Words such as `0 errors` and names such as `error.ts` do not count. */
const FAILURE = new RegExp(
  [
    String.raw`(?<!\b(?:0|no) )\bFAIL(?:ED|URE|URES|S)?\b|\bERR!|\bnot ok\b|[✗✘✖✕❌⨯]|\bpanic(?:ked)?\b|\bTraceback\b|\bfatal\b`,
    String.raw`(?<!\b(?:0|no) )\b(?:[A-Za-z]{0,40}(?:Error|Exception)|ERROR)\b(?!\.\w)(?=[:!\[ (]|$)`,
    String.raw`\b(?:AssertionError|assertion failed|Segmentation fault|core dumped|undefined reference|No such file|Permission denied|command not found|cannot find|not found:|Killed|out of memory)\b`,
    String.raw`^E {3}|\bexpected\b.{0,200}\b(?:got|but|received|actual|to)\b|\b[1-9]\d{0,6} (?:failed|failing|errors?|failures?)\b`,
  ].join('|'),
  'gmiu',
)
/** How many lines before and after a failure belong to it, such as those of a stack trace or a diff. */
const LINES_BEFORE = 1
const LINES_AFTER = 4
const LONGEST_LINE = 600
/** Shares of the limit for the beginning and for failures. The end gets the rest. */
const HEAD = 0.15
const MIDDLE = 0.35
/** A line stands out if its kind occurs at most this often. In short texts that means nothing. */
const FEW = 3
const MANY_LINES = 40
const SHARE_OF_ODD = 0.5
/** Limits on what is collected from a text while it is searched. */
const MOST_LINES = 100_000
const MOST_KINDS = 20_000
const MOST_PLACES = 500
const READ_OF_LINE = 160
/** Minimum length of a gap: the note in place of a shorter one would be as long. */
const LEAST_GAP = 120
/** Maximum length of the note on a gap. */
const NOTE = 90

/**
 * Shorten the output of something that failed. Keep its beginning, its end, and the lines between them that
 * report a failure. `advice` is added to the first gap.
 */
export function shortenFailure(text: string, limit: number, advice: string): string {
  const room = Math.max(0, limit - advice.length - 2 * NOTE)
  const head = toLineEnd(text, Math.floor(room * HEAD))
  const budget = Math.floor(room * MIDDLE)
  // The end gets all the space that the failures leave.
  const found = spansOfFailures(text, { from: head, to: text.length - (room - head - budget) }, budget)
  const taken = found.reduce((sum, { from, to }) => sum + to - from + NOTE, 0)
  const tail = toLineStart(text, text.length - Math.max(0, room - head - taken))
  const spans = joined([{ from: 0, to: head }, ...found, { from: Math.max(head, tail), to: text.length }])
  let short = ''
  let end = 0
  for (const { from, to } of spans) {
    if (from > end)
      short += `${short.endsWith('\n') ? '' : '\n'}${noteOn(text, end, from, end === head ? advice : '')}\n`
    short += text.slice(from, to)
    end = to
  }
  return short.toWellFormed()
}

const noteOn = (text: string, from: number, to: number, advice: string) => {
  const lines = text.slice(from, to).split('\n').length - 1
  const what = lines > 0 ? `, ${lines.toLocaleString('en')} lines` : ''
  return `[… ${(to - from).toLocaleString('en')} characters cut${what}${advice === '' ? '' : `; ${advice}`} …]`
}

/**
 * Select the lines of a part that report failures, with their context, within a budget in characters. First
 * unusual failures, then the first of each kind, then any unusual lines, then more failures.
 */
function spansOfFailures(text: string, part: Span, budget: number): Span[] {
  const { rare, first, odd, more } = findLines(text, part)
  const taken: Span[] = []
  let left = budget
  const take = (places: readonly number[], share = 1) => {
    const least = left * (1 - share)
    for (const at of places) {
      if (taken.some(span => at >= span.from && at < span.to)) continue
      const from = Math.max(part.from, at - LONGEST_LINE, linesBack(text, at))
      const to = Math.min(at + LONGEST_LINE, linesOn(text, at))
      if (left - (to - from + NOTE) < least) return
      left -= to - from + NOTE
      taken.push({ from, to })
    }
  }
  take(rare)
  take(first)
  take(odd, SHARE_OF_ODD)
  take(more)
  return apart(taken)
}

/** Positions of rare failures, the first of common failures, other rare lines, and further failures. */
type Found = Record<'rare' | 'first' | 'odd' | 'more', number[]>

function findLines(text: string, { from: start, to }: Span): Found {
  const counts = new Map<string, number>()
  let lines = 0
  let end = start
  for (; end < to && lines < MOST_LINES; end = nextLine(text, end)) {
    const kind = kindOf(text, end)
    if (counts.has(kind) || counts.size < MOST_KINDS) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    lines++
  }
  const found: Found = { rare: [], first: [], odd: [], more: [] }
  const add = (list: keyof Found, at: number) => found[list].length < MOST_PLACES && found[list].push(at)
  const seen = new Map<string, number>()
  let failure = failureFrom(text, start)
  for (let at = start; at < end; at = nextLine(text, at)) {
    const next = nextLine(text, at)
    const kind = kindOf(text, at)
    const count = counts.get(kind) ?? FEW + 1
    if (failure >= next) {
      if (count <= FEW && kind !== '' && lines >= MANY_LINES) add('odd', at)
      continue
    }
    if (count <= FEW) add('rare', failure)
    else {
      const before = seen.get(kind) ?? 0
      seen.set(kind, before + 1)
      add(before < FEW ? 'first' : 'more', failure)
    }
    failure = failureFrom(text, next)
  }
  for (
    ;
    failure < to && found.more.length < MOST_PLACES;
    failure = failureFrom(text, nextLine(text, failure))
  )
    add('more', failure)
  return found
}

function failureFrom(text: string, from: number): number {
  FAILURE.lastIndex = from
  return FAILURE.exec(text)?.index ?? Infinity
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

/** The kind of a line: its first word after numbers and times, with each number replaced by 0. */
function kindOf(text: string, at: number): string {
  if (text[at] === '\n') return ''
  const line = text.slice(at, Math.min(at + READ_OF_LINE, nextLine(text, at))).trim()
  const words = line.split(/\s+/, 5)
  const word = words.find(each => /\p{L}{2}|\p{So}/u.test(each)) ?? words[0] ?? ''
  return word.slice(0, 40).replace(/\d+/g, '0')
}

/** Sort the parts, and cut each where it overlaps the one before. */
function apart(spans: readonly Span[]): Span[] {
  let end = 0
  return spans
    .toSorted((a, b) => a.from - b.from)
    .flatMap(({ from, to }) => {
      const begin = Math.max(from, end)
      if (to <= begin) return []
      end = to
      return [{ from: begin, to }]
    })
}

function linesBack(text: string, at: number): number {
  let from = at
  for (let line = 0; line <= LINES_BEFORE && from > 0; line++) {
    const end = text.lastIndexOf('\n', from - 1)
    if (end < at - LONGEST_LINE) return line === 0 ? at - LONGEST_LINE : from
    from = end
  }
  return from <= 0 ? 0 : from + 1
}

function linesOn(text: string, at: number): number {
  let to = at
  for (let line = 0; line <= LINES_AFTER; line++) {
    const end = text.indexOf('\n', to)
    if (end < 0) return text.length
    to = end + 1
  }
  return to
}

/** Join parts that have only a small gap between them. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans) {
    const last = all.at(-1)
    if (last && span.from - last.to < LEAST_GAP) last.to = Math.max(last.to, span.to)
    else all.push({ ...span })
  }
  return all
}

/** Move a position back to the last line break, if it is near; `toLineStart` moves one forward. */
function toLineEnd(text: string, at: number): number {
  const end = text.lastIndexOf('\n', at) + 1
  return at - end < LONGEST_LINE && end > 0 ? end : at
}
function toLineStart(text: string, at: number): number {
  const start = text.indexOf('\n', at) + 1
  return start > 0 && start - at < LONGEST_LINE ? start : at
}
