import { createHash } from 'node:crypto'
import type { Session } from '../../shared/contract/session.ts'
import type { Strategy } from '../agent/strategies/strategy.ts'
import { structuredStrategy } from '../agent/strategies/structured.ts'
import { createTextStrategy } from '../agent/strategies/text.ts'
import type { Turn } from '../agent/turn-types.ts'
import { fallbackFormat } from '../models/formats/format-table.ts'
import { isFailure, type EngineFailure, type LlmEngine, type ModelProfile } from '../models/engine.ts'
import type { Memory } from '../memory/open-memory.ts'
import type { LibrarySkill } from '../skills/types.ts'
import type { Store } from '../db/store.ts'
import type { Registry } from '../tools/registry.ts'
import type { ToolForm } from '../tools/tool.ts'
import { editionFor } from '../skills/prompt-index.ts'

/** What turns are prepared from. */
export type TurnSources = {
  home: string
  sessions: Pick<Store['sessions'], 'frozenPrompt' | 'freezePrompt'>
  memory: Pick<Memory, 'forChat' | 'used'>
  /** Whether new chats get the memory in their prompt. */
  usesMemory(this: void): boolean
  /** The skills that a chat in this folder can load, most used first; empty when chats do not use skills. */
  skillsFor(this: void, workspace: string): readonly LibrarySkill[] | Promise<readonly LibrarySkill[]>
  /** Whether the user trusts a folder, so that what it says to agents may enter a prompt. */
  trusts(this: void, workspace: string): boolean
  registry: Registry
  engineFor(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** The engine for summaries of chats with that model; usually the same. */
  auxiliaryFor?(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** Models whose server rejected tools as data, discovered at run time. */
  textOnly: ReadonlySet<string>
  maxIterations(this: void): number
  now(this: void): number
}

/** What determines the prompt of a session: model, strategy and tools. */
export type TurnSetup = {
  engine: LlmEngine
  profile: ModelProfile
  way: ToolPresentation
  edition: 'compact' | 'full'
  /** The tools in the form for this model. */
  registry: Registry
  tools: Turn['tools']
  /** Names the frozen prompt that belongs to all of this. */
  promptKey: string
}

/** Resolve what a session currently works with. */
export async function resolveTurnSetup(
  sources: TurnSources,
  session: Session,
): Promise<TurnSetup | EngineFailure> {
  const engine = await sources.engineFor(session.modelId)
  if (isFailure(engine)) return engine
  const profile = await engine.profile()
  if (isFailure(profile)) return profile
  const wantsText = profile.strategy === 'text' || sources.textOnly.has(session.modelId)
  const way = wantsText ? inText(profile, engine.name) : asData
  const edition = editionFor(profile.contextTokens)
  const inForm = (form: ToolForm) => {
    const registry = sources.registry.inForm(form)
    const tools = registry.specs(session.approval === 'chat_only' ? [] : registry.names)
    return { registry, tools, promptKey: promptKey(session, way, edition, tools, form) }
  }
  const basic = inForm('basic')
  if (profile.basicTools) return { engine, profile, way, edition, ...basic }
  const full = inForm('full')
  const isFrozen = ({ promptKey }: typeof full) =>
    sources.sessions.frozenPrompt(session.id, promptKey) !== undefined
  // A chat from before there were full forms keeps its prompt, and the tools in it, until the prompt is rebuilt.
  const chosen = isFrozen(basic) && !isFrozen(full) ? basic : full
  return { engine, profile, way, edition, ...chosen }
}

/** The name of a prompt: all that it depends on. The basic form is not in it, for the sake of older chats. */
function promptKey(
  { workspace }: Session,
  way: ToolPresentation,
  edition: TurnSetup['edition'],
  tools: Turn['tools'],
  form: ToolForm,
): string {
  const said = createHash('sha256').update(way.strategy.present(tools)).digest('hex').slice(0, 8)
  const toolNames = tools.map(tool => tool.name)
  // There used to be a second kind of prompt. Its name stays in the key so that older chats keep their prompt.
  return JSON.stringify([
    'standard',
    way.name,
    edition,
    workspace,
    toolNames,
    said,
    ...(form === 'full' ? ['full tools'] : []),
  ])
}

/** How tools are presented to the model. `name` distinguishes ways that produce different prompts. */
type ToolPresentation = { name: string; strategy: Strategy }

const asData: ToolPresentation = { name: 'structured', strategy: structuredStrategy }

function inText(profile: ModelProfile, model: string): ToolPresentation {
  const { format = fallbackFormat, toolRole = false } = profile
  const options = { format, toolRole, edition: editionFor(profile.contextTokens), model } as const
  return { name: `text ${format}`, strategy: createTextStrategy(options) }
}
