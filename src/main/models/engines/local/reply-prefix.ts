import type { PromptPart, Turn } from './fill-template.ts'

/**
 * Compare what a template writes before a new reply and before past replies. A thought that the template opens counts
 * as part of the reply, so that readers of the reply know that it starts with a thought.
 */
export function compareReplyPrefixes(now: string, past: string): { opener: string; surplus: string } {
  let same = 0
  while (same < now.length && now[same] === past[same]) same++
  const thought = openThought.exec(now)?.index ?? same
  const tag = same < now.length ? now.slice(0, same).search(/[<[][^<>[\]]*$/) : -1
  const shared = Math.min(thought, tag < 0 ? same : tag)
  const opener = now.slice(shared)
  // Any other difference means that the template rewrites earlier turns.
  if (shared < past.length && opener !== '' && !isThought(opener)) return { opener: '', surplus: '' }
  return { opener, surplus: past.slice(shared) }
}

const openThought = /<[\w:|]*think(?:ing)?[|]?>\s*$|\[THINK\]\s*$/i
/**
 * Whether the text before past replies ends with an empty thought, so that the replies have no frame of their own.
 */
export const closedThought = /<\/[\w:|]*think(?:ing)?[|]?>\s*$|\[\/THINK\]\s*$/i
const isThought = (text: string): boolean => /think|thought/i.test(text)

/** Remove the start of the reply from a prompt, so that it has the same tokens now and as part of a past reply. */
export function splitOpener(parts: PromptPart[], opener: string): { parts: PromptPart[]; opener: string } {
  const last = parts.at(-1)
  if (opener === '' || !last || !('frame' in last) || !last.frame.endsWith(opener))
    return { parts, opener: '' }
  const frame = withoutEnd(last.frame, opener)
  return { parts: [...parts.slice(0, -1), ...(frame === '' ? [] : [{ frame }])], opener }
}

/** The text without `end`, if it ends with it. */
export const withoutEnd = (text: string, end: string): string =>
  end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text

/**
 * Put past replies of the model directly after the generation prompt, even where the template writes more before past
 * replies.
 */
export function dropSurplus(parts: PromptPart[], turns: readonly Turn[], surplus: string): PromptPart[] {
  if (surplus === '') return parts
  return parts.flatMap((part, at): PromptPart[] => {
    const next = parts[at + 1]
    const isBeforeOwn = next && 'message' in next && turns[next.message]?.generated
    if (!('frame' in part) || !isBeforeOwn) return [part]
    const frame = withoutEnd(part.frame, surplus)
    return frame === '' ? [] : [{ frame }]
  })
}
