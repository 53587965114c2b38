import { createExactRepeats, withoutExactRepeats, type RepetitionDetector } from './exact-repeats.ts'
import { circleStart, createFewNewWords } from './few-new-words.ts'

/** Limits for noise at the end of a text: at most `most` different characters over `length`. */
const NOISE = [
  // A laugh of two hundred “ha” and a very long “nooo” are shorter.
  { length: 700, most: 4, made: /^[\p{L}\s]+$/u },
  // Rules, dotted lines and empty tables consist of other marks; a filled box of twenty lines is shorter.
  { length: 1_600, most: 3, made: /^[^\p{L}\p{N}|.\-_=+]+$/u },
]

/** Whether the end of a text has only a few characters, such as `YzYzYz`, as broken models write. */
const isNoise = (text: string): boolean =>
  NOISE.some(({ length, most, made }) => {
    const end = text.slice(-length)
    return end.length === length && made.test(end) && new Set(end.replace(/\s/g, '')).size <= most
  })

/** How many characters between two noise checks. */
const STEP = 100
/** How many characters a noise check reads back. */
const WINDOW = 1_600

/**
 * Create a detector for one reply. The result does not depend on how the text is split into pieces.
 * `isWanted`: the user asked for repetition.
 */
export function createRepetitionDetector({
  isWanted = false,
}: { isWanted?: boolean | undefined } = {}): RepetitionDetector {
  const exact = createExactRepeats()
  const words = createFewNewWords()
  let end = ''
  let unread = 0
  let found = false
  return {
    push(text, inCall = false) {
      found ||= exact.push(text, inCall)
      if (found || isWanted || inCall) return found
      found = words.push(text)
      for (let at = 0; at < text.length && !found;) {
        const piece = text.slice(at, at + STEP - unread)
        at += piece.length
        unread += piece.length
        end = (end + piece).slice(-WINDOW)
        if (unread < STEP) break
        unread = 0
        found = isNoise(end)
      }
      return found
    },
  }
}

/** Cut a repeating end down to its first occurrence; other texts are returned unchanged. */
export function withoutRepeats(text: string): string {
  const once = withoutExactRepeats(text)
  const start = circleStart(once)
  if (start === undefined) return once
  // The circle starts somewhere in the compared words. Keep the sentence in which it starts.
  const [said = ''] = /^[^]*?(?:[.!?。！？](?=\s|$)|\n|$)/u.exec(once.slice(start)) ?? []
  return once.slice(0, start + said.length)
}

/** A large number: at least two digits, or a word for it. */
const MANY = String.raw`(?:\d{2,}|dozens?(?: of)?|twenty|thirty|forty|fifty|(?:a |one )?(?:hundred|thousand)|hundert|tausend|cent|mille|cien|mil)`
/** Things that can be asked for many times. */
const THINGS = String.raw`(?:times|lines|rows|copies|entries|records|items|examples|sentences|mal|zeilen|fois|lignes|veces|líneas|filas|раз|строк\p{L}*)`

/** Requests for the same thing many times, in the languages that users wrote in. */
const ASKS = [
  new RegExp(String.raw`(?<![\p{L}\d])${MANY} ?(?:\p{L}+ ){0,2}${THINGS}(?!\p{L})`, 'iu'),
  /\b(?:repeat|over and over|again and again|times tables?|multiplication table|count (?:up |down )?(?:from|to)|lyrics|refrain|chorus|placeholder|lorem ipsum)\b/iu,
  /(?<!\p{L})(?:wiederhol\p{L}*|immer wieder|einmaleins|zähl\p{L}* (?:von|bis)|liedtext|platzhalter)(?!\p{L})/iu,
  /(?<!\p{L})(?:r[ée]p[éè]t\p{L}*|encore et encore|compte[rz]? (?:de|jusqu)|paroles|repit\p{L}*|una y otra vez|cuenta (?:de|hasta))(?!\p{L})/iu,
  /重复|反复|[遍次]|数到|歌词|繰り返|回書|数えて|歌詞|повтор|снова и снова|считай до/iu,
]

/** Whether the user asked for repetition (“write it a hundred times”), so only exact repeats end a reply. */
export const asksRepetition = (text: string): boolean => ASKS.some(ask => ask.test(text))
