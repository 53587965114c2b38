import type { TurnSubject } from '../../shared/contract/chats/session.ts'
import { unsetOptions } from '../../shared/contract/chats/chat-options.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'
import { mostMessages } from '../agent/fit-history.ts'
import type { EngineFailure } from '../models/interface/engine.ts'
import { isFailure } from '../models/interface/engine.ts'
import type { ReviewRow } from '../db/learning/learning-tables.ts'
import type { Store } from '../db/store.ts'
import { historyOf } from './compact-chat.ts'
import type { PreparedTurn } from '../agent/turn-types.ts'
import { prepareTurn } from './prepare-turn.ts'
import type { TurnSources } from './turn-setup.ts'

const OF_SERVERS = /^(?:use_tool$|find_tool$|mcp__)/
/**
 * Remove strangers' text from a message. A review must not mistake it for the user's wish, so results that
 * may contain it are left out.
 */
const withoutStrangers = (message: Message): Message =>
  message.role === 'tool' &&
  (OF_SERVERS.test(message.name) || message.marks?.some(({ described }) => !described))
    ? { ...message, text: '[a result of a connected server, or from after one, left out of this review]' }
    : message.role === 'user' && message.reports !== undefined && message.marks !== undefined
      ? { ...message, reports: '[reports of sub-agents, left out of this review]' }
      : message

export type ReviewInputSources = TurnSources & {
  store: Store
  /** Model and folder for reviews of another agent's conversation, and the project of that folder. */
  defaults(): { modelId: string; workspace: string }
  projectIn?(folder: string): string | null
}

type ReviewInput = { turn: PreparedTurn; messages: readonly Message[] }

const GONE: EngineFailure = { code: 'internal', text: 'The chat no longer exists.', fix: '' }
/** Maximum number of messages to review. */
const MAX_MESSAGES = 4_000

/** Create the function that prepares the input of a review: the turn that the chat itself would take next. */
export function createReviewInput(sources: ReviewInputSources) {
  const { store } = sources
  const inputFrom = (turn: PreparedTurn, messages: readonly Message[]): ReviewInput => ({
    turn,
    messages: messages.map(withoutStrangers),
  })

  async function ofChat(review: ReviewRow): Promise<ReviewInput | EngineFailure> {
    const session = review.sessionId === null ? undefined : store.sessions.get(review.sessionId)
    if (!session) return GONE
    const turn = await prepared(sources, session)
    if (isFailure(turn)) return turn
    if (review.trigger !== 'compaction')
      return inputFrom(turn, await historyOf(store, session.id, 0, mostMessages(turn)))
    // Messages replaced by a summary have left the chat's prompt, so they get their own session id.
    const messages = store.messages
      .page(session.id, { before: review.upToId + 1, limit: MAX_MESSAGES })
      .messages.filter(message => message.id > review.fromId)
    return inputFrom({ ...turn, sessionId: review.id }, fromQuestion(messages))
  }

  async function ofEvents(
    messages: readonly Message[],
    modelId: string | undefined,
    folder = '',
  ): Promise<ReviewInput | EngineFailure> {
    const { modelId: usual, workspace } = sources.defaults()
    const session: TurnSubject = {
      ...unsetOptions(),
      approval: 'none',
      // This is not a chat, so its prompt need not stay the same.
      decider: 'off',
      id: 'events',
      modelId: modelId ?? usual,
      workspace: folder === '' ? workspace : folder,
      origin: 'import',
      originId: '',
      projectId: folder === '' ? null : (sources.projectIn?.(folder) ?? null),
      onlyTools: [],
    }
    const turn = await prepared({ ...sources, sessions: KEEPS_NOTHING }, session)
    return isFailure(turn) ? turn : inputFrom(turn, fromQuestion(messages))
  }

  return (
    what:
      | { review: ReviewRow }
      | { messages: readonly Message[]; modelId: string | undefined; folder?: string | undefined },
  ) => ('review' in what ? ofChat(what.review) : ofEvents(what.messages, what.modelId, what.folder))
}

async function prepared(sources: TurnSources, session: TurnSubject): Promise<PreparedTurn | EngineFailure> {
  const turn = await prepareTurn(sources, session)
  if (isFailure(turn)) return turn
  // The user's sampling for answers does not apply to a review.
  const { sampling: _sampling, maxTokens: _most, ...reviewing } = turn
  return reviewing
}

/** The prompt for another agent's conversation belongs to no chat, so it is not stored. */
const KEEPS_NOTHING: TurnSources['sessions'] = {
  frozenPrompt: () => undefined,
  frozenPrompts: () => [],
  freezePrompt() {},
}

/** Drop everything before the first user message. */
function fromQuestion(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(message => message.role === 'user')
  return first < 0 ? [] : messages.slice(first)
}
