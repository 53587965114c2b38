import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRecall } from '../src/main/chats/search/recall.ts'
import type { Store } from '../src/main/db/store.ts'
import { fillChats, openBenchStore, sentencesOf } from './fill-chats.ts'
import { percentile, round } from './measure.ts'

const MESSAGES = 1_000_000
const IN_CHAT = 50
const WORDS = 36
const QUERIES = 200
const WARM_UP = 30
const APPENDS = 500

/**
 * The search over a million messages, through the store that the host opens: milliseconds of a search and of one message
 * more, and bytes of the file for each message beyond its text.
 */
export async function benchRecall(messages = MESSAGES): Promise<Record<string, number>> {
  const home = mkdtempSync(join(tmpdir(), 'talaria-bench-recall-'))
  const { sentence, random } = sentencesOf(7)
  try {
    const path = join(home, 'state.db')
    const lengths = () => Math.max(3, Math.round(WORDS * (0.3 + 1.4 * random())))
    const textBytes = fillChats(home, {
      chats: Array.from({ length: messages / IN_CHAT }, () => IN_CHAT),
      textOf: () => sentence(lengths()),
      titleOf: () => sentence(6),
    })
    const store = openBenchStore(home)
    const startedAt = performance.now()
    store.recall.refresh(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    const indexed = performance.now() - startedAt
    const searches = search(store, sentence)
    const appends = append(store, sentence)
    store.close()
    return {
      recall_messages: messages,
      recall_passages_s: round(indexed / 1_000),
      ...searches,
      recall_append_p50_ms: round(percentile(appends, 0.5)),
      recall_append_p95_ms: round(percentile(appends, 0.95)),
      recall_bytes_per_message: Math.round((statSync(path).size - textBytes) / messages),
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Questions of ten words, as people ask them: about half are common ones. */
function search(store: Store, sentence: (length: number) => string): Record<string, number> {
  const recall = createRecall(store.recall)
  const samples: number[] = []
  const startedAt = performance.now()
  recall({ query: sentence(10) })
  const first = performance.now() - startedAt
  for (let n = 0; n < QUERIES + WARM_UP; n++) {
    const query = `${sentence(10)}?`
    const before = performance.now()
    recall({ query })
    if (n >= WARM_UP) samples.push(performance.now() - before)
  }
  return {
    recall_first_ms: round(first),
    recall_search_p50_ms: round(percentile(samples, 0.5)),
    recall_search_p95_ms: round(percentile(samples, 0.95)),
  }
}

function append(store: Store, sentence: (length: number) => string): number[] {
  const { id } = store.sessions.create({
    modelId: 'builtin',
    workspace: '/desk',
    approval: 'ask',
    origin: 'window',
  })
  return Array.from({ length: APPENDS }, (_, n) => {
    const text = sentence(WORDS)
    const before = performance.now()
    store.messages.append({ role: 'user', sessionId: id, at: 1_700_000_000_000 + n, text })
    return performance.now() - before
  })
}
