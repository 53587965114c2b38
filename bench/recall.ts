import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRecall } from '../src/main/chats/search/recall.ts'
import { openConnection } from '../src/main/db/connection.ts'
import { openStore } from '../src/main/db/store.ts'
import type { Store } from '../src/main/db/store.ts'
import { percentile, round } from './measure.ts'

const MESSAGES = 1_000_000
const IN_CHAT = 50
const WORDS = 36
const VOCABULARY = 200_000
const BATCH = 1_000
const QUERIES = 200
const WARM_UP = 30
const APPENDS = 500

/** The commonest words of the vocabulary, as they are in English; a question has as many of them as any sentence. */
const COMMONEST =
  `the to and i a you that it of in is for was my on with so have this be me your but at are we do what just can been from
  they really how like about all as it's some not had out if up has i'm by or their will get when there one them time more
  an would did who which were she he her his him where why our could very too then than no into over after before`
    .trim()
    .split(/\s+/)

/**
 * The search over a million messages, through the store that the host opens: milliseconds of a search and of one message
 * more, and bytes of the file for each message beyond its text.
 */
export async function benchRecall(messages = MESSAGES): Promise<Record<string, number>> {
  const home = mkdtempSync(join(tmpdir(), 'talaria-bench-recall-'))
  const random = seeded(7)
  const pick = zipf(random)
  const words = vocabulary(random)
  const sentence = (length: number) => Array.from({ length }, () => words[pick()]).join(' ')
  try {
    const path = join(home, 'state.db')
    const textBytes = fill(path, home, messages, sentence, random)
    const { store } = open(home)
    const startedAt = performance.now()
    store.recall.refresh(Number.MAX_SAFE_INTEGER)
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

const open = (home: string) =>
  openStore(home, {
    clock: Date.now,
    report: error => {
      throw error
    },
  })

/** Write chats as the store does, only many in one commit. Returns the bytes of what was said. */
function fill(
  path: string,
  home: string,
  messages: number,
  sentence: (length: number) => string,
  random: () => number,
): number {
  open(home).store.close()
  const { db, atomically } = openConnection(path)
  const chat = db.prepare(`
    insert into sessions (id, source, title, model, workspace, approval, created_at, updated_at, message_count)
    values (?, 'window', ?, 'builtin', '/desk', 'ask', ?, ?, ${IN_CHAT})`)
  const message = db.prepare(
    'insert into messages (session_id, role, content, created_at, model) values (?, ?, ?, ?, ?)',
  )
  let bytes = 0
  for (let first = 0; first < messages; first += BATCH) {
    atomically(() => {
      for (let n = first; n < Math.min(first + BATCH, messages); n++) {
        const at = 1_600_000_000_000 + n * 60_000
        const id = `chat_${String(Math.floor(n / IN_CHAT)).padStart(17, '0')}`
        if (n % IN_CHAT === 0) chat.run(id, sentence(6), at, at + IN_CHAT * 60_000)
        const text = sentence(Math.max(3, Math.round(WORDS * (0.3 + 1.4 * random()))))
        bytes += Buffer.byteLength(text)
        message.run(id, n % 2 === 0 ? 'user' : 'assistant', text, at, n % 2 === 0 ? null : 'builtin')
      }
    })
  }
  db.close()
  return bytes
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
    source: 'window',
  })
  return Array.from({ length: APPENDS }, (_, n) => {
    const text = sentence(WORDS)
    const before = performance.now()
    store.messages.append({ role: 'user', sessionId: id, at: 1_700_000_000_000 + n, text })
    return performance.now() - before
  })
}

/** Numbers from 0 to 1, the same each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Ranks of words as they are used: the second half as often as the first, the third a third as often. */
function zipf(random: () => number): () => number {
  const sums = new Float64Array(VOCABULARY)
  let sum = 0
  for (let rank = 0; rank < VOCABULARY; rank++) sums[rank] = sum += 1 / (rank + 1)
  return () => {
    const wanted = random() * sum
    let [low, high] = [0, VOCABULARY - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

function vocabulary(random: () => number): string[] {
  const words = new Set(COMMONEST)
  const letter = (from: string) => from[Math.floor(random() * from.length)]
  while (words.size < VOCABULARY) {
    const syllables = 1 + Math.floor(random() * 2 + Math.min(1, words.size / 5_000))
    let word = ''
    for (let n = 0; n < syllables; n++) word += `${letter('bcdfghklmnprstvz')}${letter('aeiou')}`
    words.add(word + letter('nrstlm ')!.trim())
  }
  return [...words]
}
