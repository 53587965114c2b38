import { hiddenSpans, type Span } from './hidden-characters.ts'
import { showHiddenInLine, writtenAs } from './show-hidden.ts'

/** Visible characters: spaces of any width, and marks on a letter. */
const IS_SEEN = /^(?:\p{Zs}|(?!\p{Default_Ignorable_Code_Point})\p{M})+$/v
/** The marks of direction that Hebrew and Arabic are written with. */
const DIRECTIONS = /^[\u200e\u200f\u061c]+$/
const RIGHT_TO_LEFT = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/v
/** May belong to a character that has not arrived yet, such as the next person of a family emoji. */
const MAY_GO_ON = /^(?:\u200d|\ufe0e|\ufe0f)$/

/**
 * The characters of a text that are invisible, or that reorder others. In long texts for users, spaces and
 * the direction marks of right-to-left writing do not count. `isGrowing`: more text may follow.
 */
export function unseenSpans(text: string, isGrowing = false): Span[] {
  let isRightToLeft: boolean | undefined
  return [...hiddenSpans(text)].filter(({ from, to }) => {
    const part = text.slice(from, to)
    if (IS_SEEN.test(part) || (isGrowing && to === text.length && MAY_GO_ON.test(part))) return false
    return !DIRECTIONS.test(part) || !(isRightToLeft ??= RIGHT_TO_LEFT.test(text))
  })
}

/** Write the text of a message for users: invisible characters become `⟨U+200B⟩`, all else stays. */
export function showUnseen(text: string, isGrowing = false): string {
  let shown = ''
  let end = 0
  for (const { from, to } of unseenSpans(text, isGrowing)) {
    shown += text.slice(end, from) + writtenAs(text.slice(from, to))
    end = to
  }
  return shown + text.slice(end)
}

/** The number of invisible characters of a text. */
export const countUnseen = (text: string): number =>
  unseenSpans(text).reduce((sum, { from, to }) => sum + Array.from(text.slice(from, to)).length, 0)

/** Whether a text shows nothing: it is blank, or all of its characters are hidden. */
export function isUnseen(text: string): boolean {
  let end = 0
  for (const { from, to } of hiddenSpans(text)) {
    if (text.slice(end, from).trim() !== '') return false
    end = to
  }
  return text.slice(end).trim() === ''
}

/** The title of a chat as lists, headings and names of buttons show it. */
export const showTitle = (title: string, none = 'New chat'): string => showHiddenInLine(title) || none
