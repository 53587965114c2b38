import type { LearningMode, Review } from '../../shared/contract/learning.ts'
import type { Message } from '../../shared/contract/messages.ts'
import type { Turn, TurnPorts } from '../agent/turn.ts'
import { isFailure, type EngineFailure } from '../llm/engine.ts'
import type { Memory } from '../memory/memory.ts'
import type { Library, Workshop } from '../skills/types.ts'
import type { ReviewRow, Store } from '../store/types.ts'
import type { Candidate } from './change.ts'
import { evidenceFor } from './evidence-for.ts'
import type { Proposals } from './proposals.ts'
import type { Desk } from './proposing-memory.ts'
import type { ReviewEnd } from './queue.ts'
import { reviewConversation, type Looked } from './review-conversation.ts'
import { reviewTools } from './review-tools.ts'
import { gistOf, ruleAgainst } from './rules.ts'
import { sameWords } from './same-words.ts'

export type ReviewParts = {
  store: Store
  memory: Memory
  library: Library
  workshop: Workshop
  proposals: Proposals
  settings(): { mode: LearningMode; budget_tokens: number }
  /** What may be learned from chats at all, whatever is due; both when it is left out. */
  mayLearn?(): Review['kinds']
  cap: TurnPorts['cap']
  now(): number
  report(error: unknown): void
}

/** A conversation that can be reviewed: the turn that it would take next, and what its model reads of it. */
export type Subject = {
  turn: Omit<Turn, 'askedId'>
  messages: readonly Message[]
  /** Its server takes no tools as data, so the next time they are described in the text. */
  refusedTools?(): void
}

/** Trouble that is the same the next time. */
const HOPELESS = new Set<EngineFailure['code']>([
  'internal',
  'model_missing',
  'model_unreadable',
  'context_full',
])

/** Review one conversation: what it finds is proposed or saved, as the mode of the moment says. */
export async function runReview(
  parts: ReviewParts,
  review: ReviewRow,
  subject: Subject | EngineFailure,
  signal: AbortSignal,
): Promise<ReviewEnd & { proposed: string[] }> {
  const { store, memory, library, workshop, proposals, settings, cap, now, report } = parts
  const { upToId, sessionId } = review
  const proposed: string[] = []
  if (signal.aborted) return { end: 'again', proposed }
  if (isFailure(subject)) {
    const hopeless = HOPELESS.has(subject.code)
    return { end: 'failed', outcome: subject.text, cost: null, upToId, hopeless, proposed }
  }
  const { turn, messages } = subject
  const { mode, budget_tokens: budgetTokens } = settings()
  const allowed = parts.mayLearn?.() ?? review.kinds
  const kinds = review.kinds.filter(kind => allowed.includes(kind))
  if (kinds.length === 0)
    return {
      end: 'done',
      outcome: 'Learning from chats is switched off for it.',
      cost: null,
      upToId,
      proposed,
    }

  const fresh = messages.filter(message => message.id > review.fromId)
  const changed = { memory: [] as number[], skills: [] as number[] }
  let ruledOut = 0
  const desk: Desk = {
    asks: mode !== 'save',
    propose(candidate) {
      const row = proposals.take(candidate, review, fresh)
      if (row && !proposed.includes(row.id)) proposed.push(row.id)
      return row !== false
    },
    refuses(candidate) {
      const isMemory = candidate.change.kind.startsWith('memory.')
      if (ruleAgainst(store.learning, gistOf({ ...candidate, isMemory }))) {
        ruledOut++
        return 'Left out: the user does not want this kind of thing to be kept. Go on without it.'
      }
      if (wasTakenBack(store, candidate, sessionId))
        return 'Left out: this was saved from this conversation before, and the user took it back. Go on without it.'
      return undefined
    },
    changed(what) {
      changed.memory.push(...(what.memory ?? []))
      changed.skills.push(...(what.skills ?? []))
    },
  }
  const looked = await reviewConversation(
    { turn, messages },
    {
      kinds,
      rules: store.learning.rules(),
      registry: reviewTools(
        {
          memory,
          library,
          workshop,
          skills: store.skills,
          by: { sessionId, reviewId: review.id },
          sourceOf: text => (sessionId === null ? null : (evidenceFor(text, fresh)[0]?.messageId ?? null)),
          now,
        },
        kinds,
        desk,
      ),
      budgetTokens,
      cap,
      now,
      report,
    },
    signal,
  )
  if (looked.end === 'stopped') return { end: 'again', proposed }
  if (looked.code === 'tools_unsupported') subject.refusedTools?.()
  const count = { proposed: proposed.length, saved: changed.memory.length + changed.skills.length, ruledOut }
  const read = messages.at(-1)?.id ?? upToId
  const isChat = sessionId !== null && review.trigger !== 'compaction'
  return {
    end: looked.end === 'failed' ? 'failed' : 'done',
    outcome: inWords(looked, count),
    cost: looked.cost,
    upToId: isChat ? Math.max(upToId, read) : upToId,
    hopeless: looked.code !== undefined && HOPELESS.has(looked.code),
    proposed,
  }
}

/** Whether the person has said no to this very change before, or changed what it made, as it was found in this chat. */
function wasTakenBack(store: Store, { after, place }: Candidate, sessionId: string | null): boolean {
  if (after === null || sessionId === null) return false
  const isRefused = store.learning
    .proposals({ sessionId })
    .some(
      row =>
        (row.state === 'rejected' || row.state === 'undone') &&
        row.place === place &&
        sameWords(row.after ?? '', after),
    )
  if (isRefused) return true
  const { revisions } = store.memory.history({ sessionId, limit: 500 })
  return revisions
    .filter(each => each.after !== null && sameWords(each.after, after))
    .some(({ entryId }) => store.memory.history({ entryId, limit: 1 }).revisions[0]?.actor === 'you')
}

function inWords(
  { end, text }: Looked,
  { proposed, saved, ruledOut }: Record<'proposed' | 'saved' | 'ruledOut', number>,
): string {
  if (end === 'failed') return text
  const parts = [
    ...(saved > 0 ? [`${saved} saved`] : []),
    ...(proposed > 0 ? [`${proposed} proposed`] : []),
    ...(ruledOut > 0 ? [`${ruledOut} left out by your rules`] : []),
  ]
  const what = parts.length === 0 ? 'Nothing worth saving.' : `${parts.join(', ')}.`
  return end === 'over_budget' ? `${what} It ended at its budget of tokens.` : what
}
