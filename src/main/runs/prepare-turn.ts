import type { Session } from '../../shared/contract/session.ts'
import { joinSections } from '../agent/prompt.ts'
import type { Turn } from '../agent/turn.ts'
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
  }
}
