import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSearch } from '../src/main/chats/search/open-search.ts'
import type { Store } from '../src/main/db/store.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { sessionSearchTool } from '../src/main/chats/search/tool/session-search-tool.ts'
import { fillChats, indexPassages, openBenchStore, sentencesOf } from './fill-chats.ts'
import { median, percentile, round, timed } from './measure.ts'
import type { Measured } from './run-parts.ts'

const IN_CHAT = 50
const WORDS = 36
const WARM_UP = 30
/** The number of chats that the window asks for. */
const MOST = 30
/** The least share of searches that must find something. */
const FOUND = 0.9

/** How much is stored and asked. `script` is the thread's script, by default the built one. */
type Sizes = { messages?: number; queries?: number; cold?: number; appends?: number; script?: string }

/**
 * How long a person waits for a search over a million messages, and a model for its tool `session_search`.
 * Searches run in the host's search thread: warm and with the start of that thread, with everything indexed
 * and with only the newer half. Also the milliseconds for storing one more message, and the bytes of the file
 * for each message beyond its text.
 */
export async function benchRecall({
  messages = 1_000_000,
  queries = 200,
  cold = 7,
  appends = 500,
  script = join(rootFolder(), 'out/main/recall-thread.js'),
}: Sizes = {}): Promise<Measured> {
  const home = mkdtempSync(join(tmpdir(), 'talaria-bench-recall-'))
  const { sentence, random } = sentencesOf(7)
  try {
    const lengths = () => Math.max(3, Math.round(WORDS * (0.3 + 1.4 * random())))
    const textBytes = fillChats(home, {
      chats: Array.from({ length: messages / IN_CHAT }, () => IN_CHAT),
      textOf: () => sentence(lengths()),
      titleOf: () => sentence(6),
    })
    const store = openBenchStore(home)
    const asking = { store, script, ask: () => `${sentence(10)}?`, queries, cold }
    // As after a crash or an import whose indexing was cut off: the newest messages are indexed first.
    const passages = store.recall.range('passages')
    await indexPassages(store, passages ? (passages.last - passages.first) / 2 : 0)
    const half = await searches(asking)
    const indexing = await timed(() => indexPassages(store))
    const whole = await searches(asking)
    const appended = append(store, sentence, appends)
    store.close()
    return {
      recall_messages: messages,
      recall_queries: queries,
      // Index the other half, in the host's own thread and in its small steps.
      recall_index_half_s: round(indexing / 1_000),
      ...named('', whole),
      ...named('half_indexed_', half),
      recall_append_p50_ms: round(percentile(appended, 0.5)),
      recall_append_p95_ms: round(percentile(appended, 0.95)),
      recall_bytes_per_message: Math.round((statSync(join(home, 'state.db')).size - textBytes) / messages),
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The waiting times, in ms. */
type Waits = { window: number[]; tool: number[]; coldWindow: number[]; coldTool: number[] }

type Asking = { store: Store; script: string; ask(): string; queries: number; cold: number }

/**
 * Search as the host does. Each search indexes ten passages; the host in the background would index half of
 * all within a minute.
 */
async function searches({ store, script, ask, queries, cold }: Asking): Promise<Waits> {
  const raise = (error: unknown) => {
    throw error
  }
  const waits: Waits = { window: [], tool: [], coldWindow: [], coldTool: [] }
  for (let n = 0; n < cold; n++)
    for (const [kind, taken] of [
      ['window', waits.coldWindow],
      ['tool', waits.coldTool],
    ] as const) {
      const opened = openSearches(store, script, raise)
      taken.push(await timed(() => opened[kind](ask())))
      await opened.close()
    }
  const opened = openSearches(store, script, raise)
  const warmUp = Math.min(WARM_UP, queries)
  let found = 0
  for (let n = 0; n < queries + warmUp; n++) {
    for (const kind of ['window', 'tool'] as const) {
      // If both asked the same, the second one would find the pages already read.
      const query = ask()
      let isFound = false
      const took = await timed(async () => (isFound = await opened[kind](query)))
      if (n < warmUp) continue
      waits[kind].push(took)
      found += Number(isFound)
    }
  }
  await opened.close()
  // Searches without a result are too fast to count.
  if (found < 2 * queries * FOUND)
    throw new Error(`Only ${found} of ${2 * queries} searches found something.`)
  return waits
}

/**
 * The search of the window, whose last word may be unfinished, and the tool as a model calls it. The first
 * search starts the thread.
 */
function openSearches(store: Store, script: string, report: (error: unknown) => void) {
  const search = openSearch({ store, report, script })
  const tool = sessionSearchTool({
    best: search.best,
    store,
    askRecap: async () => ({ refused: 'No model is asked here.' }),
  })
  const { signal } = new AbortController()
  const context = {
    workspace: '/desk',
    home: '/home',
    sessionId: 'bench',
    askedId: 1,
    access: 'unconfined',
    signal,
    output: () => {},
  } as const
  return {
    async window(query: string) {
      return (await search.hits(signal, { query, typing: true }, MOST)).length > 0
    },
    async tool(query: string) {
      const result = await tool.run({ query }, context)
      if (!result.ok) throw new Error(result.reason)
      return result.text.includes('session_id')
    },
    close: search.close,
  }
}

const named = (kind: string, { window, tool, coldWindow, coldTool }: Waits): Record<string, number> => ({
  [`recall_${kind}window_p50_ms`]: round(percentile(window, 0.5)),
  [`recall_${kind}window_p95_ms`]: round(percentile(window, 0.95)),
  [`recall_${kind}window_cold_ms`]: round(median(coldWindow)),
  [`recall_${kind}tool_p50_ms`]: round(percentile(tool, 0.5)),
  [`recall_${kind}tool_p95_ms`]: round(percentile(tool, 0.95)),
  [`recall_${kind}tool_cold_ms`]: round(median(coldTool)),
})

function append(store: Store, sentence: (length: number) => string, appends: number): number[] {
  const { id } = store.sessions.create({
    modelId: 'builtin',
    workspace: '/desk',
    approval: 'ask',
    origin: 'window',
  })
  return Array.from({ length: appends }, (_, n) => {
    const text = sentence(WORDS)
    const before = performance.now()
    store.messages.append({ role: 'user', sessionId: id, at: 1_700_000_000_000 + n, text })
    return performance.now() - before
  })
}
