import { isAdvised, type Advising } from '../../../../shared/words/answer-words.ts'
import type { Proposal } from '../../../../shared/contract/learned/learning.ts'
import type { MemoryRevision } from '../../../../shared/contract/learned/memory.ts'
import type { Message, ToolCall, Usage } from '../../../../shared/contract/chats/messages.ts'
import type { Approval, Decision, EndReason, RunEvent } from '../../../../shared/contract/runs/run.ts'
import type { SkillRevision } from '../../../../shared/contract/learned/skills.ts'
import type { Compaction } from '../../../../shared/contract/chats/session.ts'
import { begunWith, withEvent, type Comparison } from '../compare/comparison.ts'
import { tellRetry } from './tell-retry.ts'
import { withDescription } from '../attach/attachment-words.ts'

/** A notice between messages; `after` is the id of the message before it. */
export type Note = {
  key: string
  after: number
  /** An `aside` says that the model was asked again, an `info` reports something else that needs no action. */
  kind: 'warning' | 'error' | 'aside' | 'info'
  text: string
  fix: string
  /** A new chat or another model may help. */
  offersOthers?: true
}

/** Data about one call from the run, beyond the stored messages. Times are epoch milliseconds. */
export type CallInfo = {
  call: ToolCall
  title: string
  startedAt: number
  decision: Decision | null
  /** Who answered the approval and where, if not the user in Talaria. */
  from?: string
}

/** An answer that claims to have saved or forgotten what it did not; `text` is what could be saved. */
export type Claim = Pick<
  Extract<RunEvent, { type: 'unsaved_claim' }>,
  'messageId' | 'quote' | 'text' | 'target' | 'isForgetting'
>

/** A skill loaded in a turn; the id is null if only the name is known. */
export type UsedSkill = { id: string | null; name: string }

/** A proposal from a review of this chat; `at` is a message of its turn, null for the newest turn. */
export type Offer = { proposal: Proposal; at: number | null }

/** One turn that this window followed, without the data that changes with every token. */
export type Turn = {
  runId: string
  model: string
  /** The id of the user's message that started the turn; 0 until the run reports it. */
  from: number
  /** The id of the newest message that the run has reported. */
  last: number
  /** The ids of the replies, in order. */
  answers: readonly number[]
  /** How long the model thought before a reply, by reply id, in ms. */
  thoughtMs: Readonly<Record<number, number>>
  calls: Readonly<Record<string, CallInfo>>
  waiting: readonly Approval[]
  notes: readonly Note[]
  claims: readonly Claim[]
  used: readonly UsedSkill[]
  ended: EndReason | null
}

/** The part that changes with every token of the current run; `seq` is the newest applied event. */
type Live = {
  seq: number
  text: string
  reasoning: string
  thinkingSince: number | null
  thoughtMs: number | null
  outputs: Readonly<Record<string, string>>
  progress: { phase: 'loading' | 'reading'; share: number } | null
  /** The progress of the models that advise in a mixture, until all are done. */
  advising: Advising | null
  /** Older messages are being reviewed before a summary replaces them. */
  flushing: boolean
  /** A summary is currently replacing older messages. */
  compacting: boolean
  usage: Usage | null
}

/** The loaded state of a chat: stored messages in order, followed turns, and the current run. */
export type ChatState = {
  messages: readonly Message[]
  more: boolean
  turns: readonly Turn[]
  live: Live
  /** This chat's memory changes, oldest first. */
  learned: readonly MemoryRevision[]
  /** This chat's skill changes, oldest first. */
  skillChanges: readonly SkillRevision[]
  /** The proposals from reviews of this chat, oldest first; null until loaded. */
  offers: readonly Offer[] | null
  /** The ids of answers whose claims the user dismissed. */
  dismissed: readonly number[]
  /** The summaries of older messages, oldest first. */
  compactions: readonly Compaction[]
  /** Answers that the user has to choose between. */
  comparison: Comparison | null
}

/** Access of one part of the chat store to the fields that it needs. */
export type Access<Fields> = {
  get: () => Fields
  set: (change: Partial<Fields> | ((fields: Fields) => Partial<Fields>)) => void
}

/** Maximum number of characters to keep of a running tool's output. The stored result has the rest. */
const MAX_OUTPUT = 60_000

const quiet: Live = {
  seq: 0,
  text: '',
  reasoning: '',
  thinkingSince: null,
  thoughtMs: null,
  outputs: {},
  progress: null,
  advising: null,
  flushing: false,
  compacting: false,
  usage: null,
}

export const initialChat: ChatState = {
  messages: [],
  more: false,
  turns: [],
  live: quiet,
  learned: [],
  skillChanges: [],
  offers: null,
  dismissed: [],
  compactions: [],
  comparison: null,
}

/** The newest turn, which incoming events belong to. */
export const currentTurn = (state: ChatState): Turn | undefined => state.turns.at(-1)

/** Prepare to apply the events of a run. A run that is already current continues where it was. */
export function beginRun(state: ChatState, runId: string): ChatState {
  if (currentTurn(state)?.runId === runId) return state
  const turn: Turn = {
    runId,
    model: '',
    from: 0,
    last: 0,
    answers: [],
    thoughtMs: {},
    calls: {},
    waiting: [],
    notes: [],
    claims: [],
    used: [],
    ended: null,
  }
  return { ...state, turns: [...state.turns.slice(-99), turn], live: { ...quiet, usage: state.live.usage } }
}

/**
 * Apply one numbered event of the current run. Applying an event twice has no effect, so any part of a run
 * may be replayed. A stored message replaces its streamed text, which corrects any streaming error.
 */
export function applyEvent(state: ChatState, event: RunEvent): ChatState {
  const turn = currentTurn(state)
  if (!turn || event.seq <= state.live.seq) return state
  const live: Live = { ...state.live, seq: event.seq }
  const to = (change: Partial<Turn>, hot: Partial<Live> = {}): ChatState => ({
    ...state,
    turns: [...state.turns.slice(0, -1), { ...turn, ...change }],
    live: { ...live, ...hot },
  })
  const note = (kind: Note['kind'], text: string, fix: string): Note => ({
    key: `${turn.runId}:${event.seq}`,
    // A run that answers no message reports its position itself.
    after: turn.last || (state.messages.at(-1)?.id ?? 0),
    kind,
    text,
    fix,
  })

  switch (event.type) {
    case 'turn_start': {
      const { id } = event.message
      return {
        ...withMessage(to({ model: event.model, from: id, last: id }), event.message),
        comparison: null,
      }
    }
    case 'compare_start': {
      const { id } = event.message
      const begun = withMessage(to({ from: id, last: id }), event.message)
      return { ...begun, comparison: begunWith(turn.runId, event.lanes) }
    }
    case 'compare_delta':
    case 'compare_answer':
    case 'compare_end':
      return { ...state, live, comparison: withEvent(state.comparison, event) }
    case 'progress': {
      const share = event.total > 0 ? event.done / event.total : 0
      return { ...state, live: { ...live, progress: { phase: event.phase, share } } }
    }
    case 'text_delta': {
      const text = live.text + event.text
      return { ...state, live: { ...live, ...thought(live, event.at), text, progress: null } }
    }
    case 'reasoning_delta': {
      const thinkingSince = live.thinkingSince ?? event.at
      return {
        ...state,
        live: { ...live, thinkingSince, reasoning: live.reasoning + event.text, progress: null },
      }
    }
    case 'was_thought': {
      const reasoning = [live.reasoning, live.text].filter(Boolean).join('\n\n')
      return {
        ...state,
        live: { ...live, text: '', reasoning, thinkingSince: live.thinkingSince ?? event.at },
      }
    }
    case 'tool_call': {
      const { call, title, at } = event
      return to(
        { calls: { ...turn.calls, [call.id]: { call, title, startedAt: at, decision: null } } },
        { progress: null },
      )
    }
    case 'approval_request':
      return to({ waiting: [...turn.waiting, event.approval] })
    case 'approval_resolved': {
      const waiting = turn.waiting.filter(approval => approval.id !== event.approvalId)
      const info = turn.calls[event.callId]
      if (!info) return to({ waiting })
      // Exclude the time the user took to approve from the tool's time.
      const { decision, from } = event
      const answered = { ...info, decision, ...(from !== undefined && { from }), startedAt: event.at }
      return to({ waiting, calls: { ...turn.calls, [event.callId]: answered } })
    }
    case 'tool_output': {
      const before = live.outputs[event.callId] ?? ''
      const outputs = { ...live.outputs, [event.callId]: (before + event.text).slice(-MAX_OUTPUT) }
      return { ...state, live: { ...live, outputs } }
    }
    case 'message':
      return withMessage(settle(to, turn, live, event), event.message)
    case 'context_usage':
      return event.isVoid ? { ...state, live } : { ...state, live: { ...live, usage: event.usage } }
    case 'memory':
      return { ...state, live, learned: addReported(state.learned, event.revisions) }
    case 'skills':
      return { ...state, live, skillChanges: addReported(state.skillChanges, event.revisions) }
    case 'skill_used':
      return to({ used: withUse(turn.used, event) })
    case 'picture_described':
      return { ...state, live, messages: withDescription(state.messages, event) }
    case 'unsaved_claim': {
      const { messageId, quote, text, target, isForgetting } = event
      const claim = { messageId, quote, text, target, ...(isForgetting && { isForgetting }) }
      return to({ claims: [...turn.claims, claim] })
    }
    case 'advising':
      return { ...state, live: { ...live, advising: isAdvised(event) ? null : event } }
    case 'flushing':
      return { ...state, live: { ...live, flushing: true } }
    case 'flushed': {
      const notes = event.text === '' ? turn.notes : [...turn.notes, note('info', event.text, '')]
      return to({ notes }, { flushing: false })
    }
    case 'compacting':
      return { ...state, live: { ...live, compacting: true } }
    case 'compacted':
      return {
        ...state,
        live: { ...live, compacting: false },
        compactions: mergeById(state.compactions, [event.compaction]),
      }
    case 'retry': {
      return to({ notes: [...turn.notes, note('aside', tellRetry(event), '')] }, nothingSaid)
    }
    case 'warning': {
      const warning = {
        ...note('warning', event.text, ''),
        ...(event.offersOthers && { offersOthers: event.offersOthers }),
      }
      // A warning that the summary failed also means that compaction has ended.
      return to({ notes: [...turn.notes, warning] }, { compacting: false })
    }
    case 'error':
      return to({ notes: [...turn.notes, note('error', event.text, event.fix)] }, { progress: null })
    case 'turn_end':
      return to(
        { ended: event.reason, waiting: [] },
        { progress: null, outputs: {}, advising: null, flushing: false, compacting: false },
      )
    default:
      return { ...state, live }
  }
}

export type Page = { messages: readonly Message[]; more: boolean }

/** Add the page before the oldest loaded message. */
export const mergeOlder = (state: ChatState, page: Page): ChatState => ({
  ...state,
  messages: mergeById(state.messages, page.messages),
  more: page.more,
})

/** Add the newest page, even if a run has added messages since. Messages before a gap are dropped. */
export function mergeNewest(state: ChatState, page: Page): ChatState {
  const first = page.messages[0]?.id ?? 0
  const held = state.messages.at(-1)?.id ?? 0
  const kept = page.more && held < first ? [] : state.messages
  const more = kept.some(message => message.id < first) ? state.more : page.more
  return { ...state, messages: mergeById(kept, page.messages), more }
}

/** Both lists in the order of their ids. Of two items with one id, the one from `newer` stays. */
export function mergeById<T extends { id: number }>(known: readonly T[], newer: readonly T[]): readonly T[] {
  const byId = new Map([...known, ...newer].map(item => [item.id, item]))
  return [...byId.values()].toSorted((a, b) => a.id - b.id)
}

/** Add changes reported by a run. A replay after a reload must not overwrite the host's newer versions. */
export function addReported<T extends { id: number }>(
  known: readonly T[],
  reported: readonly T[],
): readonly T[] {
  const ids = new Set(known.map(item => item.id))
  const added = reported.filter(item => !ids.has(item.id))
  return added.length === 0 ? known : mergeById(known, added)
}

/** The usage of the newest model call, from the followed run or from the stored messages. */
export function lastUsage(state: ChatState): Usage | null {
  if (state.live.usage) return state.live.usage
  const last = state.messages.findLast(
    message => message.role === 'assistant' && message.usage !== undefined && !message.void,
  )
  return last?.role === 'assistant' ? (last.usage ?? null) : null
}

/** Whether a run of this chat is active, as far as the window knows. */
export function isBusy(state: ChatState): boolean {
  const turn = currentTurn(state)
  return turn !== undefined && turn.ended === null
}

/** Whether the active run is a `/compact`. It answers no message, so it cannot take another one. */
export function isSummarising(state: ChatState & { pending: string | null }): boolean {
  return isBusy(state) && state.pending === null && currentTurn(state)?.from === 0
}

/** Each skill is listed once per turn. */
const withUse = (known: readonly UsedSkill[], { id, name }: UsedSkill): readonly UsedSkill[] =>
  known.some(each => each.id === id) ? known : [...known, { id, name }]

/** The streaming reply is complete or discarded. */
const nothingSaid = { text: '', reasoning: '', thinkingSince: null, thoughtMs: null, progress: null }

type Change = (change: Partial<Turn>, hot?: Partial<Live>) => ChatState

/** A stored message clears its streamed data: a reply its text and thoughts, a result its output. */
function settle(to: Change, turn: Turn, live: Live, event: RunEvent & { type: 'message' }): ChatState {
  const { message, at } = event
  const last = Math.max(turn.last, message.id)
  if (message.role === 'tool') {
    const { [message.callId]: _shown, ...outputs } = live.outputs
    return to({ last }, { outputs })
  }
  if (message.role === 'user') return to({ last })
  const { thoughtMs } = thought(live, at)
  return to(
    {
      last,
      answers: [...turn.answers, message.id],
      thoughtMs: thoughtMs === null ? turn.thoughtMs : { ...turn.thoughtMs, [message.id]: thoughtMs },
    },
    nothingSaid,
  )
}

/** Thinking ends with the first event that is not a thought. */
const thought = (live: Live, at: number): Pick<Live, 'thoughtMs'> => ({
  thoughtMs: live.thinkingSince === null ? null : (live.thoughtMs ?? Math.max(0, at - live.thinkingSince)),
})

function withMessage(state: ChatState, message: Message): ChatState {
  const last = state.messages.at(-1)
  if (!last || message.id > last.id) return { ...state, messages: [...state.messages, message] }
  return { ...state, messages: mergeById(state.messages, [message]) }
}
