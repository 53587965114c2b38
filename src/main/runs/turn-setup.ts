import type { TurnSubject } from '../../shared/contract/chats/session.ts'
import { createHash } from 'node:crypto'
import { CHAT_OPTIONS, type ChatOption } from '../../shared/contract/chats/chat-options.ts'
import type { Project } from '../../shared/contract/chats/projects.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { ORIGIN_RULES, rulesOf } from '../../shared/origin-rules.ts'
import type { Guide } from '../agent/guide.ts'
import type { PromptSection } from '../agent/prompt.ts'
import type { Strategy } from '../agent/strategies/strategy.ts'
import { structuredStrategy } from '../agent/strategies/structured.ts'
import { createTextStrategy } from '../agent/strategies/text.ts'
import type { DescribeInTurn, Turn } from '../agent/turn-types.ts'
import { fallbackFormat } from '../models/formats/format-table.ts'
import {
  isFailure,
  type EngineFailure,
  type LlmEngine,
  type ModelProfile,
} from '../models/interface/engine.ts'
import type { Store } from '../db/store.ts'
import type { Advisers } from '../models/mixtures/advisers.ts'
import { estimateTokens } from '../../shared/text/estimate-tokens.ts'
import {
  fitTools,
  lengthIn,
  shortenTool,
  toolTokenBudget,
  type FittedTools,
  type ToolLength,
} from '../tools/registry/fit-tools.ts'
import type { Registry } from '../tools/registry/registry.ts'
import { createTrainedStrategy } from '../builtin/trained-strategy.ts'
import { hasDecider } from '../builtin/decider/word-result.ts'
import { knownTools, readTrainedTexts, type TrainedTexts } from '../builtin/trained-texts.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { editionFor } from '../skills/prompt-index.ts'
import { byCount } from '../../shared/text/amounts.ts'

/** The sources of every turn. */
export type TurnSources = {
  home: string
  sessions: Pick<Store['sessions'], 'frozenPrompt' | 'frozenPrompts' | 'freezePrompt'>
  /** The prompt sections of all features. */
  sections: readonly PromptSection[]
  registry: Registry
  projects?: ChatProjects | undefined
  toolsets?: ToolChoice | undefined
  /** Whether a tool is useful in a chat with a context window of this many tokens; by default it is. */
  mayOffer?: ((this: void, tool: string, session: TurnSubject, contextTokens: number) => boolean) | undefined
  connections?: ChatConnections | undefined
  engineFor(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** Like `engineFor`, without any fallback to another model. */
  engineAlone?(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** The engine for summaries of chats with that model; usually the same engine. */
  auxiliaryFor?(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** The references of a mixture; undefined for any other model. */
  advisersOf?(this: void, modelId: string): Advisers | undefined
  /** Describes a picture for a chat whose model, with this id, has no vision. */
  describePicture?:
    | ((this: void, modelId: string, ...given: Parameters<DescribeInTurn>) => ReturnType<DescribeInTurn>)
    | undefined
  /** The guide for a model without sentences of its own, for one turn, given the names of its tools. */
  guideFor?(this: void, session: TurnSubject, tools: readonly string[]): Guide
  maxIterations(this: void): number
  now(this: void): number
}

/** The choice of tools for chats. Without it, every chat has all tools. */
type ToolChoice = {
  /** The tools that are on in a chat whose model has a context window of this many tokens. */
  namesFor(
    this: void,
    session: Pick<Session, 'workspace' | 'toolsets' | 'projectId'>,
    contextTokens: number,
  ): readonly string[]
  /** The toolsets, in the order in which a small prompt keeps them. */
  order(this: void): readonly string[]
  /** The tools whose switches apply from the next message on, even in a chat that already has a prompt. */
  atOnce(this: void): readonly string[]
  /** The text for a model that calls a tool which was switched off; undefined if it is on. */
  whyOff(this: void, sessionId: string, tool: string): string | undefined
  /** The toolset of a tool that is off only because the user has never decided about it. */
  unchosen?(this: void, sessionId: string, tool: string): string | undefined
  /** Note the toolsets that are on in a chat but do not fit its prompt, with the size of the window in tokens. */
  noteLeftOut?(this: void, sessionId: string, left: { names: readonly string[]; contextTokens: number }): void
  /** Switch a toolset on as the user decided, for one chat or for all. */
  switchOn?(this: void, toolset: string, sessionId: string | undefined): void
}

/** The facts about projects that chats need. */
type ChatProjects = {
  /** The project of a chat; undefined if it has none. */
  of(this: void, session: Pick<Session, 'projectId'>): Pick<Project, 'sampling'> | undefined
  /** The chat options that features of the host declare. */
  options?:
    | {
        list: readonly ChatOption[]
        /** The chat's values, by option name. */
        valuesFor(
          this: void,
          session: Pick<Session, 'workspace' | 'projectId' | 'options'>,
        ): Readonly<Record<string, unknown>>
      }
    | undefined
}

/** The facts about MCP servers that chats need. */
type ChatConnections = {
  /** The tools that a local model's calls must match, given the offered tools. */
  callable(this: void, sessionId: string, offered: Turn['tools']): Turn['tools']
}

/** Tools in the length with which a prompt was built. `promptKey` names that prompt. */
type OfferedTools = { tools: Turn['tools']; promptKey: string }

/** The setup that determines the prompt of a session: model, strategy and tools. */
export type TurnSetup = OfferedTools & {
  engine: LlmEngine
  profile: ModelProfile
  registry: Registry
  way: ToolPresentation
  edition: 'compact' | 'full'
  /** The tools of a prompt built now, and a text about those that did not fit. */
  fresh: OfferedTools & { leftOut: string | undefined; toolsetsLeftOut: readonly string[] }
  /** The chat's values of options that features of the host declare. */
  options: Readonly<Record<string, unknown>>
}

/** A chat as its prompt sees it. `named`: further options in the name of the prompt, with their values. */
type StyledSubject = TurnSubject & { named: readonly string[] }

/** Resolve a session's current setup. A chat keeps the tools of its frozen prompt until that is rebuilt. */
export async function resolveTurnSetup(
  sources: TurnSources,
  session: TurnSubject,
): Promise<TurnSetup | EngineFailure> {
  const { keepsModel } = rulesOf(session)
  const engine = await ((keepsModel && sources.engineAlone) || sources.engineFor)(session.modelId)
  if (isFailure(engine)) return engine
  const profile = await engine.profile()
  if (isFailure(profile)) return profile
  const way = profile.guided
    ? asTrained(engine.name)
    : profile.strategy === 'text'
      ? inText(profile, engine.name, beginsDecided(session, profile))
      : asData
  if (isFailure(way)) return way
  const edition = editionFor(profile.contextTokens)
  // The built-in model was trained on none of these options, so they must not change its prompt.
  const options = sources.projects?.options?.valuesFor(session) ?? {}
  const styled: StyledSubject = profile.guided
    ? { ...session, personality: '', instructions: '', named: [] }
    : {
        ...session,
        named: [...namedBy(OWN, session), ...namedBy(sources.projects?.options?.list ?? [], options)],
      }
  const fresh = freshTools(sources, styled, profile, way, edition)
  const kept =
    sources.sessions.frozenPrompt(session.id, fresh.promptKey) === undefined
      ? keptTools(sources, styled, profile, way, edition, fresh.tools)
      : undefined
  return {
    engine,
    profile,
    registry: sources.registry,
    way,
    edition,
    options,
    fresh,
    ...(kept ?? fresh),
  }
}

/** The tools of a prompt built now. The built-in model gets those that it knows, and `ask_user`. */
function freshTools(
  { registry, toolsets, mayOffer }: TurnSources,
  session: StyledSubject,
  { contextTokens }: ModelProfile,
  way: ToolPresentation,
  edition: TurnSetup['edition'],
): TurnSetup['fresh'] {
  const { without } = rulesOf(session)
  const { onlyTools } = session
  const all = toolsets?.namesFor(session, contextTokens) ?? registry.names
  const chosen = toolsets?.atOnce() ?? []
  const tooSmall = new Set(
    all
      .filter(name => chosen.includes(name) && mayOffer?.(name, session, contextTokens) === false)
      .map(name => registry.get(name)!.toolset),
  )
  const names = all.filter(name => {
    const toolset = registry.get(name)?.toolset ?? ''
    const both = [name, toolset]
    const may = onlyTools.length === 0 || both.some(each => onlyTools.includes(each))
    const mayBe = mayOffer?.(name, session, contextTokens) ?? true
    // Each server has its own toolset, such as `mcp-notes`.
    return may && mayBe && ![...both, toolset.split('-', 1)[0]!].some(each => without.includes(each))
  })
  const tools = registry.specs(session.approval === 'chat_only' ? [] : names)
  const key = (given: Turn['tools'], length?: ToolLength) => promptKey(session, way, edition, given, length)
  if (way.trained) {
    const told = new Set(knownTools(way.trained, tools).map(({ name }) => name))
    const usable = tools.filter(({ name }) => told.has(name) || (told.size > 0 && name === ASKING))
    return { tools: usable, promptKey: key(usable), leftOut: undefined, toolsetsLeftOut: [] }
  }
  // The prompt describes no tools: all that are on are available, and switching others keeps the prompt.
  if (way.isDecided)
    return {
      tools,
      promptKey: key([]),
      leftOut: tools.length === 0 ? undefined : behindText(tools.length),
      toolsetsLeftOut: [],
    }
  const most = toolTokenBudget(contextTokens)
  const fitted = fitTools(tools, {
    toolsetOf: name => registry.get(name)?.toolset ?? '',
    order: toolsets?.order() ?? [],
    count: given => toolTokens(way, given),
    most,
  })
  return {
    tools: fitted.tools,
    promptKey: key(fitted.tools, fitted.length),
    leftOut: leftOutText(fitted, most, [...tooSmall]),
    toolsetsLeftOut: [...tooSmall, ...fitted.leftOut],
  }
}

/** Tokens of the tools in a prompt: the text about them, and the tools that are sent as data. */
function toolTokens({ strategy }: ToolPresentation, tools: Turn['tools']): number {
  // Servers and chat templates wrap each tool like this.
  const attached = strategy.attach(tools).map(tool => ({ type: 'function', function: tool }))
  return estimateTokens(strategy.present(tools) + (attached.length > 0 ? JSON.stringify(attached) : ''))
}

/** Which tools did not fit into a prompt, and why, as text for the user. */
function leftOutText(
  { length, leftOut }: FittedTools,
  most: number,
  tooSmall: readonly string[],
): string | undefined {
  const small =
    tooSmall.length > 0
      ? `${byCount(tooSmall.length, 'the toolset', 'the toolsets')} ${tooSmall.join(', ')}, because the context window is too small for what it brings.`
      : undefined
  if (length === 'whole') return small
  const what =
    leftOut.length > 0
      ? `${byCount(leftOut.length, 'the toolset', 'the toolsets')} ${leftOut.join(', ')}`
      : length === 'short'
        ? 'the longer descriptions of the tools'
        : 'most of the descriptions of the tools'
  const rest = `${what}, because tools may take at most ${formatCount(most)} tokens, which is 15 % of the context window.`
  return small === undefined ? rest : `${small} Also ${rest}`
}

const formatCount = (count: number) => count.toLocaleString('en-US')

/**
 * The tools of a prompt that the chat already has, if they still exist with the same descriptions. They stay
 * even if other toolsets are on by now, except for tools whose switches apply from the next message on. A
 * prompt whose tools no longer fit another model's window is not kept.
 */
function keptTools(
  { registry, sessions, toolsets }: TurnSources,
  session: StyledSubject,
  { contextTokens }: ModelProfile,
  way: ToolPresentation,
  edition: TurnSetup['edition'],
  now: Turn['tools'],
): OfferedTools | undefined {
  const atOnce = way.trained ? [] : (toolsets?.atOnce() ?? [])
  const isOn = (name: string) => now.some(tool => tool.name === name)
  const stored = sessions
    .frozenPrompts(session.id)
    .toSorted((a, b) => b.toolNames.length - a.toolNames.length)
  for (const { key, toolNames } of stored) {
    // Only a chat in the mode “chat only” keeps a prompt without tools.
    if ((toolNames.length === 0) !== (session.approval === 'chat_only')) continue
    if (atOnce.some(name => toolNames.includes(name) !== isOn(name))) continue
    const length = lengthIn(key)
    const tools = registry.specs(toolNames).map(tool => shortenTool(tool, length ?? 'whole'))
    const isSame = key === promptKey(session, way, edition, tools, length)
    const fits = length === undefined || toolTokens(way, tools) <= toolTokenBudget(contextTokens)
    if (isSame && fits) return { tools, promptKey: key }
  }
  return undefined
}

/**
 * The name of a prompt: everything that it depends on. Chats from before tools had lengths have no length in
 * it. Chats from before all models except the built-in one had the full tools get a new prompt.
 */
function promptKey(
  { workspace, personality, projectId, instructions, named }: StyledSubject,
  way: ToolPresentation,
  edition: TurnSetup['edition'],
  tools: Turn['tools'],
  length?: ToolLength,
): string {
  const said = shortHash(way.strategy.present(tools))
  const toolNames = (way.trained ? knownTools(way.trained, tools) : tools).map(tool => tool.name)
  // There used to be a second kind of prompt. Its name stays in the key, so older chats keep their prompt.
  return JSON.stringify([
    'standard',
    way.name,
    edition,
    workspace,
    toolNames,
    said,
    ...(length === undefined ? [] : [`${length} tools`]),
    ...(way.trained ? [] : ['full tools']),
    // Each style has its own prompt, so that returning to a style finds its evaluated prefix.
    ...(personality === '' ? [] : [`style ${personality}`]),
    // The same applies to the user's instructions for the chat, and to its project. Changes to the project
    // itself wait for *Apply here now*.
    ...(projectId === null ? [] : [`project ${projectId}`]),
    ...(instructions === '' ? [] : [`instructions ${shortHash(instructions)}`]),
    ...named,
  ])
}

/** Talaria's own chat options, without those that are named separately in the prompt's name. */
const OWN: readonly ChatOption[] = CHAT_OPTIONS.filter(
  ({ name }) => name !== 'personality' && name !== 'instructions',
)

/** The options in the name of a prompt, each with its value, unless the value is the default. */
const namedBy = (list: readonly ChatOption[], values: Readonly<Record<string, unknown>>): string[] =>
  list.flatMap(({ name, default: usual, namesPrompt }) => {
    const value = JSON.stringify(values[name])
    return namesPrompt && value !== JSON.stringify(usual) ? [`option ${name} ${shortHash(value)}`] : []
  })

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/**
 * How tools are presented to the model. `name` distinguishes presentations that produce different prompts.
 * `trained`: the texts of a model that knows only those. `isDecided`: the prompt describes no tools, because
 * a decider begins the calls.
 */
type ToolPresentation = { name: string; strategy: Strategy; trained?: TrainedTexts; isDecided?: true }

/** The tool with which the guide asks questions, for a model that does not know this tool. */
const ASKING = 'ask_user'

const asData: ToolPresentation = { name: 'structured', strategy: structuredStrategy }

/** Whether a decider begins the calls of a chat, so that its prompt need not describe tools. */
const beginsDecided = ({ approval, decider, origin }: TurnSubject, profile: ModelProfile): boolean =>
  approval !== 'chat_only' && ORIGIN_RULES[origin].asks !== 'parent' && hasDecider(decider, profile)

const behindText = (count: number): string =>
  `${byCount(count, 'the description of the tool that is on', `the descriptions of the ${count} tools that are on`)}: the decider chooses the tool of a message. The description of a tool is only sent while the model writes a call of it, behind the chat.`

function inText(profile: ModelProfile, model: string, isDecided: boolean): ToolPresentation {
  const { format = fallbackFormat, toolRole = false } = profile
  const options = { format, toolRole, edition: editionFor(profile.contextTokens), model } as const
  return {
    name: `text ${typeof format === 'string' ? format : JSON.stringify(format)}${isDecided ? ', decided' : ''}`,
    strategy: createTextStrategy(options),
    ...(isDecided && { isDecided: true as const }),
  }
}

function asTrained(model: string): ToolPresentation | EngineFailure {
  const trained = readTrainedTexts()
  if (isRefusal(trained)) return { code: 'model_unreadable', text: trained.refused, fix: REINSTALL }
  return { name: 'text hermes', strategy: createTrainedStrategy(trained, model), trained }
}

const REINSTALL = 'Install Talaria again, or choose another model on the Models page.'
