import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import type { Message, StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { messagesOf } from '../reviews/learning-events.ts'

/** Names that other programs use for tools that fetch strangers' texts. */
const FETCHES = /web|fetch|browse|http|url|(?:^|_)mcp(?:_|$)|__/i

/** The mark for the output of another program's tool. */
const markOf = (name: string): StrangersMark => ({ id: `foreign:${name}`, source: `a result of “${name}”` })

/**
 * Convert a session of another program to messages. Tool output from the web or from servers is marked as a
 * stranger's, so that a review leaves it out, as in our own chats. `model`: the answering one, if known.
 */
export const foreignMessages = (events: readonly LearningEvent[], model = ''): Message[] =>
  messagesOf(events).map(message =>
    message.role === 'tool' && FETCHES.test(message.name)
      ? { ...message, marks: [markOf(message.name)] }
      : message.role === 'assistant' && model !== ''
        ? { ...message, model }
        : message,
  )
