import { randomBytes } from 'node:crypto'
import type { Clock } from './timing.ts'

// Crockford's alphabet: in ASCII order, so that text order is time order, and without i, l, o, u.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_LETTERS = 9
const RANDOM_LETTERS = 8

let lastTime = 0

/** Create an id such as `chat_01jd3k9zq4w8m2xv7`. The ids of one process sort in order of creation. */
export function newId(prefix: string, clock: Clock = Date.now): string {
  // Within one millisecond, or after the clock was set back, count on from the last time.
  lastTime = Math.max(Math.floor(clock()), lastTime + 1)
  return `${prefix}_${encodeTime(lastTime)}${randomLetters()}`
}

function encodeTime(time: number): string {
  let text = ''
  for (let rest = time; text.length < TIME_LETTERS; rest = Math.floor(rest / 32))
    text = ALPHABET[rest % 32] + text
  return text
}

const randomLetters = () => Array.from(randomBytes(RANDOM_LETTERS), byte => ALPHABET[byte % 32]).join('')
