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
/** A review must not take for the person's wish what a stranger wrote, so it does not read results that may hold such text. */
const withoutStrangers = (message: Message): Message =>
  message.role === 'tool' &&
  (OF_SERVERS.test(message.name) || message.marks?.some(({ described }) => !described))
    ? { ...message, text: '[a result of a connected server, or from after one, left out of this review]' }
    : message.role === 'user' && message.reports !== undefined && message.marks !== undefined
      ? { ...message, reports: '[reports of sub-agents, left out of this review]' }
      : message

export type ReviewInputSources = TurnSources & {
  store: Store
  /** Model and folder for reviews of another agent's conversation, and the project that a folder of one belongs to. */
  defaults(): { modelId: string; workspace: string }
  projectIn?(folder: string): string | null
}

type ReviewInput = { turn: PreparedTurn; messages: readonly Message[] }

const GONE: EngineFailure = { code: 'internal', text: 'The chat no longer exists.', fix: '' }
/** Maximum number of messages to review. */
const MAX_MESSAGES = 4_000

/**
 * Create the function that prepares the input of a review: the turn that the chat itself would take next, with
 * its model and messages.
 */
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
    // Messages that a summary replaced have left the chat's prompt, so they are evaluated under their own
    // session id.
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
      // It is no chat, whose prompt would have to stay as it is.
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
  // What the user wants of answers is not for a review.
  const { sampling: _sampling, maxTokens: _most, ...reviewing } = turn
  return reviewing
}

/** The prompt of a conversation of another agent is of no chat. */
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
