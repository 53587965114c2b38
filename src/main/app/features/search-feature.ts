import type { HostHandlers } from '../../../shared/contract/index.ts'
import { keepIndexed } from '../../chats/search/keep-indexed.ts'
import { createRecall } from '../../chats/search/recall.ts'
import { searchChats } from '../../chats/search/find-chats.ts'
import type { Store } from '../../db/store.ts'
import { sessionSearchTool } from '../../tools/session-search.ts'

type Needs = { store: Pick<Store, 'recall' | 'sessions'>; report(error: unknown): void }

/** Search in past chats, for the user and for the agent. */
export function searchFeature({ store, report }: Needs) {
  const recall = createRecall(store.recall)
  const indexing = keepIndexed(store.recall, { report })
  const handlers = {
    'recall.search': ({ query, limit, from, to, role }) => ({
      hits: searchChats({ recall, store }, { query, from, to, role, typing: true }, limit),
    }),
  } satisfies Partial<HostHandlers>
  return {
    indexSoon: indexing.soon,
    tools: [sessionSearchTool({ recall, store })],
    handlers,
    close: indexing.close,
  }
}
