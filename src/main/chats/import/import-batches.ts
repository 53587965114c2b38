import type { ImportedMessage } from '../../db/chats/import-tables.ts'
import { type ImportPiece, type ImportSource, type SourceChat, createTally, skipOf } from './import-source.ts'
import type { ImportPreview } from '../../../shared/contract/import.ts'

/**
 * The pieces imported in one step: whole chats and the pieces between them. A chat that is too long for one
 * step is imported as its beginning, followed by the rest of its messages in order.
 */
export type ImportBatch =
  | { pieces: ImportPiece[] }
  | { begun: SourceChat }
  | { messages: ImportedMessage[]; isLast: boolean }

/** The size of a step: a few ms of blocking work. A single message may be longer. */
const MAX_MESSAGES = 40
const MAX_CHARS = 40_000
/** Maximum number of chats, memories and skips in a step, because many have no messages. */
const MAX_PIECES = 25

/** Divide the pieces of a source into steps of bounded size. */
export async function* batchesOf(source: ImportSource, signal: AbortSignal): AsyncGenerator<ImportBatch> {
  let pieces: ImportPiece[] = []
  let size = { messages: 0, chars: 0 }
  for await (const piece of source.read(signal)) {
    const parts = 'chat' in piece ? partsOf(piece.chat.messages) : []
    const added = sizeOf(parts[0] ?? [])
    const isFull =
      parts.length > 1 ||
      pieces.length === MAX_PIECES ||
      size.messages + added.messages > MAX_MESSAGES ||
      size.chars + added.chars > MAX_CHARS
    if (isFull && pieces.length > 0) {
      yield { pieces }
      pieces = []
      size = { messages: 0, chars: 0 }
    }
    if ('chat' in piece && parts.length > 1) yield* longChat(piece.chat, parts)
    else {
      pieces.push(piece)
      size = { messages: size.messages + added.messages, chars: size.chars + added.chars }
    }
  }
  if (pieces.length > 0) yield { pieces }
}

function* longChat(chat: SourceChat, [first = [], ...others]: ImportedMessage[][]): Generator<ImportBatch> {
  yield { begun: { ...chat, messages: first } }
  for (const [at, messages] of others.entries()) yield { messages, isLast: at === others.length - 1 }
}

const sizeOf = (messages: readonly ImportedMessage[]) => ({
  messages: messages.length,
  chars: messages.reduce((sum, { text }) => sum + text.length, 0),
})

/** Split messages into parts that each fit into a step. */
function partsOf(messages: readonly ImportedMessage[]): ImportedMessage[][] {
  const parts: ImportedMessage[][] = []
  let part: ImportedMessage[] = []
  let chars = 0
  for (const message of messages) {
    const isFull = part.length === MAX_MESSAGES || chars + message.text.length > MAX_CHARS
    if (isFull && part.length > 0) {
      parts.push(part)
      part = []
      chars = 0
    }
    part.push(message)
    chars += message.text.length
  }
  parts.push(part)
  return parts
}

/** The totals of an import; `keys` are those of its chats. */
export type ImportCount = Pick<
  ImportPreview,
  'kind' | 'sessions' | 'messages' | 'memories' | 'titles' | 'skipped'
> & { keys: string[] }

const TITLES = 20
const TWICE = skipOf('chat', 'it is in the export twice')

/** Read a whole source and count its contents. */
export async function countImport(source: ImportSource, signal: AbortSignal): Promise<ImportCount> {
  const tally = createTally()
  const keys = new Set<string>()
  const counts = { sessions: 0, messages: 0, memories: 0 }
  const titles: string[] = []
  for await (const piece of source.read(signal)) {
    if ('skip' in piece) tally.add(piece.skip)
    else if ('memory' in piece) counts.memories++
    else if (keys.has(piece.chat.key)) tally.add(TWICE)
    else {
      const { key, title, messages } = piece.chat
      keys.add(key)
      counts.sessions++
      counts.messages += messages.length
      if (titles.length < TITLES) titles.push(title || messages[0]!.text.slice(0, 80).toWellFormed())
    }
  }
  return { kind: source.kind, ...counts, titles, skipped: tally.list(), keys: [...keys] }
}
