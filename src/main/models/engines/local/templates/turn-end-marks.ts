import type { PromptPart } from './fill-chat-template.ts'

/** The template text between a message and the next one. */
export function frameAfter(parts: readonly PromptPart[], message: number): string {
  const next = parts[parts.findIndex(part => 'message' in part && part.message === message) + 1]
  return next && 'frame' in next ? next.frame : ''
}

/**
 * The end of a turn and the start of the next user turn, as written between a reply and a question. Where an answer may go on behind
 * its end, `inner`, only both together end it.
 */
export function markersOf(between: string, inner: string): string[] {
  const end = firstTag(between)
  if (end === inner) return [between.trim()].filter(isMarker)
  return [end, between.trim().slice(end.length).trim()].filter(isMarker)
}

/** The tag that a text begins with; empty if it begins with something else. */
export const firstTag = (text: string): string => /^<[^<>\s]+>/.exec(text.trim())?.[0] ?? ''

/** Short marks are ambiguous: `</s>` is also HTML, and a plain word is also prose. Long ones are sentences. */
export const isMarker = (text: string): boolean => text.length > 5 && text.length <= 80 && /^[<[]/.test(text)

/** Whether a mark starts with what no answer contains by chance: `<user>` is XML, and `[INST]` a word about models. */
export const isUnmistakable = (text: string): boolean =>
  /^<(?:[|｜][^<>\s]*|[^<>\s]*[|｜]|(?:start|end)_of_\w+)>/.test(text)
