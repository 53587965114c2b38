import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import type { Message, StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { messagesOf } from '../reviews/learning-events.ts'

/** Tools that bring what strangers wrote, by the names that they have in other programs. */
const FETCHES = /web|fetch|browse|http|url|(?:^|_)mcp(?:_|$)|__/i

/** Where the text of another program's tool comes from. */
const markOf = (name: string): StrangersMark => ({ id: `foreign:${name}`, source: `a result of “${name}”` })

/**
 * The messages of a session of another program. What its tools brought from the web or from servers is marked as a stranger's, so
 * that a review leaves it out, as it does in a chat of ours. `model` is the one that answered, if it was named.
 */
export const foreignMessages = (events: readonly LearningEvent[], model = ''): Message[] =>
  messagesOf(events).map(message =>
    message.role === 'tool' && FETCHES.test(message.name)
      ? { ...message, marks: [markOf(message.name)] }
      : message.role === 'assistant' && model !== ''
        ? { ...message, model }
        : message,
  )
