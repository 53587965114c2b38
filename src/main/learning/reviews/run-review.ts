import type { LearningMode, Review } from '../../../shared/contract/learned/learning.ts'
import type { MemoryProject } from '../../../shared/contract/learned/memory.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { isGuided } from '../../agent/guide.ts'
import type { Cap } from '../../agent/steps/result-steps.ts'
import type { PreparedTurn } from '../../agent/turn-types.ts'
import { isFailure, type EngineFailure } from '../../models/interface/engine.ts'
import type { Memory } from '../../memory/open-memory.ts'
import type { Library, SkillEditor } from '../../skills/skill-types.ts'
import type { ReviewRow } from '../../db/learning/learning-tables.ts'
import type { Store } from '../../db/store.ts'
import { type Candidate, evidenceFor, sourceIn } from '../proposals/proposed-change.ts'
import type { Proposals } from '../proposals/proposals.ts'
import type { ProposalSink } from '../proposals/propose-memory.ts'
import type { ReviewEnd } from './review-queue.ts'
import { type AwaitedReview, runReviewTurn, type ReviewResult } from './review-turn.ts'
import { proposeByRules } from '../by-rules/review-by-rules.ts'
import { reviewNotebook, reviewTools } from './review-tools.ts'
import { gistOf, ruleAgainst, sameWords } from '../proposals/learning-rules.ts'
import { judgeWhoseWords } from './whose-words.ts'

export type ReviewParts = {
  store: Store
  memory: Memory
  library: Library
  editor: SkillEditor
  proposals: Proposals
  settings(): { mode: LearningMode; budget_tokens: number; review_steps: number }
  /** The kinds of things that may be learned from chats; all if omitted. */
  mayLearn?(): Review['kinds']
  cap: Cap
  /** Where the notes of a chat are, if not with its folder. */
  notesOf?(sessionId: string, folder: string): string | MemoryProject
  /** Where the notes are for a folder that another program worked in: the same place as for a chat there. */
  notesIn?(folder: string): string | MemoryProject
  now(): number
  report(error: unknown): void
}

/** A conversation to review: its next turn, and the messages that its model reads. */
export type ReviewInput = {
  turn: PreparedTurn
  messages: readonly Message[]
  /** Set if a caller waits. Saved changes then belong to the newest message, where the user sees them. */
  awaited?: AwaitedReview
}

/** Failures that a retry cannot fix. */
const HOPELESS = new Set<EngineFailure['code']>([
  'internal',
  'model_missing',
  'model_unreadable',
  'context_full',
])

/** Review one conversation. Findings are proposed or saved, depending on the current mode. */
export async function runReview(
  parts: ReviewParts,
  review: ReviewRow,
  input: ReviewInput | EngineFailure,
  signal: AbortSignal,
  whoseWords = judgeWhoseWords(parts.store, review.sessionId),
): Promise<ReviewEnd & { proposed: string[] }> {
  const { store, memory, library, editor, proposals, settings, cap, now, report } = parts
  const { upToId, sessionId, foreign } = review
  const proposed: string[] = []
  if (signal.aborted) return { end: 'again', proposed }
  if (isFailure(input)) {
    const hopeless = HOPELESS.has(input.code)
    return { end: 'failed', outcome: input.text, cost: null, upToId, hopeless, proposed }
  }
  const { turn, messages } = input
  const { mode, budget_tokens: budgetTokens, review_steps: maxSteps } = settings()
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
  const heldBack = new Set<string>()
  const sink: ProposalSink = {
    // Always propose findings that a stranger's text or another program's session may have caused.
    asks:
      mode !== 'save' ||
      review.trigger === 'text' ||
      foreign !== undefined ||
      isMarked(store, sessionId, messages),
    propose(candidate) {
      const { because = '' } = whoseWords(candidate)
      const said = [candidate.because, because].filter(Boolean).join(' ')
      const row = proposals.add({ ...candidate, because: said }, review, fresh)
      if (row && !proposed.includes(row.id)) proposed.push(row.id)
      return row !== false
    },
    refuses(candidate) {
      const { refused } = whoseWords(candidate)
      if (refused !== undefined) return refused
      const { change } = candidate
      if (foreign?.folder === '' && change.kind === 'memory.add' && change.project !== null) return NO_FOLDER
      const isMemory = candidate.change.kind.startsWith('memory.')
      if (ruleAgainst(store.learning, gistOf({ ...candidate, isMemory }))) {
        ruledOut++
        return 'Left out: the user does not want this kind of thing to be kept. Go on without it.'
      }
      if (wasUndoneBefore(store, candidate, { sessionId, foreignId: foreign?.id }))
        return 'Left out: this was saved from this conversation before, and the user took it back. Go on without it.'
      return undefined
    },
    heldBack: text => void heldBack.add(text),
    changed(what) {
      changed.memory.push(...(what.memory ?? []))
      changed.skills.push(...(what.skills ?? []))
    },
  }
  const notesOf = (folder: string): string | MemoryProject =>
    (sessionId === null ? foreign && parts.notesIn?.(folder) : parts.notesOf?.(sessionId, folder)) ?? folder
  const notebook = {
    memory,
    by: { sessionId, reviewId: review.id },
    sourceOf(text: string) {
      if (input.awaited) return messages.at(-1)?.id ?? null
      return sessionId === null ? null : sourceIn(evidenceFor(text, fresh))
    },
  }
  const read = messages.at(-1)?.id ?? upToId
  const isChat = sessionId !== null && review.trigger !== 'compaction'
  const endsAt = isChat ? Math.max(upToId, read) : upToId
  const count = (): Found => ({
    proposed: proposed.length,
    saved: changed.memory.length + changed.skills.length,
    ruledOut,
    heldBack: heldBack.size,
  })
  if (await isGuided(turn)) {
    const refused = kinds.includes('memory')
      ? proposeByRules(
          { memory: reviewNotebook(notebook, sink), sink, notesAt: notesOf(turn.workspace) },
          fresh,
        )
      : []
    const outcome = tellByRules(count(), refused, kinds)
    return { end: 'done', outcome, cost: null, upToId: endsAt, proposed }
  }
  const result = await runReviewTurn(
    { turn, messages },
    {
      kinds,
      isOfText: review.trigger === 'text',
      rules: store.learning.rules(),
      registry: reviewTools(
        {
          ...notebook,
          library,
          editor,
          skills: store.skills,
          notesOf,
          work: messages.flatMap(each => (each.role === 'tool' ? [{ name: each.name, ok: each.ok }] : [])),
          now,
        },
        kinds,
        sink,
      ),
      budgetTokens,
      maxSteps,
      awaited: input.awaited,
      cap,
      now,
      report,
    },
    signal,
  )
  if (result.end === 'stopped') return { end: 'again', proposed }
  return {
    end: result.end === 'failed' ? 'failed' : 'done',
    outcome: inWords(result, count(), turn.engine.name),
    cost: result.cost,
    upToId: endsAt,
    ...(result.isVoid && { isVoid: true as const }),
    hopeless: result.code !== undefined && HOPELESS.has(result.code),
    proposed,
  }
}

/** Whether a reviewed message has a stranger's mark that the user has not lifted in this chat. */
function isMarked({ marks }: Store, sessionId: string | null, messages: readonly Message[]): boolean {
  const ended = sessionId === null ? new Set<string>() : marks.ended(sessionId)
  return messages.some(message => message.marks?.some(({ id }) => !ended.has(id)))
}

const NO_FOLDER =
  'Left out: nobody knows in which folder this was said, so there are no notes of it. Go on without it.'

/** Whether the user already rejected, undid or edited this change, learned from this chat or session. */
function wasUndoneBefore(
  store: Store,
  { after, place }: Candidate,
  { sessionId, foreignId }: { sessionId: string | null; foreignId: string | undefined },
): boolean {
  const of = sessionId === null ? foreignId !== undefined && { foreignId } : { sessionId }
  if (after === null || !of) return false
  const isRefused = store.learning
    .proposals(of)
    .some(
      row =>
        (row.state === 'rejected' || row.state === 'undone') &&
        row.place === place &&
        sameWords(row.after ?? '', after),
    )
  if (isRefused || sessionId === null) return isRefused
  const { revisions } = store.memory.history({ sessionId, limit: 500 })
  return revisions
    .filter(each => each.after !== null && sameWords(each.after, after))
    .some(({ entryId }) => store.memory.history({ entryId, limit: 1 }).revisions[0]?.actor === 'you')
}

/** The results of a review, counted. */
type Found = Record<'proposed' | 'saved' | 'ruledOut' | 'heldBack', number>

const listFound = ({ proposed, saved, ruledOut, heldBack }: Found): string =>
  [
    ...(saved > 0 ? [`${saved} saved`] : []),
    ...(proposed > 0 ? [`${proposed} proposed`] : []),
    ...(ruledOut > 0 ? [`${ruledOut} left out by your rules`] : []),
    ...(heldBack > 0 ? [`${heldBack} left out with a key or a password`] : []),
  ].join(', ')

function inWords({ end, text, isVoid }: ReviewResult, found: Found, model: string): string {
  if (end === 'failed') return text
  if (isVoid) return 'The model gave no usable answer.'
  const list = listFound(found)
  // Another model may find something in the same chat, so the sentence names the model.
  const what = list === '' ? `${model} found nothing worth saving.` : `${list}.`
  return end === 'over_budget' ? `${what} It ended at its token budget.` : what
}

/** The result of a review by rules, as text. It finds facts about the user and their work, but no skills. */
function tellByRules(found: Found, refused: readonly string[], kinds: Review['kinds']): string {
  const list = listFound(found)
  const [why] = refused
  const isTold = why !== undefined && found.heldBack === 0
  if (list !== '' || isTold)
    return [...(list === '' ? [] : [`${list}, by rules.`]), ...(isTold ? [why] : [])].join(' ')
  return kinds.includes('memory')
    ? 'Talaria reviews chats with this model by rules. It found nothing worth saving.'
    : 'Talaria reviews chats with this model by rules, which propose no skills. A larger model can propose them.'
}
