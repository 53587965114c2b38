/** UTF-16 codes of the characters used in notations. */
export const TAB = 0x09
export const LF = 0x0a
export const CR = 0x0d
export const BLANK = 0x20
export const HASH = 0x23
export const LEFT_PAREN = 0x28
export const RIGHT_PAREN = 0x29
export const STAR = 0x2a
export const COMMA = 0x2c
export const SLASH = 0x2f
export const COLON = 0x3a
export const SEMICOLON = 0x3b
export const LESS = 0x3c
export const EQUALS = 0x3d
export const GREATER = 0x3e
export const LEFT_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const RIGHT_BRACKET = 0x5d
export const BACKTICK = 0x60
export const LEFT_BRACE = 0x7b
export const RIGHT_BRACE = 0x7d

const spaces = new Set('\t\n\v\f\r \u00a0\u3000\ufeff')

/** Whether this is white space, including East Asian and non-breaking spaces. */
export function isSpace(code: number): boolean {
  return code <= BLANK ? code === BLANK || (code >= TAB && code <= CR) : spaces.has(String.fromCharCode(code))
}
