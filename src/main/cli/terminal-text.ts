import { stripVTControlCharacters } from 'node:util'

const CONTROLS = /(?![\n\t])\p{Cc}/gu

// Includes marks that change the drawing order of text and could disguise a command.
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Remove everything that could control a terminal: colours, cursor, window title. */
export const stripControls = (text: string): string => stripVTControlCharacters(text).replace(CONTROLS, '')

/** Write invisible characters as `\u{1b}`, so that the user sees everything that an approval covers. */
export const escapeInvisible = (text: string): string =>
  text.replace(UNSEEN, sign => `\\u{${sign.codePointAt(0)!.toString(16)}}`)
