import type { Message, NewMessage, Usage } from '../../src/shared/contract/chats/messages.ts'
import type { NewRunEvent } from '../../src/shared/contract/runs/run.ts'
import { scriptedEngine, type Script } from '../models/scripted.ts'
import { structuredStrategy } from '../../src/main/agent/strategies/structured.ts'
import type { Turn } from '../../src/main/agent/turn-types.ts'
import { leftBy } from './a-history.ts'
import { aReply } from './a-turn.ts'
import { withCompaction } from '../../src/main/agent/compaction/apply-compaction.ts'
import { Config } from '../../src/main/config/schema.ts'
import {
  compactHistory,
  type CompactOptions,
  type CompactPorts,
} from '../../src/main/agent/compaction/compact-history.ts'

type StoredCompaction = NonNullable<ReturnType<CompactPorts['newest']>>

// For tests: an in-memory chat that a scripted model compacts, with a record of everything that happened.

/** The default settings of compaction. */
const STANDARD = Config.parse({}).compaction

type ChatScript = {
  replies?: Script['replies']
  contextTokens?: number
  system?: string
  messages?: readonly Message[]
  /** Minutes between two passes. */
  minutes?: number
  /** A different model that writes the summaries. */
  summariser?: Turn['summariser']
}

export function aChat({
  replies = [],
  contextTokens = 8_000,
  system = 'You are a test.',
  messages = [],
  minutes = 10,
  summariser,
}: ChatScript) {
  const engine = scriptedEngine({ replies, contextTokens, strategy: 'structured' })
  const all: Message[] = [...messages]
  const kept: StoredCompaction[] = []
  const events: NewRunEvent[] = []
  const flushed: [fromId: number, upToId: number][] = []
  let now = 1_000
  /** What happened, in order. */
  const log: string[] = []
  const newest = () => kept.at(-1)
  const left = () => kept.filter(each => each.summary !== '').reduce(leftBy, all)
  const ports: CompactPorts = {
    messages: left,
    newest,
    recent: most =>
      kept
        .filter(each => each.by !== 'pruning' && !each.byHand)
        .map(({ at }) => at)
        .toReversed()
        .slice(0, most),
    keep(compaction) {
      log.push('keep')
      kept.push({ ...compaction, id: kept.length + 1 })
      return kept.at(-1)!
    },
    emit(event) {
      log.push(event.type)
      events.push(event)
    },
    flush(fromId, upToId) {
      log.push('flush')
      flushed.push([fromId, upToId])
    },
    now: () => ++now,
  }
  const turn = {
    sessionId: 'chat',
    engine,
    system,
    contextTokens,
    tools: [],
    strategy: structuredStrategy,
    ...(summariser && { summariser }),
  }
  return {
    turn,
    engine,
    kept,
    events,
    flushed,
    log,
    messages: all,
    say: (...given: NewMessage[]) => {
      for (const message of given) all.push({ ...message, id: all.length + 1, at: ++now })
    },
    /** The messages that the model reads now. */
    sent: () => withCompaction(left(), newest()),
    compactHistory(options: Partial<CompactOptions> = {}, signal = new AbortController().signal) {
      now += minutes * 60_000
      return compactHistory(turn, ports, { ...STANDARD, byHand: false, focus: '', ...options }, signal)
    },
  }
}

/** A message of the user. */
export const said = (text: string): NewMessage => ({ role: 'user', sessionId: 'chat', at: 0, text })
export const words = (count: number) => 'word '.repeat(count).trim()
/** A file that was read: the call and its result of `length` words. */
export const reading = (id: string, length: number): NewMessage[] => [
  aReply('', { sessionId: 'chat', calls: [{ id, name: 'read_file', arguments: { path: `${id}.md` } }] }),
  {
    role: 'tool',
    sessionId: 'chat',
    at: 0,
    callId: id,
    name: 'read_file',
    ok: true,
    text: words(length),
    durationMs: 1,
    record: { decision: 'ran' },
  },
]
/** Questions and answers of about `length` words. */
export const talk = (turns: number, length = 60): NewMessage[] =>
  Array.from({ length: turns }, (_, n) => [
    said(`Question ${n}. ${words(length)}`),
    aReply(`Answer ${n}. ${words(length)}`),
  ]).flat()

export const usage = (promptTokens: number, outputTokens: number): Usage => ({
  promptTokens,
  reusedTokens: 0,
  evaluatedTokens: promptTokens,
  outputTokens,
  contextTokens: 8_000,
  firstTokenMs: 0,
  prefillPerSecond: 0,
  tokensPerSecond: 0,
})
