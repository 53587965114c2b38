import type { Message, ToolCall } from '../../shared/contract/chats/messages.ts'
import { isFailure, type LlmEngine } from '../models/interface/engine.ts'

/**
 * A call as the model wrote it. `problem` says why it cannot run, if that is clear before any lookup.
 * `begunBy` names the step that began it in place of the model.
 */
export type ReadCall = { call: ToolCall; problem?: string; begunBy?: string }

/** The next action: calls to run, or the text that ends the turn. With a text, `calls` is empty. */
export type GuidedReply = { text: string; calls: readonly ReadCall[] }

/** The model's output, before the guide has processed it. `end` says how it ended. */
export type Written = { text: string; calls: readonly ReadCall[]; end: 'done' | 'cut' | 'looping' }

/**
 * Decides and speaks for a model that understands requests but writes no sentences worth reading, such as the
 * built-in model. Each turn has its own guide, so a guide may remember what it asked the user. `history` is
 * what the model reads. Its newest message is the user's, or the results of the calls made for that message.
 */
export type Guide = {
  /** Decides on the next action without the model; undefined to ask the model. */
  before(history: readonly Message[], signal: AbortSignal): Promise<GuidedReply | undefined>
  /** Decides on the next action, given the model's output. The output itself is never shown. */
  after(history: readonly Message[], written: Written, signal: AbortSignal): Promise<GuidedReply>
}

/**
 * Whether a guide speaks for the model of a turn. Such a model is never asked for a summary or a review. If
 * the turn was not prepared with a guide, the profile of its model decides.
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
