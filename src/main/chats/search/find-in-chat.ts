import type { FoundMessage } from '../../../shared/contract/chats/finding.ts'
import { findPattern } from '../../../shared/text/find-pattern.ts'
import type { ReadStore } from '../../db/file/read-store.ts'
import { textOfMarkdown } from './text-of-markdown.ts'

/** How many messages to read at a time; between slices the search can be stopped. */
const SLICE = 500
/** Maximum number of matches. The window counts up to this. */
const MOST = 20_000

export type Findings = { found: FoundMessage[]; total: number; more: boolean }

/** Count the matches of the user's search in a chat, message by message. */
export function findInChat(
  { store }: { store: Pick<ReadStore, 'turns'> },
  sessionId: string,
  query: string,
  tools: boolean,
): Findings {
  const pattern = findPattern(query)
  const found: FoundMessage[] = []
  let total = 0
  let after = 0
  if (!pattern) return { found, total, more: false }
  for (;;) {
    const slice = store.turns.texts(sessionId, { after, limit: SLICE, tools })
    for (const { id, role, text } of slice) {
      const shown = role === 'assistant' ? textOfMarkdown(text) : text
      const room = MOST - total
      const count = countOf(pattern, shown, room + 1)
      if (count > 0) found.push({ messageId: id, count: Math.min(count, room) })
      total += Math.min(count, room)
      if (count > room) return { found: found.filter(each => each.count > 0), total, more: true }
    }
    if (slice.length < SLICE) return { found, total, more: false }
    after = slice.at(-1)!.id
  }
}

function countOf(pattern: RegExp, text: string, most: number): number {
  let count = 0
  pattern.lastIndex = 0
  while (count < most && pattern.test(text)) count++
  return count
}
