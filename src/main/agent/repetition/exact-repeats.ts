/** Detects repeating text while it is being written. */
export type RepetitionDetector = {
  /**
   * Read the next piece. True as soon as the end of the text repeats itself. `inCall`: the piece belongs to a
   * tool call, such as file content, which may repeat itself for good reasons.
   */
  push(text: string, inCall?: boolean): boolean
}

/** A repeating end of a text: the last `length` characters repeat with `period`. */
type Run = { period: number; length: number }

/** How many characters between two checks, which bounds the work per character. */
const STEP = 500
/** How many characters a check reads back. */
const WINDOW = 16_000
/** Maximum length of a repeated block, in characters. */
const MAX_PERIOD = 2_000

/**
 * The length and repeat count from which a repetition stops the answer. The limits are high enough for real
 * answers: rules, empty tables, a board of equal squares and “write it a hundred times” all pass.
 */
const THRESHOLDS = {
  /** One character or white space, typical of broken weights. */
  plain: { length: 1_000, times: 2 },
  /** A full sentence or more. */
  sentence: { length: 1_500, times: 6 },
  words: { length: 3_000, times: 6 },
  /** The same words with different numbers, as in an endless list. */
  numbered: { length: 5_000, times: 40 },
  /** Code, tables, drawings, data. */
  marks: { length: 5_000, times: 12 },
  call: { length: WINDOW, times: 24 },
}

/** Length of the end that is searched for further back, as a cheap first check. */
const PROBE = 100

/** Minimum length in characters for a block of words to count as a sentence. */
const SENTENCE = 60

/** Create a detector of text that repeats itself exactly, or exactly except for its numbers. */
export function createExactRepeats(): RepetitionDetector {
  let tail = ''
  let unread = 0
  let found = false
  return {
    push(text, inCall = false) {
      for (let at = 0; at < text.length && !found;) {
        const piece = text.slice(at, at + STEP - unread)
        at += piece.length
        unread += piece.length
        tail += piece
        if (unread < STEP) break
        unread = 0
        tail = tail.slice(-WINDOW)
        found = goesInCircles(tail, inCall)
      }
      return found
    },
  }
}

/** Cut an end that repeats itself exactly down to its first occurrence. */
export function withoutExactRepeats(text: string): string {
  for (const { words, placeOf } of [{ words: text, placeOf: (at: number) => at }, withoutNumbers(text)]) {
    // Held-back text or a cut in the middle makes the end a little shorter than what was detected.
    const run = runsAtEnd(words.slice(-WINDOW)).find(each => each.length >= 300 && timesOf(each) >= 3)
    if (!run) continue
    let start = words.length - run.length
    while (start > 0 && words[start - 1] === words[start - 1 + run.period]) start--
    const cut = placeOf(start + run.period)
    return (text.slice(0, cut) + restOf(text.slice(cut - 1, cut + run.period))).toWellFormed()
  }
  return text
}

/**
 * The rest of a word or sentence that would otherwise be cut after its first character. The text before the
 * cut may have ended the same way.
 */
const restOf = (text: string): string => /^(\p{L}[\p{L}\p{M}\p{N}]*)?[^\p{L}\p{N}]*/u.exec(text)![0].slice(1)

function goesInCircles(text: string, inCall: boolean): boolean {
  const isEnough = (run: Run, { length, times }: { length: number; times: number }) =>
    run.length >= length && timesOf(run) >= times
  if (inCall) return runsAtEnd(text).some(run => isEnough(run, THRESHOLDS.call))
  if (runsAtEnd(text).some(run => isEnough(run, THRESHOLDS[kindOf(text.slice(-run.period))]))) return true
  // Half of the text may be digits, and the probe needs a full block of what remains.
  if (!/\d/.test(text) || !mayRepeat(withoutNumbers(text.slice(-2 * (PROBE + MAX_PERIOD))).words))
    return false
  const { words } = withoutNumbers(text)
  return runsAtEnd(words).some(run => {
    const block = words.slice(-run.period)
    return isEnough(run, THRESHOLDS.numbered) && kindOf(block) !== 'marks' && lettersOf(block).length >= 20
  })
}

const timesOf = ({ period, length }: Run) => Math.floor(length / period)

/**
 * Repetitions at the end of a text, the longest first and each block once. A text that starts with its own
 * end repeats with the remainder as its period. All such prefixes are found in one pass (Knuth-Morris-Pratt).
 */
function runsAtEnd(text: string): Run[] {
  const size = text.length
  if (!mayRepeat(text)) return []
  const backward = new Uint16Array(size)
  for (let at = 0; at < size; at++) backward[at] = text.charCodeAt(size - 1 - at)
  const borders = new Int32Array(size)
  let border = 0
  for (let at = 1; at < size; at++) {
    while (border > 0 && backward[at] !== backward[border]) border = borders[border - 1]!
    if (backward[at] === backward[border]) border++
    borders[at] = border
  }
  const runs: Run[] = []
  for (let length = size; length > 1; length--) {
    const period = length - borders[length - 1]!
    if (period <= MAX_PERIOD && period < length && period !== runs.at(-1)?.period)
      runs.push({ period, length })
  }
  return runs
}

/** Whether the last few characters also occur one block further back. A cheap check that is usually false. */
function mayRepeat(text: string): boolean {
  const end = text.slice(-PROBE)
  return text.slice(-PROBE - MAX_PERIOD, -1).includes(end)
}

/** The kind of content of a block, which decides how often it may repeat. */
function kindOf(block: string): 'plain' | 'sentence' | 'words' | 'marks' {
  if (block.length === 1 || block.trim() === '') return 'plain'
  const letters = lettersOf(block)
  const isProse =
    !/[<>{}[\]=;|`$\\/@^~+]|\p{L}[(_]|\p{L}\.\p{L}/u.test(block) &&
    letters.length >= block.length * 0.6 &&
    new Set(letters.toLowerCase()).size >= 8
  if (!isProse) return 'marks'
  return block.length >= SENTENCE ? 'sentence' : 'words'
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{M}]/gu, '')

/** The text with every number replaced by `0`; `placeOf` maps a position back to the original text. */
function withoutNumbers(text: string): { words: string; placeOf: (at: number) => number } {
  const words = text.replace(/\d+/g, '0')
  return {
    words,
    placeOf(wanted) {
      let shorter = 0
      for (const { 0: number, index } of text.matchAll(/\d+/g)) {
        if (index - shorter >= wanted) break
        shorter += number.length - 1
      }
      return wanted + shorter
    },
  }
}
