import type { Session } from '../../shared/contract/session.ts'
import { COMPACT_TOKENS } from '../agent/prompt.ts'
import type { Strategy } from '../agent/strategies/strategy.ts'
import { structuredStrategy } from '../agent/strategies/structured.ts'
import { createTextStrategy } from '../agent/strategies/text.ts'
import type { Turn } from '../agent/turn.ts'
import { fallbackDialect } from '../dialects/table.ts'
import { isFailure, type EngineFailure, type LlmEngine, type ModelProfile } from '../llm/engine.ts'
import type { Memory } from '../memory/memory.ts'
import type { LibrarySkill } from '../skills/types.ts'
import type { Store } from '../store/types.ts'
import type { Registry } from '../tools/registry.ts'

/** What turns are prepared from. */
export type TurnSources = {
  home: string
  sessions: Pick<Store['sessions'], 'frozenPrompt' | 'freezePrompt'>
  memory: Pick<Memory, 'forChat' | 'used'>
  /** Whether chats begin with what is remembered. */
  usesMemory(this: void): boolean
  /** The skills that a chat in a folder can load, most used first; empty when chats do not know them. */
  skillsFor(this: void, workspace: string): readonly LibrarySkill[]
  registry: Registry
  engineFor(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** The engine for summaries of a chat with that model; usually the same. */
  auxiliaryFor?(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** Models whose server refused tools as data, found out while they were used. */
  textOnly: ReadonlySet<string>
  maxIterations(this: void): number
  now(this: void): number
}

/** What decides about the prompt of a session: its model, how tools reach it, and which there are. */
export type Settled = {
  engine: LlmEngine
  profile: ModelProfile
  way: Way
  edition: 'compact' | 'full'
  tools: Turn['tools']
}

/** Find out what a session works with at the moment. */
export async function settle(sources: TurnSources, session: Session): Promise<Settled | EngineFailure> {
  const engine = await sources.engineFor(session.modelId)
  if (isFailure(engine)) return engine
  const profile = await engine.profile()
  if (isFailure(profile)) return profile
  const wantsText = profile.strategy === 'text' || sources.textOnly.has(session.modelId)
  const way = wantsText ? inText(profile, engine.name) : asData
  const { registry } = sources
  const tools = registry.specs(session.approval === 'chat_only' ? [] : registry.names)
  return { engine, profile, way, edition: editionFor(profile), tools }
}

/** How tools reach the model. `name` tells two ways apart that write another prompt. */
export type Way = { name: string; strategy: Strategy }

const asData: Way = { name: 'structured', strategy: structuredStrategy }

function inText(profile: ModelProfile, model: string): Way {
  const { dialect = fallbackDialect, toolRole = false } = profile
  const options = { dialect, toolRole, edition: editionFor(profile), model } as const
  return { name: `text ${dialect}`, strategy: createTextStrategy(options) }
}

const editionFor = ({ contextTokens }: Pick<ModelProfile, 'contextTokens'>) =>
  contextTokens <= COMPACT_TOKENS ? 'compact' : 'full'
