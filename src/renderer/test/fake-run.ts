import type {
  AssistantMessage,
  AttachedSkill,
  Message,
  ToolCall,
  ToolMessage,
} from '../../shared/contract/messages.ts'
import type { Approval, Decision, EndReason, NewRunEvent, RunEvent } from '../../shared/contract/run.ts'
import { Fault } from '../../shared/rpc.ts'
import { feed } from './feed.ts'

/** A run that a test tells step by step. */
export type FakeRun = {
  id: string
  text: string
  /** The id of the message that began it, and of the newest one. */
  from: number
  last: () => number
  emit: (event: NewRunEvent) => void
  write: (text: string) => void
  think: (text: string) => void
  /** Store a reply, which replaces what was written of it. */
  reply: (message: Partial<AssistantMessage>) => void
  call: (call: ToolCall, title: string) => void
  result: (message: Partial<ToolMessage> & { callId: string }) => void
  /** Ask the person; resolves with the answer. */
  ask: (approval: Partial<Approval> & { callId: string }) => Promise<Decision>
  end: (reason?: EndReason) => void
  /** Whether the person has stopped it. */
  stopped: AbortSignal
}

type Deps = {
  id: string
  sessionId: string
  text: string
  /** What the person sent along. */
  skill: AttachedSkill | undefined
  /** It answers no message, as when a chat is compacted. */
  silent?: boolean
  nextId: () => number
  store: (message: Message) => void
  /** Told whether the run is under way and whether it waits for an answer. */
  state: (active: boolean, waiting: boolean) => void
}

export type RunOfHost = FakeRun & {
  watch: (after: number, signal?: AbortSignal) => AsyncGenerator<RunEvent, void, void>
  answer: (approvalId: string, decision: Decision, note: string) => void
  stop: () => void
  drop: (fault: Fault) => void
}

/** A run with its log, as a host keeps it: a watcher hears the part that it missed and then what comes. */
export function fakeRun(deps: Deps): RunOfHost {
  const { id, sessionId, text, skill, silent = false, nextId, store, state } = deps
  const log: RunEvent[] = []
  const live = feed<RunEvent>()
  const stop = new AbortController()
  const asked = new Map<string, { callId: string; answer: (decision: Decision) => void }>()
  let ended = false
  let lastMessage = 0

  const emit = (event: NewRunEvent) => {
    const numbered: RunEvent = { ...event, seq: log.length + 1, at: Date.now() }
    log.push(numbered)
    live.say(numbered)
  }
  const stored = () => ({ id: nextId(), sessionId, at: Date.now() })
  const message = (message: Message) => {
    lastMessage = message.id
    store(message)
    emit({ type: 'message', message })
  }

  const begun: Message = { ...stored(), role: 'user', text, ...(skill && { skill }) }
  if (!silent) store(begun)
  state(true, false)
  if (!silent) emit({ type: 'turn_start', message: begun, model: 'demo' })

  return {
    id,
    text,
    from: begun.id,
    last: () => lastMessage,
    emit,
    stopped: stop.signal,
    write: text => emit({ type: 'text_delta', text }),
    think: text => emit({ type: 'reasoning_delta', text }),
    reply: given =>
      message({
        ...stored(),
        role: 'assistant',
        text: '',
        reasoning: '',
        calls: [],
        interrupted: false,
        model: 'demo',
        ...given,
      }),
    call: (call, title) => emit({ type: 'tool_call', call, title }),
    result: given =>
      message({
        ...stored(),
        role: 'tool',
        name: 'terminal',
        ok: true,
        text: '',
        durationMs: 800,
        allowed: 'allowed by you',
        ...given,
      }),
    ask(given) {
      const approval: Approval = {
        id: `ask-${log.length}`,
        tool: 'terminal',
        title: 'Run a command',
        detail: 'date',
        folder: '/home/ada',
        reason: 'Commands ask first in this mode.',
        risk: 'execute',
        mayAllowInChat: true,
        ...given,
      }
      emit({ type: 'approval_request', approval })
      state(true, true)
      return new Promise(resolve => asked.set(approval.id, { callId: approval.callId, answer: resolve }))
    },
    end(reason = 'done') {
      ended = true
      emit({ type: 'turn_end', reason })
      live.end()
      state(false, false)
    },
    watch(after, signal) {
      const missed = log.slice(after)
      const coming = live.listen(signal)
      return (async function* () {
        yield* missed
        if (!ended) yield* coming
      })()
    },
    answer(approvalId, decision, note) {
      const question = asked.get(approvalId)
      if (!question) throw new Fault('not_found', 'This question was answered already.')
      asked.delete(approvalId)
      emit({ type: 'approval_resolved', approvalId, callId: question.callId, decision, note })
      state(true, asked.size > 0)
      question.answer(decision)
    },
    stop: () => stop.abort(),
    drop: fault => live.end(fault),
  }
}
