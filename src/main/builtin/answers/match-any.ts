/** The alternatives of a pattern that is written over several lines: a line break stands for “or”. */
const joinLines = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('|')

/** A pattern for whole texts, from alternatives over several lines, written as regular expressions without anchors. */
export const matchAny = ({ raw }: TemplateStringsArray): RegExp =>
  new RegExp(`^(?:${joinLines(raw.join(''))})$`, 'u')

/** A pattern for any of some words and phrases in a text, written as for `matchAny`. */
export const matchWords = ({ raw }: TemplateStringsArray): RegExp =>
  new RegExp(String.raw`\b(?:${joinLines(raw.join(''))})\b`, 'u')
