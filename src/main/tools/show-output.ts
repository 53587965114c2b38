const COALESCE_MS = 50
const MOST_AT_ONCE = 16_000
const MOST_IN_ALL = 512_000

/** Make what passes output on in pieces that a window can draw, however fast and however much comes. */
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
