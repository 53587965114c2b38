import type { Session } from '../../shared/contract/session.ts'
import { joinSections } from '../agent/prompt.ts'
import type { Summariser, Turn } from '../agent/turn.ts'
import { isFailure, type EngineFailure } from '../models/engine.ts'
import { frozenPrompt } from './frozen-prompt.ts'
import { resolveTurnSetup, type TurnSources } from './turn-setup.ts'

/** A turn without the id of the message to answer. */
export type PreparedTurn = Omit<Turn, 'askedId'>

/** Resolve everything that one turn of a session needs: engine, strategy, tools and the frozen prompt. */
export async function prepareTurn(
  sources: TurnSources,
  session: Session,
): Promise<PreparedTurn | EngineFailure> {
  const setup = await resolveTurnSetup(sources, session)
  if (isFailure(setup)) return setup
  const { engine, profile, way, tools } = setup
  return {
    sessionId: session.id,
    workspace: session.workspace,
    home: sources.home,
    engine,
    strategy: way.strategy,
    system: joinSections((await frozenPrompt(sources, session, setup, 'freeze')).sections),
    registry: sources.registry,
    tools,
    contextTokens: profile.contextTokens,
    maxIterations: sources.maxIterations(),
    ...(sources.auxiliaryFor && { summariser: () => summariserFor(sources, session, engine) }),
  }
}

/** The model configured for summaries, unless it is the chat's own model or unavailable. */
async function summariserFor(
  sources: TurnSources,
  session: Session,
  { modelId }: { modelId: string },
): Promise<Summariser | undefined> {
  const other = await sources.auxiliaryFor?.(session.modelId)
  if (!other || isFailure(other) || other.modelId === modelId) return undefined
  const setup = await resolveTurnSetup({ ...sources, engineFor: async () => other }, session)
  if (isFailure(setup)) return undefined
  const { engine, way, tools, profile } = setup
  return { engine, strategy: way.strategy, tools, contextTokens: profile.contextTokens }
}
