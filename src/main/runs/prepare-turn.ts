import type { Session } from '../../shared/contract/session.ts'
import { joinSections } from '../agent/prompt.ts'
import type { Summariser, Turn } from '../agent/turn.ts'
import { isFailure, type EngineFailure } from '../llm/engine.ts'
import { frozenPrompt } from './frozen-prompt.ts'
import { settle, type TurnSources } from './settle.ts'

/** A turn but for the message that it answers. */
export type PreparedTurn = Omit<Turn, 'askedId'>

/** Settle everything that one turn of a session works with: engine, strategy, tools and the frozen prompt. */
export async function prepareTurn(
  sources: TurnSources,
  session: Session,
): Promise<PreparedTurn | EngineFailure> {
  const settled = await settle(sources, session)
  if (isFailure(settled)) return settled
  const { engine, profile, way, tools } = settled
  return {
    sessionId: session.id,
    workspace: session.workspace,
    home: sources.home,
    engine,
    strategy: way.strategy,
    system: joinSections((await frozenPrompt(sources, session, settled, 'freeze')).sections),
    registry: sources.registry,
    tools,
    contextTokens: profile.contextTokens,
    maxIterations: sources.maxIterations(),
    ...(sources.auxiliaryFor && { summariser: () => summariserFor(sources, session, engine) }),
  }
}

/** The model that is set for summaries, unless it is the one of the chat or cannot be used now. */
async function summariserFor(
  sources: TurnSources,
  session: Session,
  { modelId }: { modelId: string },
): Promise<Summariser | undefined> {
  const other = await sources.auxiliaryFor?.(session.modelId)
  if (!other || isFailure(other) || other.modelId === modelId) return undefined
  const settled = await settle({ ...sources, engineFor: async () => other }, session)
  if (isFailure(settled)) return undefined
  const { engine, way, tools, profile } = settled
  return { engine, strategy: way.strategy, tools, contextTokens: profile.contextTokens }
}
