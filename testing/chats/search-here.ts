import { findBest } from '../../src/main/chats/search/find-best.ts'
import type { ChatSearch } from '../../src/main/chats/search/open-search.ts'
import { createRecall, type Recall } from '../../src/main/chats/search/recall.ts'
import type { Store } from '../../src/main/db/store.ts'

/** The chat search over a whole store, as the host does it in a thread. */
export function searchHere(store: Store): { recall: Recall; store: Store } & Pick<ChatSearch, 'best'> {
  const ranked = createRecall(store.recall)
  const recall: Recall = question => {
    store.recall.refresh(1_000)
    return ranked(question)
  }
  return {
    recall,
    store,
    best: async (_signal, ...given) => findBest({ recall, store }, ...given),
  }
}
