import type { Message } from '../../../shared/contract/chats/messages.ts'
import type { Compaction } from '../../../shared/contract/chats/session.ts'
import { leaveOutPictures, showsPictures } from '../leave-out-pictures.ts'
import { withBriefCalls } from './brief-calls.ts'
import { frameSummary, isFramed } from './summary.ts'

/** Minimum length of results to prune, in characters: for shorter ones the line would hardly be shorter. */
const MIN_PRUNED_CHARS = 240
const MAX_LINE_CHARS = 120

/** Cached, because one pass over a chat prunes the same results several times. */
const known = new WeakMap<Message, Message>()

/** Shorten a tool result to one line: the tool, the length and the beginning. Its pictures are named. */
function pruneResult(message: Message): Message {
  if (message.role !== 'tool') return message
  if (message.text.length <= MIN_PRUNED_CHARS && !showsPictures(message)) return message
  const before = known.get(message)
  if (before) return before
  if (message.text.length <= MIN_PRUNED_CHARS) {
    const brief = leaveOutPictures(message)
    known.set(message, brief)
    return brief
  }
  const begin = /\S.*/.exec(message.text)?.[0].slice(0, MAX_LINE_CHARS).toWellFormed().trim() ?? ''
  const size = message.text.length.toLocaleString('en-US')
  const text = `[${message.name}: ${size} characters were here, beginning: ${begin}]`
  const line = leaveOutPictures({ ...message, text })
  known.set(message, line)
  return line
}

/** Shorten messages up to `id`: results to one line, arguments of successful calls to their beginnings. */
export const pruneUpTo = (messages: readonly Message[], id: number): Message[] =>
  withBriefCalls(messages, reply => reply.id <= id).map(message =>
    message.id <= id ? pruneResult(message) : message,
  )

/**
 * Keep equal tool results in full only once, in the newest message. Only results from before `at` are
 * considered, so the model's view changes with a compaction and at no other time.
 */
function withoutRepeats(messages: readonly Message[], at: number): Message[] {
  const seen = new Set<string>()
  const newestFirst = messages.toReversed().map(message => {
    if (message.role !== 'tool' || message.at > at) return message
    const brief = pruneResult(message)
    if (brief === message) return message
    const shown = (message.attachments ?? []).map(({ hash }) => hash)
    const same = [message.name, ...shown, message.text].join('\n')
    if (seen.has(same)) return brief
    seen.add(same)
    return message
  })
  return newestFirst.toReversed()
}

type Applied = Pick<
  Compaction,
  'at' | 'headId' | 'upToId' | 'prunedToId' | 'summary' | 'questionId' | 'marks'
>

/**
 * Whether a message stays although a summary covers it: the question of a turn whose steps it replaces, and
 * what the user wrote since then.
 */
const isKeptQuestion = (
  { id, role }: Pick<Message, 'id' | 'role'>,
  { questionId, upToId }: Pick<Compaction, 'questionId' | 'upToId'>,
): boolean => role === 'user' && questionId > 0 && id >= questionId && id <= upToId

/** The messages that a model reads: the beginning of the chat, the summary, and the rest. */
export function withCompaction(messages: readonly Message[], compaction: Applied | undefined): Message[] {
  if (!compaction) return [...messages]
  const { at, headId, upToId, prunedToId, summary, marks } = compaction
  const rest = pruneUpTo(withoutRepeats(messages, at), prunedToId)
  if (summary === '') return rest
  const head = rest.filter(message => message.id <= headId || isKeptQuestion(message, compaction))
  const tail = rest.filter(message => message.id > upToId)
  const sessionId = messages[0]?.sessionId ?? ''
  const said = { role: 'user', id: upToId, sessionId, at, text: frameSummary(summary) } as const
  return [...head, { ...said, ...(marks && marks.length > 0 && { marks }) }, ...tail]
}

/** Whether a message is a summary rather than something the user wrote. */
export const isSummary = (message: Message): boolean => message.role === 'user' && isFramed(message.text)
