import { redactKnown } from '../untrusted/redact.ts'
import { createControlReader } from './control-sequences.ts'

/** Keeps the beginning and the end of a text of any length. The middle is counted and discarded. */
type OutputRing = {
  add(text: string): void
  text(): string
  /** How many characters of the middle were discarded. */
  readonly dropped: number
}

/** Maximum number of pieces before they are joined. Many short pieces would make each step slow. */
const MOST_PIECES = 4_096

/** How many characters of a command's output are kept at each end. Long results go to a file. */
const MOST_KEPT = 1_000_000

/** Create a buffer that keeps at most `each` characters of the beginning and of the end. */
export function createOutputRing(each = MOST_KEPT): OutputRing {
  let head = ''
  let tail: string[] = []
  let tailLength = 0
  let dropped = 0
  return {
    add(text) {
      const room = each - head.length
      head += text.slice(0, room)
      if (text.length <= room) return
      tail.push(text.slice(room))
      tailLength += text.length - room
      while (tailLength > each) {
        const first = tail[0]!
        const excess = Math.min(first.length, tailLength - each)
        if (excess === first.length) tail.shift()
        else tail[0] = first.slice(excess)
        tailLength -= excess
        dropped += excess
      }
      if (tail.length > MOST_PIECES) tail = [tail.join('')]
    },
    text() {
      const cut = dropped > 0 ? `\n[… ${dropped.toLocaleString('en')} characters were not kept …]\n` : ''
      return (head + cut + tail.join('')).toWellFormed()
    },
    get dropped() {
      return dropped
    },
  }
}

const COALESCE_MS = 50
const MOST_AT_ONCE = 16_000
const MOST_IN_ALL = 512_000

/** Create a buffer that passes on output of any rate and volume, in pieces that a window can render. */
export function createShow(output: (text: string) => void): {
  add(text: string): void
  end(): void
  /** Whether the limit is reached, so that nothing more will be shown. */
  readonly isFull: boolean
} {
  let waiting = ''
  let shown = 0
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    if (waiting === '') return
    const piece = waiting.length > MOST_AT_ONCE ? `[…]\n${waiting.slice(-MOST_AT_ONCE)}` : waiting
    waiting = ''
    shown += piece.length
    const note = shown > MOST_IN_ALL ? '\n[… more is printed than is shown while it runs]\n' : ''
    output(piece.toWellFormed() + note)
  }
  return {
    get isFull() {
      return shown > MOST_IN_ALL
    },
    add(text) {
      if (text === '' || shown > MOST_IN_ALL) return
      waiting += text
      if (waiting.length > 4 * MOST_AT_ONCE) waiting = waiting.slice(-2 * MOST_AT_ONCE)
      timer ??= setTimeout(flush, COALESCE_MS)
    },
    end() {
      clearTimeout(timer)
      flush()
    },
  }
}

/**
 * Create a function that cleans a program's output for the user: without colours, cursor movements, titles
 * and other control characters, and with LF line ends. A carriage return that overwrites a line, as progress
 * bars do, begins a new line. Secrets are redacted; a possible start of one at the end waits for the next
 * piece, unless the piece `isLast`.
 */
export function createCleaner(secrets: readonly string[] = []): (piece: string, isLast?: boolean) => string {
  let clean = ''
  let isAfterReturn = false
  const read = createControlReader(part => {
    if (part.kind === 'return') {
      if (isAfterReturn) clean += '\n'
      isAfterReturn = true
    }
    if (part.kind !== 'text') return
    clean += isAfterReturn && !part.text.startsWith('\n') ? `\n${part.text}` : part.text
    isAfterReturn = false
  })
  const redact = createSecretFilter(secrets)
  return (piece, isLast = false) => {
    clean = ''
    read(piece)
    return redact(clean, isLast)
  }
}

/**
 * Create a function that redacts known secrets in a text that comes in pieces. A possible start of a secret
 * at the end waits for the next piece, unless the piece `isLast`.
 */
export function createSecretFilter(
  secrets: readonly string[] = [],
): (piece: string, isLast?: boolean) => string {
  if (secrets.length === 0) return piece => piece
  let waiting = ''
  return (piece, isLast = false) => {
    const text = redactKnown(waiting + piece, secrets)
    const kept = isLast ? 0 : Math.max(...secrets.map(secret => lengthOfBegun(text, secret)))
    waiting = text.slice(text.length - kept)
    return text.slice(0, text.length - kept)
  }
}

/** How many characters at the end of a text could be the start of a secret. */
function lengthOfBegun(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}
