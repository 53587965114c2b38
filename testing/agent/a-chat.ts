import type { Message, NewMessage } from '../../src/shared/contract/messages.ts'
import type { NewRunEvent } from '../../src/shared/contract/run.ts'
import { scriptedEngine, type Script } from '../models/scripted.ts'
import { structuredStrategy } from '../../src/main/agent/strategies/structured.ts'
import type { Turn } from '../../src/main/agent/turn-types.ts'
import { leftBy } from './a-history.ts'
import { withCompaction } from '../../src/main/agent/compaction/apply-compaction.ts'
import {
  compactHistory,
  type CompactOptions,
  type CompactPorts,
  type StoredCompaction,
} from '../../src/main/agent/compaction/compact-history.ts'

// For tests: an in-memory chat that a scripted model compacts, with a record of everything that happened.

type ChatScript = {
  replies?: Script['replies']
  contextTokens?: number
  system?: string
  messages?: readonly Message[]
  /** Another model that writes the summaries. */
  summariser?: Turn['summariser']
}

export function aChat({
  replies = [],
  contextTokens = 8_000,
  system = 'You are a test.',
  messages = [],
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
    compactHistory: (options: Partial<CompactOptions> = {}, signal = new AbortController().signal) =>
      compactHistory(turn, ports, { trigger: 0.5, byHand: false, focus: '', ...options }, signal),
  }
}
