import type { WireMessage } from '../../../interface/engine.ts'

/** Words with which a user switches thinking. They must stand alone, so that paths and code do not match. */
const marks = /(?<!\S)\/(?:no_?think|think)(?=[\s.,;:!?]|$)/g

/** Whether a chat template looks for `/no_think` in texts. */
export const looksForMarks = (source: string): boolean => /\/no_?think/.test(source)

/** Find the words that a template may look for. Skips tool output, which the user did not write. */
export function findThinkingMarks({ role, text }: Pick<WireMessage, 'role' | 'text'>): readonly string[] {
  if ((role !== 'user' && role !== 'system') || !text.includes('think')) return []
  if (role === 'user' && text.startsWith('[Tool Result: ')) return []
  return [...new Set(text.match(marks))]
}

/** Remove the words in `removed` from a message and trim it, as templates that remove them do. */
export function cutThinkingMarks(message: WireMessage, removed: readonly string[]): WireMessage {
  const { text } = message
  const cuts = [...text.matchAll(marks)]
    .filter(([mark]) => removed.includes(mark))
    .map(({ 0: mark, index }) => ({ from: index, to: index + mark.length }))
  if (cuts.length === 0) return message
  const kept = (from: number, to: number) => {
    let at = from
    let out = ''
    for (const cut of cuts) {
      if (cut.to <= from || cut.from >= to) continue
      out += text.slice(at, Math.max(at, cut.from))
      at = cut.to
    }
    return out + text.slice(at, to)
  }
  const whole = kept(0, text.length)
  const blank = whole.length - whole.trimStart().length
  const moved = (at: number) => Math.max(0, kept(0, at).length - blank)
  const markup = message.markup?.map(([from, to]) => [moved(from), moved(to)] as const)
  return { ...message, text: whole.trim(), ...(markup && { markup }) }
}
