/** Notices a text that goes in circles while it is being written. */
export type RepetitionDetector = {
  /**
   * Read on; true from the moment at which the end of the text is the same again and again. `inCall` says that the newest
   * text belongs to the call of a tool, such as the content of a file, which may repeat itself for good reasons.
   */
  push(text: string, inCall?: boolean): boolean
}

/** The end of a text that is one block over and over: `length` characters, the same again after every `period`. */
type Run = { period: number; length: number }

/** Characters between two looks, which makes the work for each of them constant. */
const STEP = 500
/** Characters that a look goes back. */
const WINDOW = 16_000
/** The longest block that is looked for, in characters. */
const MAX_PERIOD = 2_000

/**
 * From how many characters on, and how many times the block, a repetition is no answer any more. Nobody loses an answer
 * to impatience: rules, empty tables, a board of equal squares and “write it a hundred times” all stay below.
 */
const ENOUGH = {
  /** One character or white space, as broken weights write it. */
  plain: { length: 1_000, times: 2 },
  /** A whole sentence or more. */
  sentence: { length: 1_500, times: 6 },
  words: { length: 3_000, times: 6 },
  /** The same words with other numbers, as a list that never ends. */
  numbered: { length: 5_000, times: 40 },
  /** Code, tables, drawings, data. */
  marks: { length: 5_000, times: 12 },
  call: { length: WINDOW, times: 24 },
}

/** Characters of the end that are looked for further back before anything else is done. */
const PROBE = 100

/** Characters from which on a block of words is taken for a sentence. */
const SENTENCE = 60

/** Make a detector for one reply; the result does not depend on how its text is cut into pieces. */
export function createRepetitionDetector(): RepetitionDetector {
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

/** A text whose end goes in circles, up to and with the first time round; any other text as it is. */
export function withoutRepeats(text: string): string {
  for (const { words, placeOf } of [{ words: text, placeOf: (at: number) => at }, withoutNumbers(text)]) {
    // What was held back or is cut in the middle makes the end a little shorter than what was noticed.
    const run = runsAtEnd(words.slice(-WINDOW)).find(each => each.length >= 300 && timesOf(each) >= 3)
    if (!run) continue
    let start = words.length - run.length
    while (start > 0 && words[start - 1] === words[start - 1 + run.period]) start--
    const cut = placeOf(start + run.period)
    return (text.slice(0, cut) + restOf(text.slice(cut - 1, cut + run.period))).toWellFormed()
  }
  return text
}

/** What still belongs to a word or a sentence that was cut after its first character: the end before it may have been alike. */
const restOf = (text: string): string => /^(\p{L}[\p{L}\p{M}\p{N}]*)?[^\p{L}\p{N}]*/u.exec(text)![0].slice(1)

function goesInCircles(text: string, inCall: boolean): boolean {
  const isEnough = (run: Run, { length, times }: { length: number; times: number }) =>
    run.length >= length && timesOf(run) >= times
  if (inCall) return runsAtEnd(text).some(run => isEnough(run, ENOUGH.call))
  if (runsAtEnd(text).some(run => isEnough(run, ENOUGH[kindOf(text.slice(-run.period))]))) return true
  // Half of it may be digits; the probe needs to see a block of what remains.
  if (!/\d/.test(text) || !mayRepeat(withoutNumbers(text.slice(-2 * (PROBE + MAX_PERIOD))).words))
    return false
  const { words } = withoutNumbers(text)
  return runsAtEnd(words).some(run => {
    const block = words.slice(-run.period)
    return isEnough(run, ENOUGH.numbered) && kindOf(block) !== 'marks' && lettersOf(block).length >= 20
  })
}

const timesOf = ({ period, length }: Run) => Math.floor(length / period)

/**
 * How the end of a text repeats itself, the longest run first and each block once. A text whose beginning is also its end
 * repeats with what remains as its period, and the longest such beginnings of all ends are found in one pass
 * (Knuth, Morris and Pratt).
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

/** Whether the last few characters stand a block further back as well, which is quick to see and seldom so. */
function mayRepeat(text: string): boolean {
  const end = text.slice(-PROBE)
  return text.slice(-PROBE - MAX_PERIOD, -1).includes(end)
}

/** What a block is made of, which decides how often it may come. */
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

/** The text with every number as one `0`; `placeOf` tells where a character of it stands in the text. */
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
