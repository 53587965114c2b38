const ESCAPE = 0x1b
const BELL = 0x07
const RETURN = 0x0d
const NEWLINE = 0x0a

type State = 'text' | 'return' | 'escape' | 'sequence' | 'string' | 'string-escape'

/**
 * Make a cleaner for the output of programs: colours, cursor movements, titles and other control characters go, and
 * line endings become LF. Escape sequences may be split over pieces. A carriage return that overwrites a line, as
 * progress bars do, begins a new line.
 */
export function createCleaner(): (piece: string) => string {
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
