import type { Message, StrangersMark } from '../../../shared/contract/chats/messages.ts'
import type { StrangersText } from '../../../shared/contract/runs/run.ts'
import type { Store } from '../../db/store.ts'
import { framesIn } from '../../untrusted/strangers-text.ts'

/** How many characters of a text a question shows. */
const BEGINNING = 300
const PAGE = 200
/** How many of the newest messages of a chat to search for the texts of one question. */
const MOST_MESSAGES = 2_000

/**
 * The texts of marks as a question shows them: the call of this chat that read each text, and its beginning.
 * A sub-agent may know a text from its parent chat, so that chat is searched too.
 */
export function findMarkedTexts(
  store: Pick<Store, 'messages' | 'sessions'>,
  sessionId: string,
  marks: readonly StrangersMark[],
): StrangersText[] {
  const parentId = store.sessions.get(sessionId)?.parentId
  const found = new Map<string, StrangersText>()
  const framed = new Set<string>()
  for (const id of [sessionId, ...(parentId ? [parentId] : [])]) {
    const missing = marks.filter(mark => !framed.has(mark.id))
    if (missing.length === 0) break
    for (const message of newestOf(store, id))
      for (const mark of missing) {
        const text = textIn(message, mark)
        // The oldest message with the mark is the one that read the text. A framed text wins, because the
        // frame proves that the message contains the text itself.
        if (!text || (framed.has(mark.id) && !text.isFramed)) continue
        if (text.isFramed || !found.has(mark.id)) found.set(mark.id, text.text)
        if (text.isFramed) framed.add(mark.id)
      }
  }
  return marks.map(mark => found.get(mark.id) ?? { ...mark, beginning: '' })
}

/** The newest messages of a chat, newest first. */
function* newestOf({ messages }: Pick<Store, 'messages'>, sessionId: string): Generator<Message> {
  let before: number | undefined
  for (let left = MOST_MESSAGES; left > 0; left -= PAGE) {
    const page = messages.page(sessionId, { limit: PAGE, ...(before !== undefined && { before }) })
    yield* page.messages.toReversed()
    before = page.messages[0]?.id
    if (!page.more) return
  }
}

function textIn(
  message: Message,
  mark: StrangersMark,
): { text: StrangersText; isFramed: boolean } | undefined {
  // A text that the model wrote later is not the text that it read.
  if (message.role === 'assistant') return undefined
  const text = message.role === 'user' ? (message.reports ?? message.documents ?? message.text) : message.text
  if (!message.marks?.some(({ id }) => id === mark.id)) return undefined
  const frames = framesIn(text)
  const frame = frames.find(({ id }) => id === mark.id) ?? frames.find(({ source }) => source === mark.source)
  return {
    isFramed: frame !== undefined,
    text: {
      ...mark,
      beginning: beginningOf(frame?.text ?? text),
      ...(message.role === 'tool' && { call: message.title ?? message.name }),
      sessionId: message.sessionId,
      messageId: message.id,
    },
  }
}

function beginningOf(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length <= BEGINNING) return trimmed
  // Drop half of a surrogate pair.
  return `${trimmed.slice(0, BEGINNING).replace(/[\uD800-\uDBFF]$/, '')}…`
}
