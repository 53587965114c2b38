import type { Message, NewMessage } from '../../../shared/contract/messages.ts'
import type { NewRunEvent } from '../../../shared/contract/run.ts'
import { scriptedEngine, type Script } from '../../llm/scripted.ts'
import { structuredStrategy } from '../strategies/structured.ts'
import type { Turn } from '../turn.ts'
import { leftBy } from './a-history.ts'
import { withCompaction } from './apply.ts'
import { makeRoom, type CompactOptions, type CompactPorts, type Kept } from './compact.ts'

// For tests: a chat in memory that is compacted by a scripted model, with all that came of it.

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
  const kept: Kept[] = []
  const events: NewRunEvent[] = []
  const flushed: [fromId: number, upToId: number][] = []
  let now = 1_000
  /** What happened in which order. */
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
    /** What the model reads now. */
    sent: () => withCompaction(left(), newest()),
    makeRoom: (options: Partial<CompactOptions> = {}, signal = new AbortController().signal) =>
      makeRoom(turn, ports, { trigger: 0.5, byHand: false, focus: '', ...options }, signal),
  }
}
