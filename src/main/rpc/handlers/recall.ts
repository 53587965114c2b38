import type { HostHandlers } from '../../../shared/contract/index.ts'
import { searchChats } from '../../sessions/search-chats.ts'

/** The search of the window and of the terminal; the same that the agent has. */
export const recallHandlers = (parts: Parameters<typeof searchChats>[0]) =>
  ({
    'recall.search': ({ query, limit, from, to, role }) => ({
      hits: searchChats(parts, { query, from, to, role, typing: true }, limit),
    }),
  }) satisfies Partial<HostHandlers>
