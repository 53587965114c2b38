import type { Message, ToolCall } from '../../shared/contract/chats/messages.ts'
import { isFailure, type LlmEngine } from '../models/interface/engine.ts'

/**
 * A call as the model wrote it. `problem` says why it cannot run, if that is clear before any lookup; `begunBy` names the step that
 * began it in place of the model.
 */
export type ReadCall = { call: ToolCall; problem?: string; begunBy?: string }

/** What is done next: calls to run, or the text that ends the turn. `calls` is empty with a text. */
export type GuidedReply = { text: string; calls: readonly ReadCall[] }

/** What a model wrote, before the guide has looked at it. `end` says whether it came to an end by itself. */
export type Written = { text: string; calls: readonly ReadCall[]; end: 'done' | 'cut' | 'looping' }

/**
 * Decides and speaks for a model that understands requests but writes no sentences worth reading, such as the built-in one. There
 * is one guide for each turn, so it may keep what it asked the person. `history` is what the model reads: the newest message is
 * the person's, or the results of the calls that were made for it.
 */
export type Guide = {
  /** Says what is next without the model, or undefined to ask it. */
  before(history: readonly Message[], signal: AbortSignal): Promise<GuidedReply | undefined>
  /** Says what is next, given what the model wrote; its words are never shown as they are. */
  after(history: readonly Message[], written: Written, signal: AbortSignal): Promise<GuidedReply>
}

/**
 * Whether a guide speaks for the model of a turn. Such a model is asked for no text of its own: no summary, no review. The turn
 * says so itself, else, where none is prepared with a guide, the profile of its model.
 */
export async function isGuided({
  guide,
  engine,
}: {
  guide?: Guide | undefined
  engine: Pick<LlmEngine, 'profile'>
}): Promise<boolean> {
  if (guide !== undefined) return true
  const profile = await engine.profile()
  return !isFailure(profile) && profile.guided === true
}
