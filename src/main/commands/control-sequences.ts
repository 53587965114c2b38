/** A part of what a program writes to a terminal. */
export type TerminalPart =
  /** Text with its line breaks and tabs, without other control characters. */
  | { kind: 'text'; text: string }
  /** A control character that moves: carriage return or backspace. */
  | { kind: 'return' }
  | { kind: 'back' }
  /** An escape sequence: its final character, and the characters before it. `csi`: it began with `ESC [`. */
  | { kind: 'csi'; final: string; given: string }
  | { kind: 'escape'; final: string; given: string }

type State = 'text' | 'escape' | 'csi' | 'string' | 'string-escape'

/** All control characters except line break and tab. */
// oxlint-disable-next-line no-control-regex -- that is what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Maximum length of a sequence that is kept; the rest is read and dropped. Real ones are far shorter. */
const LONGEST_GIVEN = 64

/**
 * Split the output of a program into text and cursor movements. Escape sequences may span pieces. Titles,
 * links and other strings are dropped, and so are control characters that show nothing.
 */
export function createControlReader(take: (part: TerminalPart) => void): (piece: string) => void {
  let state: State = 'text'
  let given = ''

  /** Read one character of an escape sequence. Returns false if the character does not belong to it. */
  function readControl(code: number, letter: string): boolean {
    switch (state) {
      case 'escape':
        return readEscape(code, letter)
      case 'csi':
        if (code < 0x20 || code > 0x7e) return leave(false)
        if (code >= 0x40) return end('csi', letter)
        if (given.length < LONGEST_GIVEN) given += letter
        return true
      case 'string':
        // A string ends with a bell or with ESC \; at a line break, its end is missing.
        if (code === 0x0a || code === 0x07) return leave(true)
        if (code === 0x1b) state = 'string-escape'
        return true
      default:
        return leave(true)
    }
  }

  function readEscape(code: number, letter: string): boolean {
    if (code < 0x20 || code > 0x7e) return leave(false)
    if (letter === '[') return begin('csi')
    if ('PX]^_'.includes(letter)) return begin('string')
    if (code > 0x2f) return end('escape', letter)
    if (given.length < LONGEST_GIVEN) given += letter
    return true
  }

  function begin(next: State): true {
    given = ''
    state = next
    return true
  }

  function leave(isTaken: boolean): boolean {
    state = 'text'
    return isTaken
  }

  function end(kind: 'csi' | 'escape', final: string): true {
    state = 'text'
    take({ kind, final, given })
    return true
  }

  /** Read a control character within text. */
  function readCharacter(code: number): void {
    if (code === 0x1b) begin('escape')
    else if (code === 0x9b) begin('csi')
    else if (code === 0x0d) take({ kind: 'return' })
    else if (code === 0x08) take({ kind: 'back' })
  }

  return piece => {
    let at = 0
    while (at < piece.length) {
      if (state !== 'text') {
        if (readControl(piece.charCodeAt(at), piece[at]!)) at++
        continue
      }
      CONTROL.lastIndex = at
      const next = CONTROL.exec(piece)?.index ?? piece.length
      if (next > at) take({ kind: 'text', text: piece.slice(at, next) })
      if (next < piece.length) readCharacter(piece.charCodeAt(next))
      at = next + 1
    }
  }
}
