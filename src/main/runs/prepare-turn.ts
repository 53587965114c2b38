import type { TurnSubject } from '../../shared/contract/chats/session.ts'
import { rulesOf } from '../../shared/origin-rules.ts'
import { optionNamed } from '../../shared/contract/chats/chat-options.ts'
import { resolveOption } from '../../shared/resolve-option.ts'
import {
  buildPrompt,
  joinSections,
  spokenSections,
  type LeftOut,
  type PromptInput,
  type PromptText,
} from '../agent/prompt.ts'
import type { Summariser, PreparedTurn, Turn } from '../agent/turn-types.ts'
import { knownTools } from '../builtin/trained-texts.ts'
import { isFailure, type EngineFailure, type ModelProfile } from '../models/interface/engine.ts'
import { letOthersRun } from '../lib/timing.ts'
import { resolveTurnSetup, type TurnSources, type TurnSetup } from './turn-setup.ts'

/** Resolve everything that one turn of a session needs: engine, strategy, tools and the frozen prompt. */
export async function prepareTurn(
  sources: TurnSources,
  session: TurnSubject,
): Promise<PreparedTurn | EngineFailure> {
  const setup = await resolveTurnSetup(sources, session)
  if (isFailure(setup)) return setup
  const { engine, profile, way, tools, registry } = setup
  const { toolsets, connections } = sources
  toolsets?.noteLeftOut?.(session.id, {
    names: setup.fresh.toolsetsLeftOut,
    contextTokens: profile.contextTokens,
  })
  await letOthersRun()
  const { sections } = await frozenPrompt(sources, session, setup, 'freeze')
  await letOthersRun()
  return {
    sessionId: session.id,
    workspace: session.workspace,
    home: sources.home,
    engine,
    strategy: way.strategy,
    system: joinSections(sections),
    registry,
    tools,
    ...guided(sources, session, setup),
    ...(way.isDecided && { isDecided: true as const }),
    contextTokens: profile.contextTokens,
    plainTokens: profile.plainTokens,
    sees: profile.sees,
    ...(sources.describePicture && {
      describePicture: (...given) => sources.describePicture!(session.modelId, ...given),
    }),
    maxIterations: Math.min(
      sources.maxIterations(),
      rulesOf(session).mostSteps ?? Infinity,
      profile.guided ? BUILTIN_STEPS : Infinity,
    ),
    ...answering(sources, session, profile),
    options: setup.options,
    ...(connections && { callable: () => connections.callable(session.id, tools) }),
    ...(toolsets && { whyOff: tool => toolsets.whyOff(session.id, tool) }),
    ...(sources.auxiliaryFor && { summariser: () => summariserFor(sources, session, engine) }),
  }
}

/** The guide for a model that writes no sentences of its own. */
function guided(
  sources: TurnSources,
  session: TurnSubject,
  { profile, tools }: TurnSetup,
): Pick<Turn, 'guide'> {
  if (!profile.guided || !sources.guideFor) return {}
  const names = tools.map(({ name }) => name)
  return { guide: sources.guideFor(session, names) }
}

/** Maximum steps of the built-in model: nothing that it was trained on takes as many. */
const BUILTIN_STEPS = 20

/** The sampling of a chat's replies. The built-in model is only accurate with its defaults. */
function answering(
  { projects }: TurnSources,
  session: TurnSubject,
  { guided }: ModelProfile,
): Pick<Turn, 'sampling' | 'maxTokens'> {
  if (guided) return {}
  const { maxTokens, ...sampling } = resolveOption(optionNamed('sampling'), {
    chat: session.sampling,
    project: projects?.of(session)?.sampling,
  })
  const wanted = Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined))
  return {
    ...(Object.keys(wanted).length > 0 && { sampling: wanted }),
    ...(maxTokens !== undefined && { maxTokens }),
  }
}

/** The model configured for summaries, unless it is the chat's own model or unavailable. */
async function summariserFor(
  sources: TurnSources,
  session: TurnSubject,
  { modelId }: { modelId: string },
): Promise<Summariser | undefined> {
  const other = await sources.auxiliaryFor?.(session.modelId)
  if (!other || isFailure(other) || other.modelId === modelId) return undefined
  const setup = await resolveTurnSetup({ ...sources, engineFor: async () => other }, session)
  if (isFailure(setup)) return undefined
  const { engine, way, tools, profile } = setup
  return { engine, strategy: way.strategy, tools, contextTokens: profile.contextTokens }
}

/** The prompt of a session, and what `look` found about its sections, by name. */
type FrozenSections = { sections: readonly PromptText[]; found: ReadonlyMap<string, SectionFound> }

/** `title`: for a section that the prompt lacks. `stale`: the section would differ if built now. */
type SectionFound = { title: string; stale: boolean; leftOut?: LeftOut }

/**
 * Return the prompt of a session. It is built once per way of presenting tools and stored with the session.
 * So a resumed chat sends the same bytes, and its evaluated prefix stays valid. Another folder or toolset
 * means another prompt, and so do tools whose description changed with an update. A stored prompt with an
 * unsafe text is rebuilt. With `look`, nothing is stored, and `found` says what has changed and what was left
 * out.
 */
export async function frozenPrompt(
  sources: TurnSources,
  session: TurnSubject,
  setup: TurnSetup,
  why: 'freeze' | 'look',
): Promise<FrozenSections> {
  const { promptKey: key } = setup
  const stored = sources.sessions.frozenPrompt(session.id, key)
  const mayBeSent = ({ name, text }: PromptText) =>
    sources.sections.every(section => section.name !== name || (section.isSafe?.(text) ?? true))
  const kept = stored?.sections.every(mayBeSent) ? stored.sections : undefined
  if (kept && why === 'freeze') return { sections: kept, found: new Map() }

  // `look` describes what would be built now; a built prompt belongs to the tools of the turn.
  const { tools } = kept ? setup.fresh : setup
  const built = await buildPrompt(sources.sections, inputFor(session, setup, tools))
  const sections = kept ?? spokenSections(built)
  if (why === 'look') return { sections, found: new Map(findChanges(sections, built)) }
  const toolNames = setup.way.isDecided ? [] : tools.map(tool => tool.name)
  sources.sessions.freezePrompt(session.id, { key, sections: [...sections], toolNames })
  for (const { onStored } of built) onStored?.()
  return { sections, found: new Map() }
}

function inputFor(
  session: TurnSubject,
  { profile, edition, options, way: { strategy, trained, isDecided } }: TurnSetup,
  given: Turn['tools'],
): PromptInput {
  const tools = isDecided ? [] : given
  return {
    session,
    options,
    edition,
    contextTokens: profile.contextTokens,
    tools: trained ? knownTools(trained, tools) : tools,
    toolText: strategy.present(tools),
    ...(isDecided && { isDecided }),
    trained,
  }
}

/** How the sections of a chat differ from those that would be built now, and what was left out. */
function* findChanges(
  has: readonly PromptText[],
  built: Awaited<ReturnType<typeof buildPrompt>>,
): Generator<[string, SectionFound]> {
  const textIn = (sections: readonly PromptText[], name: string) =>
    sections.find(section => section.name === name)?.text ?? ''
  for (const { name, section, leftOut } of built) {
    const stale = !section.ignoredWhenStale && textIn(has, name) !== textIn(built, name)
    yield [name, { title: section.title, stale, ...(leftOut && { leftOut }) }]
  }
  // A section of a feature that is gone.
  for (const { name, title } of has)
    if (!built.some(section => section.name === name)) yield [name, { title, stale: true }]
}
