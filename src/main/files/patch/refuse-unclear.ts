import { byCount } from '../../../shared/text/amounts.ts'

import { indentOf } from './line-depth.ts'
import { nameSign, signsOf } from './fold-signs.ts'
import type { Passage } from './passage.ts'

/** A refused patch. `near` is the passage of the file that was meant. */
export type Unclear = { refused: string; near: string }

const SHOWN_LINES = 12
const SHOWN_LETTERS = 300

/** Refuse a patch because the indentation of a new line is unclear. */
export function unclearDepth(passage: Passage, line: string): Unclear {
  const { text, start, old } = passage
  const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
  const [real = '', quoted = ''] = [text.slice(lineStart).split('\n', 1)[0], old.split('\n', 1)[0]]
  const [has, given] = [indentOf(real), indentOf(quoted)]
  const differs =
    has === given ? '' : ` The file has ${nameIndent(has)} where old_string has ${nameIndent(given)}.`
  return {
    refused: `Nothing was changed, because it is not clear how deep “${line.trim().slice(0, 80)}” belongs.${differs} Quote whole lines, with the blanks at their beginning as they are in the file.`,
    near: shown(passage),
  }
}

/** Refuse a patch because a new block is not deeper than its opening line. */
export function flatLine(passage: Passage, { above, below }: { above: string; below: string }): Unclear {
  return {
    refused: `Nothing was changed, because “${above.trim().slice(0, 80)}” opens a block, and it is not clear how deep “${below.trim().slice(0, 80)}” belongs. Write the lines of the block in new_string deeper than what opens it.`,
    near: shown(passage),
  }
}

/** Refuse a patch because the file writes a character in several ways. */
export function unclearSign(passage: Passage, { unclear }: { unclear: string }): Unclear {
  return {
    refused: `Nothing was changed, because the file writes ${nameSign(unclear)} in more than one way, or otherwise than old_string. ${differenceOf(passage)}Quote the passage with the signs of the file.`,
    near: shown(passage),
  }
}

/** A sentence on the first character that differs from the quotation, with a final blank; else empty. */
function differenceOf({ text, start, end, old }: Passage): string {
  const [reals, olds] = [signsOf(text.slice(start, end)), signsOf(old)]
  const at = reals.findIndex((sign, index) => sign.raw !== olds[index]?.raw)
  const [real, quoted] = [reals[at], olds[at]]
  if (!real || !quoted) return ''
  return `It has ${nameSign(real.raw)} where old_string has ${nameSign(quoted.raw)}. `
}

function nameIndent(indent: string): string {
  if (indent === '') return 'none'
  if (/^\t+$/.test(indent)) return byCount(indent.length, 'a tab', `${indent.length} tabs`)
  if (/^ +$/.test(indent)) return byCount(indent.length, '1 blank', `${indent.length} blanks`)
  return [...new Set(indent)].map(nameSign).join(' and ')
}

function shown({ text, start, end }: Passage): string {
  const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', text[end - 1] === '\n' ? end - 1 : end)
  const lines = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).split('\n')
  const first = text.slice(0, lineStart).split('\n').length
  const some = lines.slice(0, SHOWN_LINES).map(line => line.slice(0, SHOWN_LETTERS))
  return `${byCount(some.length, `Line ${first} is`, `Lines ${first}-${first + some.length - 1} are`)}:\n${some.join('\n')}`
}
