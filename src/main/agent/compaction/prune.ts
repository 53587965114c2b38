import type { Message } from '../../../shared/contract/messages.ts'

/** Shorter results cost less than the line that would stand for them. */
const WORTH = 240
const LONGEST_LINE = 120
const inWords = new Intl.NumberFormat('en-US')

/** In one pass over a chat the same results are pruned several times. */
const known = new WeakMap<Message, Message>()

/** A tool result as one line: which tool, how much there was, and how it began. */
export function pruned(message: Message): Message {
  if (message.role !== 'tool' || message.text.length <= WORTH) return message
  const before = known.get(message)
  if (before) return before
  const begin = /\S.*/.exec(message.text)?.[0].slice(0, LONGEST_LINE).toWellFormed().trim() ?? ''
  const size = inWords.format(message.text.length)
  const line = { ...message, text: `[${message.name}: ${size} characters were here, beginning: ${begin}]` }
  known.set(message, line)
  return line
}

/** What a model reads of results up to a message. */
export const prunedTo = (messages: readonly Message[], id: number): Message[] =>
  messages.map(message => (message.id <= id ? pruned(message) : message))
