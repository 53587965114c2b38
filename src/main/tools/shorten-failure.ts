/** A part of a text. */
type Span = { from: number; to: number }

/** What says in a line that something failed. Words such as `0 errors` and names such as `error.ts` are no failures. */
const FAILURE = new RegExp(
  [
    String.raw`(?<!\b(?:0|no) )\bFAIL(?:ED|URE|URES|S)?\b|\bERR!|\bnot ok\b|[✗✘✖✕❌⨯]|\bpanic(?:ked)?\b|\bTraceback\b|\bfatal\b`,
    String.raw`(?<!\b(?:0|no) )\b(?:[A-Za-z]{0,40}(?:Error|Exception)|ERROR)\b(?!\.\w)(?=[:!\[ (]|$)`,
    String.raw`\b(?:AssertionError|assertion failed|Segmentation fault|core dumped|undefined reference|No such file|command not found|cannot find|not found:|Killed|out of memory)\b`,
    String.raw`^E {3}|\bexpected\b.{0,200}\b(?:got|but|received|actual|to)\b|\b[1-9]\d{0,6} (?:failed|failing|errors?|failures?)\b`,
  ].join('|'),
  'gmiu',
)
/** Lines of a stack or of a difference that belong to the line that says what failed. */
const LINES_BEFORE = 1
const LINES_AFTER = 4
const LONGEST_LINE = 600
/** Shares of the limit: for the beginning, and for lines of failures. The end gets the rest. */
const HEAD = 0.15
const MIDDLE = 0.35
/** A smaller gap is shown: the note in its place would be as long. */
const LEAST_GAP = 120
/** Length of a note on a gap, at most. */
const NOTE = 90

/**
 * Cut the output of something that failed: its beginning, its end, and between them the lines that say what failed. `advice`
 * stands at the first gap.
 */
export function shortenFailure(text: string, limit: number, advice: string): string {
  const room = Math.max(0, limit - advice.length - 2 * NOTE)
  const head = toLineEnd(text, Math.floor(room * HEAD))
  const budget = Math.floor(room * MIDDLE)
  // The end is as long as what failed leaves room for.
  const found = spansOfFailures(text, head, budget)
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

/** The lines that say what failed, with those around them, from `start` on: the first ones, up to a length. */
function spansOfFailures(text: string, start: number, budget: number): Span[] {
  const spans: Span[] = []
  let left = budget
  FAILURE.lastIndex = start
  for (let match = FAILURE.exec(text); match && left > 0; match = FAILURE.exec(text)) {
    const at = match.index
    const from = Math.max(start, at - LONGEST_LINE, linesBack(text, at))
    const to = Math.min(at + LONGEST_LINE, linesOn(text, at))
    const last = spans.at(-1)
    const begin = last ? Math.max(from, last.to) : from
    if (to > begin) {
      left -= to - begin + NOTE
      if (left < 0) break
      spans.push({ from: begin, to })
    }
    FAILURE.lastIndex = Math.max(to, at + 1)
  }
  return spans
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

/** Parts in order, without small gaps between them. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans) {
    const last = all.at(-1)
    if (last && span.from - last.to < LEAST_GAP) last.to = Math.max(last.to, span.to)
    else all.push({ ...span })
  }
  return all
}

/** The end of the line that a place is in, if it is not far; for the beginning of a line the same. */
function toLineEnd(text: string, at: number): number {
  const end = text.lastIndexOf('\n', at) + 1
  return at - end < LONGEST_LINE && end > 0 ? end : at
}
function toLineStart(text: string, at: number): number {
  const start = text.indexOf('\n', at) + 1
  return start > 0 && start - at < LONGEST_LINE ? start : at
}
