/** Join the alternatives of a pattern written over several lines: a line break means “or”. */
const joinLines = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('|')

/** Create a pattern for whole texts from alternatives over several lines, without anchors. */
export const matchAny = ({ raw }: TemplateStringsArray): RegExp =>
  new RegExp(`^(?:${joinLines(raw.join(''))})$`, 'u')

/** Create a pattern that finds any of some words and phrases in a text, written as for `matchAny`. */
export const matchWords = ({ raw }: TemplateStringsArray): RegExp =>
  new RegExp(String.raw`\b(?:${joinLines(raw.join(''))})\b`, 'u')
