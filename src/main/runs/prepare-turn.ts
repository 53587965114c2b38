import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from '../../shared/contract/session.ts'
import { demoKnows } from '../agent/demo-prompt.ts'
import { projectContext } from '../agent/project-context.ts'
import { buildPrompt, COMPACT_TOKENS } from '../agent/prompt.ts'
import type { Strategy } from '../agent/strategies/strategy.ts'
import { structuredStrategy } from '../agent/strategies/structured.ts'
import { textStrategy } from '../agent/strategies/text.ts'
import type { Turn } from '../agent/turn.ts'
import { isFailure, type EngineFailure, type LlmEngine, type ModelProfile } from '../llm/engine.ts'
import type { Store } from '../store/types.ts'
import type { Registry } from '../tools/registry.ts'

/** What `prepareTurn` reads from its surroundings. */
export type TurnSources = {
  home: string
  sessions: Store['sessions']
  registry: Registry
  engineFor(modelId: string): Promise<LlmEngine | EngineFailure>
  /** Models whose server refused tools as data, found out while they were used. */
  textOnly: ReadonlySet<string>
  maxIterations(): number
  now(): number
}

/** Settle everything that one turn of a session works with: engine, strategy, tools and the frozen prompt. */
export async function prepareTurn(sources: TurnSources, session: Session): Promise<Turn | EngineFailure> {
  const engine = await sources.engineFor(session.modelId)
  if (isFailure(engine)) return engine
  const profile = await engine.profile()
  if (isFailure(profile)) return profile
  const wantsText = profile.strategy === 'text' || sources.textOnly.has(session.modelId)
  const strategy: Strategy = wantsText ? textStrategy : structuredStrategy

  const { registry } = sources
  const offered =
    session.approval === 'chat_only'
      ? []
      : registry.names.filter(name => profile.prompt !== 'demo' || demoKnows(name))
  const tools = registry.specs(offered)
  const system = await frozenPrompt(sources, session, strategy, profile, tools)
  return {
    sessionId: session.id,
    workspace: session.workspace,
    home: sources.home,
    engine,
    strategy,
    system,
    registry,
    tools,
    contextTokens: profile.contextTokens,
    maxIterations: sources.maxIterations(),
  }
}

/**
 * The prompt of a session is built once for each way of presenting tools and kept with it, so that a resumed chat sends
 * the same bytes and the evaluated prefix stays good. Another workspace or toolset is another prompt.
 */
async function frozenPrompt(
  sources: TurnSources,
  session: Session,
  strategy: Strategy,
  profile: ModelProfile,
  tools: Turn['tools'],
): Promise<string> {
  const edition = profile.contextTokens <= COMPACT_TOKENS ? 'compact' : 'full'
  const toolNames = tools.map(tool => tool.name)
  const key = [profile.prompt, strategy.name, edition, session.workspace, toolNames.join(',')].join('|')
  const kept = sources.sessions.frozenPrompt(session.id, key)
  if (kept) return kept.system
  const system = buildPrompt({
    frame: profile.prompt,
    soul: await readSoul(sources.home),
    toolText: strategy.present(tools),
    tools,
    contextTokens: profile.contextTokens,
    workspace: session.workspace,
    project: await projectContext(session.workspace, edition === 'compact' ? 1_500 : 12_000),
    today: new Date(sources.now()),
  })
  sources.sessions.freezePrompt(session.id, { key, system, toolNames })
  return system
}

async function readSoul(home: string): Promise<string> {
  try {
    return (await readFile(join(home, 'SOUL.md'), 'utf8')).slice(0, 8_000)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
