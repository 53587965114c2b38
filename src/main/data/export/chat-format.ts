import type { Message } from '../../../shared/contract/messages.ts'
import type { ChatHead } from '../../db/read-chats.ts'

/** How chats become text: the pieces of one file, in order. */
export type ChatFormat = {
  begin(chats: readonly ChatHead[], at: number): Iterable<string>
  /** The beginning of one chat of `count`. */
  chat(chat: ChatHead, position: number, count: number): Iterable<string>
  message(message: Message, position: number): Iterable<string>
  chatEnd(): Iterable<string>
  end(): Iterable<string>
}

/** A chat without a title has none yet. */
export const titleOf = ({ title }: ChatHead): string =>
  title.replaceAll(/\s+/g, ' ').trim() || 'Untitled chat'

/** A local day and time that sorts: 2026-11-21 09:05. Sweden writes it so. */
export const timeOf = (at: number): string => new Date(at).toLocaleString('sv').slice(0, 16)

/** Who a message is by, for the reader. */
export function speakerOf(message: Message): string {
  switch (message.role) {
    case 'user':
      return 'You'
    case 'assistant':
      return message.model === '' ? 'Assistant' : `Assistant (${message.model})`
    case 'tool':
      return `Result of ${message.name}${message.ok ? '' : ' (failed)'}`
  }
}
