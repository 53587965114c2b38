import { stripVTControlCharacters } from 'node:util'

const CONTROLS = /(?![\n\t])\p{Cc}/gu

// With the marks that change the order in which text is drawn, so that a command could look like another one.
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A text without anything that could steer a terminal: colours, the cursor, the title of the window. */
export const plain = (text: string): string => stripVTControlCharacters(text).replace(CONTROLS, '')

/** A text in which what cannot be seen is written out, such as `\u{1b}`: a person is asked about all of it. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, sign => `\\u{${sign.codePointAt(0)!.toString(16)}}`)
