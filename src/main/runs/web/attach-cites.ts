import type { NewMessage } from '../../../shared/contract/chats/messages.ts'
import type { Cite } from '../../../shared/contract/connections/web.ts'
import { citedPages, learnPages, type KnownPages } from '../../../shared/markdown/web-citations.ts'
import type { TurnPorts } from '../../agent/turn-types.ts'

/**
 * Add the web pages that an answer cites by number. The closing answer of a turn that cites nothing gets the
 * pages that were read for it, so that it still shows its sources. Unknown page numbers are ignored.
 */
export function attachCites(ports: TurnPorts): TurnPorts {
  const known: KnownPages = new Map()
  const read: KnownPages = new Map()
  return {
    ...ports,
    async history(since, most) {
      const messages = await ports.history(since, most)
      for (const message of messages) learnPages(known, message)
      return messages
    },
    append(message) {
      if (message.role === 'tool') {
        learnPages(known, message)
        learnPages(read, message)
      }
      return ports.append(message.role === 'assistant' ? withCites(message, known, read) : message)
    },
  }
}

function withCites(
  message: NewMessage & { role: 'assistant' },
  known: KnownPages,
  read: KnownPages,
): NewMessage {
  const cites: Cite[] = citedPages(message.text, known)
  if (cites.length === 0 && message.calls.length === 0)
    cites.push(...[...read.values()].filter(({ pageId }) => pageId !== undefined))
  return cites.length === 0 ? message : { ...message, cites }
}
