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
