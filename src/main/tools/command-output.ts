import { redactKnown } from '../lib/redact.ts'

/** The beginning and the end of a text of any length. The middle is counted and discarded. */
type OutputRing = { add(text: string): void; text(): string }

/** Maximum of pieces before they are joined. Many short pieces would make each step slow. */
const MOST_PIECES = 4_096

/** Keep at most `each` characters of the beginning and of the end. */
export function createOutputRing(each = 65_536): OutputRing {
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
  }
}

const COALESCE_MS = 50
const MOST_AT_ONCE = 16_000
const MOST_IN_ALL = 512_000

/** Create a buffer that passes output on in pieces that a window can render at any rate and volume. */
export function createShow(output: (text: string) => void): { add(text: string): void; end(): void } {
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
    add(text) {
      if (shown > MOST_IN_ALL) return
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

const ESCAPE = 0x1b
const BELL = 0x07
const RETURN = 0x0d
const NEWLINE = 0x0a

type State = 'text' | 'return' | 'escape' | 'sequence' | 'string' | 'string-escape'

/**
 * Make a cleaner for the output of programs: colours, cursor movements, titles and other control characters go, and
 * line endings become LF. Escape sequences may be split over pieces. A carriage return that overwrites a line, as
 * progress bars do, begins a new line. `secrets` are redacted; an end that may be the beginning of one waits for the next
 * piece, unless it `isLast`.
 */
export function createCleaner(secrets: readonly string[] = []): (piece: string, isLast?: boolean) => string {
  const clean = createControlCleaner()
  if (secrets.length === 0) return clean
  let waiting = ''
  return (piece, isLast = false) => {
    const text = redactKnown(waiting + clean(piece), secrets)
    const kept = isLast ? 0 : Math.max(...secrets.map(secret => lengthOfBegun(text, secret)))
    waiting = text.slice(text.length - kept)
    return text.slice(0, text.length - kept)
  }
}

/** How many characters at the end of a text may be the beginning of a secret. */
function lengthOfBegun(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--)
    if (text.endsWith(secret.slice(0, length))) return length
  return 0
}

function createControlCleaner(): (piece: string) => string {
  let state: State = 'text'
  return piece => {
    let clean = ''
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at)
      if (state === 'return') {
        clean += '\n'
        state = 'text'
        from = code === NEWLINE ? at + 1 : at
        if (code === NEWLINE) continue
      }
      if (state === 'text') {
        if (isPlain(code)) continue
        clean += piece.slice(from, at)
        state = afterText(code)
      } else state = afterControl(state, code)
      from = at + 1
    }
    return state === 'text' ? clean + piece.slice(from) : clean
  }
}

const isPlain = (code: number) =>
  (code >= 0x20 && code < 0x7f) || code > 0x9f || code === NEWLINE || code === 0x09

function afterText(code: number): State {
  if (code === ESCAPE) return 'escape'
  if (code === 0x9b) return 'sequence'
  return code === RETURN ? 'return' : 'text'
}

function afterControl(state: Exclude<State, 'text' | 'return'>, code: number): State {
  switch (state) {
    case 'escape':
      if (code === 0x5b) return 'sequence' // [
      if ([0x50, 0x58, 0x5d, 0x5e, 0x5f].includes(code)) return 'string' // P X ] ^ _
      return code >= 0x20 && code <= 0x2f ? 'escape' : 'text'
    case 'sequence':
      return code >= 0x20 && code <= 0x3f ? 'sequence' : 'text'
    case 'string':
      // A string ends with a bell or with ESC \; a line break means that its end is missing.
      if (code === BELL || code === NEWLINE) return 'text'
      return code === ESCAPE ? 'string-escape' : 'string'
    case 'string-escape':
      return 'text'
  }
}
