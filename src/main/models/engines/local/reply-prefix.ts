import type { PromptPart, Turn } from './fill-template.ts'

/**
 * What a template writes before a reply only now, and what only before past ones. A thought that it opens is part of the
 * reply, so that whoever reads the reply knows that it begins with a thought.
 */
export function compareLeads(now: string, past: string): { opener: string; surplus: string } {
  let same = 0
  while (same < now.length && now[same] === past[same]) same++
  const thought = openThought.exec(now)?.index ?? same
  const tag = same < now.length ? now.slice(0, same).search(/[<[][^<>[\]]*$/) : -1
  const shared = Math.min(thought, tag < 0 ? same : tag)
  const opener = now.slice(shared)
  // Anything else that differs is no beginning of a reply, but a template that rewrites earlier turns.
  if (shared < past.length && opener !== '' && !isThought(opener)) return { opener: '', surplus: '' }
  return { opener, surplus: past.slice(shared) }
}

const openThought = /<[\w:|]*think(?:ing)?[|]?>\s*$|\[THINK\]\s*$/i
/** Whether what stands before past replies is a thought without content, so that they are not in a frame of their own. */
export const closedThought = /<\/[\w:|]*think(?:ing)?[|]?>\s*$|\[\/THINK\]\s*$/i
const isThought = (text: string): boolean => /think|thought/i.test(text)

/** Take the beginning of the reply off a prompt, so that it has the same tokens now and as part of a past reply. */
export function splitOpener(parts: PromptPart[], opener: string): { parts: PromptPart[]; opener: string } {
  const last = parts.at(-1)
  if (opener === '' || !last || !('frame' in last) || !last.frame.endsWith(opener))
    return { parts, opener: '' }
  const frame = withoutEnd(last.frame, opener)
  return { parts: [...parts.slice(0, -1), ...(frame === '' ? [] : [{ frame }])], opener }
}

/** A text without its end, where it has that end. */
export const withoutEnd = (text: string, end: string): string =>
  end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text

/** What a model wrote follows the generation prompt, also where the template writes more before a past reply. */
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
