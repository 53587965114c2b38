import type { HostHandlers } from '../../../shared/contract/index.ts'
import { keepIndexed } from '../../chats/search/keep-indexed.ts'
import { openSearch } from '../../chats/search/open-search.ts'
import type { Store } from '../../db/store.ts'
import { sessionSearchTool } from '../../tools/session-search.ts'

type Needs = { store: Pick<Store, 'path' | 'recall' | 'sessions'>; report(error: unknown): void }

/** Search in past chats, for the user and for the agent. */
export function searchFeature({ store, report }: Needs) {
  const search = openSearch({ store, report })
  const indexing = keepIndexed(store.recall, { report })
  const handlers = {
    'recall.search': async ({ query, limit, from, to, role }, signal) => ({
      hits: await search.hits(signal, { query, from, to, role, typing: true }, limit),
    }),
  } satisfies Partial<HostHandlers>
  return {
    indexSoon: indexing.soon,
    list: search.list,
    tools: [sessionSearchTool({ find: search.find, store })],
    handlers,
    async close() {
      indexing.close()
      await search.close()
    },
  }
}
