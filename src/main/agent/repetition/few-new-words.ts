/** Notices a text that goes in circles without repeating itself to the letter. */
export type FewNewWords = {
  /** Read the next piece; true as soon as the newest words say nearly nothing that the words before them did not. */
  push(text: string): boolean
}

/**
 * How many of the newest words and marks are compared, and below which share of different runs of four the text goes in circles. A
 * longer sentence that comes again shows only among more words. Of 4,500 documents the lowest share among 160, 240 and 320
 * words is 0.39, 0.35 and 0.34.
 */
const LOOKS = [
  { words: 160, share: 0.2 },
  { words: 240, share: 0.3 },
  { words: 320, share: 0.33 },
]
const MOST_WORDS = 320
/** Words between two looks. */
const STEP = 20
/** What has no more words than marks and numbers is a table, data or a drawing, and may well repeat itself. */
const LETTERS = 0.5

/** A word; in scripts that write no blanks between words, one character. Then numbers, then single marks. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|\p{L}[\p{L}\p{M}]*|\d+|[^\s\p{L}\p{M}\d]/gu
/** The end of a text that the next piece may go on with. */
const OPEN_END = /(?:(?<![\p{L}\p{M}])[\p{L}\p{M}]+|(?<!\d)\d+|(?<!`)`+)$/u

/** The longest word that is waited for, in characters. */
const LONGEST = 100

/**
 * Create a detector for one reply. Numbers count as alike, so that endless lists are noticed; blocks of code are left out. Figures:
 * 7 of 7 real loops of two small models end within 509 to 1,307 characters (a review of 28 November 2026).
 */
export function createFewNewWords(): FewNewWords {
  const words: string[] = []
  let waiting = ''
  let unseen = 0
  let isCode = false
  return {
    push(text) {
      waiting += text
      const open = OPEN_END.exec(waiting)?.[0] ?? ''
      const end = open.length < LONGEST ? waiting.length - open.length : waiting.length
      const read = waiting.slice(0, end)
      waiting = waiting.slice(end)
      for (const part of read.split(/(```)/)) {
        if (part === '```') isCode = !isCode
        if (part === '```' || isCode) continue
        for (const [word] of part.matchAll(WORD)) {
          words.push(/^\d/.test(word) ? '0' : word.toLowerCase())
          unseen++
          if (words.length > MOST_WORDS) words.shift()
          if (unseen < STEP) continue
          unseen = 0
          if (circlesFrom(words) !== undefined) return true
        }
      }
      return false
    },
  }
}

/** Only this many characters at the end of a text are read: an answer is stopped soon after it begins to go in circles. */
const LONGEST_END = 100_000

/** Where the newest words of a circling text begin, in characters; undefined if it does not circle. */
export function circleStart(text: string): number | undefined {
  const skipped = Math.max(0, text.length - LONGEST_END)
  const found = [...text.slice(skipped).matchAll(WORD)]
  const words = found.map(([word]) => (/^\d/.test(word) ? '0' : word.toLowerCase()))
  for (let end = STEP; end <= words.length; end += STEP) {
    const first = Math.max(0, end - MOST_WORDS)
    const from = circlesFrom(words.slice(first, end))
    if (from !== undefined) return skipped + found[first + from]!.index
  }
  return undefined
}

/** Where the words at the end begin that go in circles; undefined if they do not. */
function circlesFrom(words: readonly string[]): number | undefined {
  const look = LOOKS.find(
    each => words.length >= each.words && isCircling(words.slice(-each.words), each.share),
  )
  return look && words.length - look.words
}

function isCircling(words: readonly string[], share: number): boolean {
  if (words.filter(word => /\p{L}/u.test(word)).length <= LETTERS * words.length) return false
  const runs = new Set<string>()
  for (let at = 0; at + 4 <= words.length; at++) runs.add(words.slice(at, at + 4).join(' '))
  return runs.size < share * (words.length - 3)
}
