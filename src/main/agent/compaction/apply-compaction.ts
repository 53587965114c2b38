import type { Message } from '../../../shared/contract/messages.ts'
import type { Compaction } from '../../../shared/contract/session.ts'
import { prunedTo } from './prune.ts'

type Applied = Pick<Compaction, 'at' | 'headId' | 'upToId' | 'prunedToId' | 'summary'>

const OPENING =
  '[Summary of the earlier part of this conversation. The messages themselves are not shown any more; session_search finds them. Where two lines disagree, the later one holds.]'
const ENDING = '[End of the summary. The conversation goes on from here.]'

/** What a model reads of a chat: the beginning, the summary in the place of what it stands for, and the rest. */
export function withCompaction(messages: readonly Message[], compaction: Applied | undefined): Message[] {
  if (!compaction) return [...messages]
  const { at, headId, upToId, prunedToId, summary } = compaction
  const rest = prunedTo(messages, prunedToId)
  if (summary === '') return rest
  const head = rest.filter(message => message.id <= headId)
  const tail = rest.filter(message => message.id > upToId)
  const sessionId = messages[0]?.sessionId ?? ''
  return [...head, { role: 'user', id: upToId, sessionId, at, text: summaryText(summary) }, ...tail]
}

/** Tell the message that holds a summary from what somebody wrote. */
export const isSummary = (message: Message): boolean =>
  message.role === 'user' && message.text.startsWith(OPENING)

/** A summary as a model reads it among the messages. */
export const summaryText = (summary: string): string => `${OPENING}\n\n${summary}\n\n${ENDING}`
