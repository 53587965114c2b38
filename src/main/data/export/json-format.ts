import { titleOf, type ChatFormat } from './chat-format.ts'

/** Raised when the fields change their meaning. */
const FORMAT = 1

/** Chats as one JSON object, with one message a line. Times are in ISO 8601. */
export const jsonFormat: ChatFormat = {
  *begin(_chats, at) {
    yield `{"talaria":"chats","format":${FORMAT},"exportedAt":${JSON.stringify(isoOf(at))},"chats":[`
  },
  *chat(chat, position) {
    const { id, createdAt, updatedAt, model, folder } = chat
    const head = {
      id,
      title: titleOf(chat),
      createdAt: isoOf(createdAt),
      updatedAt: isoOf(updatedAt),
      model,
      folder,
    }
    yield `${position > 0 ? ',' : ''}\n${JSON.stringify(head).slice(0, -1)},"messages":[`
  },
  *message(message, position) {
    const { sessionId: _chat, at, ...rest } = message
    // What a local model wrote to the byte is for its engine only.
    const shown = { ...rest, at: isoOf(at), raw: undefined }
    yield `${position > 0 ? ',' : ''}\n${JSON.stringify(shown)}`
  },
  *chatEnd() {
    yield ']}'
  },
  *end() {
    yield '\n]}\n'
  },
}

const isoOf = (at: number) => new Date(at).toISOString()
