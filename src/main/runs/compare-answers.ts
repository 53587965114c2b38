import type { AssistantMessage, Message, NewMessage } from '../../shared/contract/chats/messages.ts'
import type { EndReason, NewRunEvent } from '../../shared/contract/runs/run.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { nothingOmitted } from '../agent/fit-turn.ts'
import { runTurn } from '../agent/loop.ts'
import { noPermits, type TurnPorts } from '../agent/turn-types.ts'
import type { Store } from '../db/store.ts'
import { untilAborted } from '../lib/timing.ts'
import { isFailure } from '../models/interface/engine.ts'
import { historyOf } from './compact-chat.ts'
import { prepareTurn } from './prepare-turn.ts'
import { followMarks } from './marks/turn-marks.ts'
import type { TurnSources } from './turn-setup.ts'

type Sources = TurnSources & { store: Store; report(error: unknown): void }

/** A question to several models: the model of each lane, and the signal that stops it. */
export type Comparison = {
  session: Session
  /** The newest message of the path. */
  question: Message
  lanes: readonly { modelId: string; signal: AbortSignal }[]
  emit(event: NewRunEvent): void
}

/** How a lane ended, with the last error. */
type LaneEnd = { reason: EndReason; text: string; fix: string }

const BROKEN = { text: 'Something went wrong inside Talaria. Nothing was lost.', fix: 'Try again.' }

/**
 * Let several models answer the newest message at the same time, each without tools and as its own branch
 * that is not on the path. Lanes do not affect each other. Resolves to the best end of all.
 */
export async function compareAnswers(sources: Sources, comparison: Comparison): Promise<EndReason> {
  const { lanes, emit } = comparison
  const ends = await Promise.all(
    lanes.map(async (_, lane) => {
      const end = await answerInLane(sources, comparison, lane).catch((error: unknown): LaneEnd => {
        sources.report(error)
        return { reason: 'failed', ...BROKEN }
      })
      emit({ type: 'compare_end', lane, ...end })
      return end.reason
    }),
  )
  return (['done', 'stopped'] as const).find(reason => ends.includes(reason)) ?? 'failed'
}

async function answerInLane(sources: Sources, comparison: Comparison, lane: number): Promise<LaneEnd> {
  const { store } = sources
  const { session, question, emit } = comparison
  const { modelId, signal } = comparison.lanes[lane]!
  let trouble = { text: '', fix: '' }
  const asked: Session = { ...session, modelId, approval: 'chat_only' }
  const prepared = await untilAborted(prepareTurn(sources, asked), signal)
  if (prepared === undefined || signal.aborted) return { reason: 'stopped', ...trouble }
  if (isFailure(prepared)) return { reason: 'failed', text: prepared.text, fix: prepared.fix }
  const own: Message[] = []
  const say = (part: 'text' | 'thoughts' | 'again', text: string) =>
    emit({ type: 'compare_delta', lane, part, text })
  let said = { text: '', reasoning: '' }
  const unmarked: TurnPorts = {
    async history(since, most) {
      const before = await historyOf(store, session.id, since, most)
      return [...before, ...own].slice(-most)
    },
    append(message: NewMessage) {
      const compared = message.role === 'assistant' ? { ...message, compared: true as const } : message
      const stored = store.messages.append(compared, undefined, own.at(-1)?.id ?? question.id)
      own.push(stored)
      if (stored.role === 'assistant') emit({ type: 'compare_answer', lane, answer: shownOf(stored) })
      return stored
    },
    emit(event) {
      if (event.type === 'message' || event.type === 'retry') said = { text: '', reasoning: '' }
      if (event.type === 'text_delta') said.text += event.text
      if (event.type === 'reasoning_delta') said.reasoning += event.text
      if (event.type === 'text_delta') say('text', event.text)
      if (event.type === 'reasoning_delta') say('thoughts', event.text)
      if (event.type === 'was_thought') {
        said = { text: '', reasoning: [said.reasoning, said.text].filter(Boolean).join('\n\n') }
        say('again', '')
        say('thoughts', said.reasoning)
      }
      if (event.type === 'retry') say('again', '')
      if (event.type === 'error') trouble = { text: event.text, fix: event.fix }
      if (event.type === 'warning') trouble = { text: event.text, fix: '' }
    },
    approvalMode: () => 'chat_only',
    ask: async () => ({
      decision: 'deny',
      note: 'Answers that are compared have no tools.',
      unanswered: true,
    }),
    now: sources.now,
    report: sources.report,
  }
  const { ports, strangers } = followMarks(sources, session, unmarked)
  // Comparisons have no tools, so no step has anything to do.
  const asking = { ...prepared, askedId: question.id, steps: [], permits: { ...noPermits(), strangers } }
  const reason = await runTurn(asking, ports, nothingOmitted(), signal)
  return { reason: reason === 'tools_refused' ? 'failed' : reason, ...trouble }
}

/** The raw text of a model is for the engine only. */
function shownOf({ raw: _raw, ...answer }: AssistantMessage): AssistantMessage {
  return answer
}
