/** A passage in a text, and what the model wrote about it. All line ends are LF. */
export type Passage = {
  text: string
  start: number
  end: number
  old: string
  now: string
  isExact: boolean
  /** The passage was compared without the blanks at line ends. */
  wholeLines: boolean
}

/** The lines that replace a passage, with the index of the old line that each comes from. */
export type Adapted = { lines: string[]; from: (number | undefined)[] }

/** The first new line that is not in the old text. */
export function newLineOf({ old, now }: Passage): string {
  const known = new Set(old.split('\n').map(line => line.trim()))
  return now.split('\n').find(line => line.trim() !== '' && !known.has(line.trim())) ?? now.split('\n', 1)[0]!
}

/** A part of a text. */
type Part = { text: string; start: number; end: number }

/** The line around a position, from its beginning up to that position. */
export const lineAround = (text: string, place: number): string =>
  text.slice(place === 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1, place + 1)

/** The line that follows a passage. */
export function lineBehind({ text, end }: Part): string {
  const start = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1
  const stop = text.indexOf('\n', start)
  return start === 0 ? '' : text.slice(start, stop === -1 ? undefined : stop)
}

/** The line above a passage that begins a line. */
export const lineAbove = ({ text, start }: Part): string =>
  start < 2 ? '' : text.slice(text.lastIndexOf('\n', start - 2) + 1, start - 1)
