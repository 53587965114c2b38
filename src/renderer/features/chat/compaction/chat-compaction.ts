import type { Compaction } from '../../../../shared/contract/chats/session.ts'
import { attemptCall, windowRefusal, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { formatCount } from '../../../ui/text/format-values.ts'
import { isBusy, mergeById, type Access, type ChatState } from '../store/chat-state.ts'
import { rowOf, type TranscriptRow } from '../transcript/transcript-rows.ts'

/** Actions on the summaries of a chat. */
export type ChatCompaction = {
  /** Load the summaries of this chat. */
  readCompactions: () => Promise<void>
  /** Replace older messages by a summary now. Resolves when the work has started. */
  compact: (focus: string) => Promise<Outcome<unknown>>
}

type Fields = ChatState & { sessionId: string | null; pending: string | null }

const MOST_FOCUS = 500
const COMMAND = /^\/compact(?:\s+(.*))?$/s

/** What the summary must keep (possibly empty), if the text is a `/compact` command; otherwise undefined. */
export function focusIn(text: string): string | undefined {
  const command = COMMAND.exec(text.trim())
  return command ? (command[1] ?? '').trim() : undefined
}

/** The summary part of the chat store. */
export function createChatCompaction(
  { client }: Pick<Link, 'client'>,
  { get, set, follow }: Access<Fields> & { follow: (runId: string) => Promise<unknown> },
): ChatCompaction {
  return {
    async readCompactions() {
      const id = get().sessionId
      if (id === null) return
      const read = await attemptCall(client['session.compactions']({ id }))
      // On failure only the divider is missing.
      if (read.ok) set(state => ({ compactions: mergeById(state.compactions, read.value.compactions) }))
    },

    async compact(focus) {
      const { sessionId, pending } = get()
      if (sessionId === null) return windowRefusal('There is nothing to summarise yet.')
      if (isBusy(get()) || pending !== null)
        return windowRefusal(
          'Nothing was summarised, because the agent is working. Try again when it is done.',
        )
      if (focus.length > MOST_FOCUS)
        return windowRefusal(`Use at most ${formatCount(MOST_FOCUS)} characters to say what must be kept.`)
      const started = await attemptCall(client['chat.compact']({ sessionId, focus }))
      if (started.ok) void follow(started.value.runId)
      return started
    },
  }
}

/** Rows that belong to the row before them. */
const trailing = new Set<TranscriptRow['kind']>([
  'note',
  'claim',
  'files',
  'learned',
  'skills',
  'offered',
  'end',
])

/**
 * Adds a divider to the transcript rows after the last message that the summary covers. There is at most one,
 * because a later summary includes the earlier ones. If the covered messages are not loaded, no divider is
 * added.
 */
export function withDivider(
  items: readonly TranscriptRow[],
  compactions: readonly Compaction[],
): readonly TranscriptRow[] {
  const compaction = compactions.findLast(({ by }) => by !== 'pruning') ?? compactions.at(-1)
  if (!compaction) return items
  const upToId = compaction.by === 'pruning' ? compaction.prunedToId : compaction.upToId
  const row = rowOf(items, upToId)
  if (row < 0) return items
  let at = row + 1
  while (at < items.length && trailing.has(items[at]!.kind)) at++
  return items.toSpliced(at, 0, { key: `compaction:${upToId}`, kind: 'compaction', compaction })
}

/** Parses a stored summary: `## ` starts a heading, `- ` starts a list line. */
export function partsOf(text: string): { heading: string; lines: string[] }[] {
  const parts: { heading: string; lines: string[] }[] = []
  for (const line of text.split('\n').filter(each => each.trim() !== '')) {
    if (line.startsWith('## ')) parts.push({ heading: line.slice(3), lines: [] })
    else {
      if (parts.length === 0) parts.push({ heading: '', lines: [] })
      parts.at(-1)!.lines.push(line.replace(/^- /, ''))
    }
  }
  return parts
}
