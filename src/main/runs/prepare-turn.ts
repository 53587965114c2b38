import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Session } from '../../shared/contract/session.ts'
import { demoKnows } from '../agent/demo-prompt.ts'
import { projectContext } from '../agent/project-context.ts'
import { buildPrompt, COMPACT_TOKENS } from '../agent/prompt.ts'
import { readStart } from '../agent/read-start.ts'
import type { Strategy } from '../agent/strategies/strategy.ts'
import { structuredStrategy } from '../agent/strategies/structured.ts'
import { createTextStrategy } from '../agent/strategies/text.ts'
import type { Turn } from '../agent/turn.ts'
import { fallbackDialect } from '../dialects/table.ts'
import { isFailure, type EngineFailure, type LlmEngine, type ModelProfile } from '../llm/engine.ts'
import type { Store } from '../store/types.ts'
import type { Registry } from '../tools/registry.ts'

/** What `prepareTurn` reads from its surroundings. */
export type TurnSources = {
  home: string
  sessions: Pick<Store['sessions'], 'frozenPrompt' | 'freezePrompt'>
  registry: Registry
  engineFor(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** Models whose server refused tools as data, found out while they were used. */
  textOnly: ReadonlySet<string>
  maxIterations(this: void): number
  now(this: void): number
}

/** Characters of files that become part of the prompt, by its edition. */
const LIMITS = {
  compact: { soul: 1_200, project: 1_500 },
  full: { soul: 8_000, project: 12_000 },
}

/** Settle everything that one turn of a session works with: engine, strategy, tools and the frozen prompt. */
export async function prepareTurn(sources: TurnSources, session: Session): Promise<Turn | EngineFailure> {
  const engine = await sources.engineFor(session.modelId)
  if (isFailure(engine)) return engine
  const profile = await engine.profile()
  if (isFailure(profile)) return profile
  const wantsText = profile.strategy === 'text' || sources.textOnly.has(session.modelId)
  const way = wantsText ? inText(profile, engine.name) : asData

  const { registry } = sources
  const known = registry.names.filter(name => profile.prompt !== 'demo' || demoKnows(name))
  const tools = registry.specs(session.approval === 'chat_only' ? [] : known)
  return {
    sessionId: session.id,
    workspace: session.workspace,
    home: sources.home,
    engine,
    strategy: way.strategy,
    system: await frozenPrompt(sources, session, way, profile, tools),
    registry,
    tools,
    contextTokens: profile.contextTokens,
    maxIterations: sources.maxIterations(),
  }
}

/** How tools reach the model. `name` tells two ways apart that write another prompt. */
type Way = { name: string; strategy: Strategy }

const asData: Way = { name: 'structured', strategy: structuredStrategy }

/** The demo model knows one notation and one place for results, whatever its file says. */
function inText(profile: ModelProfile, model: string): Way {
  const { prompt: frame } = profile
  const { dialect = fallbackDialect, toolRole = false }: Partial<ModelProfile> =
    frame === 'demo' ? {} : profile
  const options = { dialect, toolRole, edition: editionFor(profile), model, frame } as const
  return { name: `text ${dialect}`, strategy: createTextStrategy(options) }
}

const editionFor = ({ contextTokens }: Pick<ModelProfile, 'contextTokens'>) =>
  contextTokens <= COMPACT_TOKENS ? 'compact' : 'full'

/**
 * The prompt of a session is built once for each way of presenting tools and kept with it, so that a resumed chat sends
 * the same bytes and the evaluated prefix stays good. Another workspace or toolset is another prompt, and so are tools
 * that a newer version describes in other words.
 */
async function frozenPrompt(
  { sessions, home, now }: TurnSources,
  session: Session,
  { name, strategy }: Way,
  profile: ModelProfile,
  tools: Turn['tools'],
): Promise<string> {
  const edition = editionFor(profile)
  const toolNames = tools.map(tool => tool.name)
  const toolText = strategy.present(tools)
  const said = createHash('sha256').update(toolText).digest('hex').slice(0, 8)
  const { workspace } = session
  const key = JSON.stringify([profile.prompt, name, edition, workspace, toolNames, said])
  const kept = sessions.frozenPrompt(session.id, key)
  if (kept) return kept.system

  const limit = LIMITS[edition]
  const system = buildPrompt({
    frame: profile.prompt,
    edition,
    soul: (await readStart(join(home, 'SOUL.md'), limit.soul)) ?? '',
    toolText,
    tools,
    workspace,
    project: await projectContext(workspace, limit.project),
    today: new Date(now()),
  })
  sessions.freezePrompt(session.id, { key, system, toolNames })
  return system
}
