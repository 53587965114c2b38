import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withCompaction } from '../src/main/agent/compaction/apply-compaction.ts'
import { compactHistory, type CompactPorts } from '../src/main/agent/compaction/compact-history.ts'
import { Config } from '../src/main/config/schema.ts'
import { structuredStrategy } from '../src/main/agent/strategies/structured.ts'
import { scriptedEngine } from '../testing/models/scripted.ts'
import { openStore } from '../src/main/db/store.ts'
import type { Store } from '../src/main/db/store.ts'
import type { NewMessage } from '../src/shared/contract/chats/messages.ts'
import { median, percentile, round } from './measure.ts'

const MESSAGES = 2_000
const ROUNDS = 24
const WARM_UP = 4
const CONTEXT = 32_768
const WORDS =
  'the a of in to and is it server page build port test file path config deploy release branch commit review merge table index query cache token window prompt memory skill folder editor menu button colour layout draft summary note plan task week month customer order invoice price report chart'.split(
    ' ',
  )

/**
 * Compacting a chat of 2,000 messages without a model: the milliseconds from reading the chat in the store
 * until the summary is in effect, and the processor time for it, which a busy machine does not stretch.
 */
export async function benchCompaction(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-bench-compaction-'))
  try {
    const first = join(folder, 'home')
    const id = fill(first)
    const took: number[] = []
    const busy: number[] = []
    let tokens = [0, 0]
    for (let at = 0; at < ROUNDS; at++) {
      const home = join(folder, `home-${at}`)
      cpSync(first, home, { recursive: true })
      const store = open(home)
      const { ms, cpuMs, compaction } = await compact(store, id)
      store.close()
      rmSync(home, { recursive: true })
      // The first rounds run code that is not warm yet.
      if (at < WARM_UP) continue
      took.push(ms)
      busy.push(cpuMs)
      tokens = [compaction.tokensBefore, compaction.tokensAfter]
    }
    return {
      compaction_messages: MESSAGES,
      compaction_tokens_before: tokens[0] ?? 0,
      compaction_tokens_after: tokens[1] ?? 0,
      compaction_p50_ms: round(median(took)),
      compaction_p95_ms: round(percentile(took, 0.95)),
      compaction_cpu_p50_ms: round(median(busy)),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const open = (home: string): Store =>
  openStore(home, {
    clock: Date.now,
    report: error => {
      throw error
    },
  }).store

/** Write one chat of so many messages into a new home. Returns its id. */
function fill(home: string): string {
  mkdirSync(home)
  const store = open(home)
  const { id } = store.sessions.create({ modelId: 'm', workspace: home, approval: 'ask', origin: 'terminal' })
  for (const message of talk(id, seeded(11))) store.messages.append(message)
  store.close()
  return id
}

async function compact(store: Store, sessionId: string) {
  const ports: CompactPorts = {
    messages: () => store.messages.history(sessionId),
    newest: () => store.compactions.newest(sessionId),
    recent: most => store.compactions.recent(sessionId, most),
    keep: compaction => store.compactions.add({ ...compaction, sessionId }),
    emit: () => {},
    flush: () => {},
    now: Date.now,
  }
  const engine = scriptedEngine({ replies: [], contextTokens: CONTEXT, strategy: 'structured' })
  const turn = {
    sessionId,
    engine,
    system: 'You are an agent with tools. '.repeat(200),
    contextTokens: CONTEXT,
    tools: [],
    strategy: structuredStrategy,
  }
  const before = process.cpuUsage()
  const startedAt = performance.now()
  const options = { ...Config.parse({}).compaction, byHand: false, focus: '' }
  const outcome = await compactHistory(turn, ports, options, new AbortController().signal)
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(before)
  const compaction = store.compactions.newest(sessionId)
  if (outcome !== 'compacted' || !compaction || compaction.by !== 'local')
    throw new Error(`It came to this: ${outcome}, by ${compaction?.by}.`)
  if (withCompaction(store.messages.history(sessionId), compaction).length > MESSAGES / 2)
    throw new Error('Too much is left.')
  return { ms, cpuMs: (user + system) / 1_000, compaction }
}

/** The messages of turns, four each: a question, a call, its result and an answer. */
function* talk(sessionId: string, random: () => number): Generator<NewMessage> {
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')
  const sentences = (count: number) =>
    Array.from({ length: count }, () => `${words(10)} ${Math.floor(random() * 10_000)}.`).join(' ')
  const reply = { role: 'assistant', sessionId, reasoning: '', interrupted: false, model: 'm' } as const
  for (let n = 0; n < MESSAGES / 4; n++) {
    const at = 1_700_000_000_000 + n
    const path = `src/${words(1)}/${n}.ts`
    const call = { id: `call_${n}`, name: 'read_file', arguments: { path } }
    yield { role: 'user', sessionId, at, text: sentences(3) }
    yield { ...reply, at, text: '', calls: [call] }
    const told = {
      name: call.name,
      ok: true,
      text: sentences(12),
      durationMs: 1,
      record: { decision: 'ran' as const },
    }
    yield { role: 'tool', sessionId, at, callId: call.id, ...told }
    yield { ...reply, at, text: `${sentences(3)} See ${path}.`, calls: [] }
  }
}

/** Numbers between 0 and 1, the same ones for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
