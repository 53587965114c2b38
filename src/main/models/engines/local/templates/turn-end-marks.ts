import type { PromptPart } from './fill-chat-template.ts'

/** Return the template text between a message and the next one. */
export function frameAfter(parts: readonly PromptPart[], message: number): string {
  const next = parts[parts.findIndex(part => 'message' in part && part.message === message) + 1]
  return next && 'frame' in next ? next.frame : ''
}

/**
 * Return the end of a turn and the start of the next user turn, as written between a reply and a question. If
 * an answer may continue after its end, `inner`, only both together end it.
 */
export function markersOf(between: string, inner: string): string[] {
  const end = firstTag(between)
  if (end === inner) return [between.trim()].filter(isMarker)
  return [end, between.trim().slice(end.length).trim()].filter(isMarker)
}

/** Return the tag that a text starts with; empty if it starts with anything else. */
export const firstTag = (text: string): string => /^<[^<>\s]+>/.exec(text.trim())?.[0] ?? ''

/** Whether a text can mark an end. Short marks are ambiguous: `</s>` is also HTML. Long ones are prose. */
export const isMarker = (text: string): boolean => text.length > 5 && text.length <= 80 && /^[<[]/.test(text)

/** Whether no answer contains a mark by chance: `<user>` is XML, and `[INST]` occurs in texts on models. */
export const isUnmistakable = (text: string): boolean =>
  /^<(?:[|｜][^<>\s]*|[^<>\s]*[|｜]|(?:start|end)_of_\w+)>/.test(text)
