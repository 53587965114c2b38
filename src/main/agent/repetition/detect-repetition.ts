import { createExactRepeats, withoutExactRepeats, type RepetitionDetector } from './exact-repeats.ts'
import { isNoise } from './few-characters.ts'
import { circleStart, createFewNewWords } from './few-new-words.ts'

/** Characters between two looks for noise. */
const STEP = 100
/** Characters that such a look reads back. */
const WINDOW = 1_600

/**
 * Create a detector for one reply. The result does not depend on how the text is split into pieces. `isWanted`: the person asked
 * for what repeats itself.
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
  // What circles began somewhere in the words that were compared: the sentence in which they begin is kept.
  const [said = ''] = /^[^]*?(?:[.!?。！？]+(?=\s|$)|\n|$)/u.exec(once.slice(start)) ?? []
  return once.slice(0, start + said.length)
}
