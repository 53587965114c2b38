/** The beginning and the end of a text of any length; what lies between is counted and forgotten. */
export type OutputRing = { add(text: string): void; text(): string }

/** Many short pieces would make every step slow, so they are joined now and then. */
const MOST_PIECES = 4_096

/** Keep at most `each` characters of the beginning and as many of the end. */
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
