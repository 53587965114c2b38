import type { Attachment } from '../../shared/contract/chats/attachments.ts'
import type { StrangersMark } from '../../shared/contract/chats/messages.ts'
import { many } from '../../shared/text/amounts.ts'
import { frameStrangersText } from '../untrusted/strangers-text.ts'
import { cutPassages, findPassages, type Passage } from './find-passages.ts'
import type { Reading } from '../documents/document.ts'

/** Limits for a model's text of a document: tokens for passages, and whether it has the tool to read on. */
export type TextRoom = { tokens: number; canReadOn: boolean; count(this: void, text: string): number }

/** A file's name in a text for a model: one line, without characters that could end a frame. */
export const plainName = (name: string): string =>
  name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}[\]“”()]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
    .toWellFormed()

/** The source of an attached file's text, for its frame and its mark. */
const attachedSource = (name: string): string => `the attached file “${plainName(name)}”`

/**
 * The mark for the text of a file. It stays the same in a chat, so that a user who has read the file needs to
 * say so only once.
 */
export const attachedMark = ({ hash, name }: Attachment): StrangersMark => ({
  id: `file_${hash.slice(0, 24)}`,
  source: attachedSource(name),
})

/** The text of a file in its frame. */
export const frameAttached = ({ name }: Attachment, text: string): string =>
  frameStrangersText(attachedSource(name), text === '' ? '(no text)' : text)

/** A whole document as a model reads it. */
export function writeWhole(attachment: Attachment, { pages, problems }: Reading): string {
  const text = pages.map(({ n, text }) => (pages.length > 1 ? `[page ${n}]\n${text}` : text)).join('\n\n')
  return framed(attachment, problems, 'All of it follows.', text)
}

/**
 * The parts of a document that fit: its beginning, and the passages that contain words of the message. The
 * text says what is missing and how to read on.
 */
export function writePassages(
  attachment: Attachment,
  { pages, problems }: Reading,
  message: string,
  { tokens, canReadOn, count }: TextRoom,
): string {
  const all = cutPassages(pages)
  const chosen = new Set<Passage>()
  let left = tokens
  const add = (passage: Passage | undefined): boolean => {
    if (!passage || chosen.has(passage)) return true
    const cost = count(passage.text) + PASSAGE_TOKENS
    if (cost > left && chosen.size > 0) return false
    chosen.add(passage)
    left -= cost
    return true
  }
  add(all[0])
  for (const passage of findPassages(all, message, MOST_FOUND)) if (!add(passage)) break
  // If the message's words lead nowhere, continue the beginning.
  for (const passage of all) if (!add(passage)) break
  const shown = all.filter(passage => chosen.has(passage))
  if (shown.length === all.length) return writeWhole(attachment, { kind: attachment.kind, pages, problems })
  const text = shown.map(
    (passage, at) => headOf(passage, shown[at - 1], pages.length) + passage.text.trimEnd(),
  )
  const said = [
    `Only parts of it follow: its beginning, and what fits the message below. ${all.length - shown.length} of ${many(all.length, 'part')} are missing.`,
    canReadOn
      ? `To read more, call read_attachment with name “${plainName(attachment.name)}” and a page, or a query to search it.`
      : 'You cannot read the rest of it: if the answer may be there, say so.',
  ]
  return framed(attachment, problems, said.join(' '), text.join('\n'))
}

const PASSAGE_TOKENS = 8
const MOST_FOUND = 40

/** The line before a passage that says where it is; empty if it continues the passage before. */
function headOf({ page, from }: Passage, before: Passage | undefined, pages: number): string {
  const goesOn = before?.page === page && before.from + before.text.length === from
  if (goesOn) return ''
  const where =
    pages > 1 ? `[page ${page}${from > 0 ? `, from character ${from}` : ''}]` : `[from character ${from}]`
  return before ? `[…]\n${where}\n` : `${where}\n`
}

function framed(attachment: Attachment, problems: readonly string[], said: string, text: string): string {
  const { name, kind, pages = 1 } = attachment
  const what = [`Attached file: ${plainName(name)}`, kind, ...(pages > 1 ? [many(pages, 'page')] : [])].join(
    ', ',
  )
  const known = problems.length === 0 ? '' : ` Known of it: ${problems.slice(0, MOST_PROBLEMS).join(' ')}`
  return `[${what}. ${said}${known}]\n${frameAttached(attachment, text)}`
}

const MOST_PROBLEMS = 5
