import type { Message } from '../../shared/contract/messages.ts'
import type { Session } from '../../shared/contract/session.ts'
import type { EngineFailure } from '../llm/engine.ts'
import { isFailure } from '../llm/engine.ts'
import type { ReviewRow, Store } from '../store/types.ts'
import { historyOf } from './make-room.ts'
import { prepareTurn, type PreparedTurn } from './prepare-turn.ts'
import type { TurnSources } from './settle.ts'

export type SubjectSources = Omit<TurnSources, 'sessions' | 'textOnly'> & {
  store: Store
  /** What a conversation of another agent is reviewed with. */
  defaults(): { modelId: string; workspace: string }
}

type Subject = { turn: PreparedTurn; messages: readonly Message[]; refusedTools?(): void }

const GONE: EngineFailure = { code: 'internal', text: 'The chat does not exist any more.', fix: '' }
/** Older messages than so many are not looked at again. */
const MOST = 4_000

/** Make the function that settles what a review reads and with which model: the turn that the chat itself would take next. */
export function createReviewSubject(sources: SubjectSources) {
  const { store } = sources
  /** Models whose server refused tools as data. */
  const textOnly = new Set<string>()
  const subjectOf = (turn: PreparedTurn, messages: readonly Message[], { modelId }: Session): Subject => ({
    turn,
    messages,
    refusedTools: () => void textOnly.add(modelId),
  })

  async function ofChat(review: ReviewRow): Promise<Subject | EngineFailure> {
    const session = review.sessionId === null ? undefined : store.sessions.get(review.sessionId)
    if (!session) return GONE
    const turn = await prepared(session, store.sessions)
    if (isFailure(turn)) return turn
    if (review.trigger !== 'compaction') return subjectOf(turn, historyOf(store, session.id, 0, -1), session)
    // What a summary stands for is not in the place of the chat any more, so it is read in a place of its own.
    const messages = store.messages
      .page(session.id, { before: review.upToId + 1, limit: MOST })
      .messages.filter(message => message.id > review.fromId)
    return subjectOf({ ...turn, sessionId: review.id }, fromQuestion(messages), session)
  }

  async function ofEvents(
    messages: readonly Message[],
    modelId: string | undefined,
  ): Promise<Subject | EngineFailure> {
    const { modelId: usual, workspace } = sources.defaults()
    const session: Session = { ...NOBODYS, modelId: modelId ?? usual, workspace }
    const turn = await prepared(session, { frozenPrompt: () => undefined, freezePrompt: () => {} })
    return isFailure(turn) ? turn : subjectOf(turn, fromQuestion(messages), session)
  }

  async function prepared(
    session: Session,
    sessions: TurnSources['sessions'],
  ): Promise<PreparedTurn | EngineFailure> {
    return prepareTurn({ ...sources, sessions, textOnly }, session)
  }

  return (what: { review: ReviewRow } | { messages: readonly Message[]; modelId: string | undefined }) =>
    'review' in what ? ofChat(what.review) : ofEvents(what.messages, what.modelId)
}

/** A conversation begins with what somebody said. */
function fromQuestion(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(message => message.role === 'user')
  return first < 0 ? [] : messages.slice(first)
}

const NOBODYS: Session = {
  id: 'events',
  title: '',
  preview: '',
  modelId: '',
  workspace: '',
  approval: 'none',
  pinned: false,
  draft: '',
  source: 'import',
  turnCount: 0,
  messageCount: 0,
  createdAt: 0,
  updatedAt: 0,
  activeRunId: null,
  lastRunId: null,
  waiting: false,
}
