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

/** What turns are prepared from. */
export type TurnSources = {
  home: string
  sessions: Pick<Store['sessions'], 'frozenPrompt' | 'frozenPrompts' | 'freezePrompt'>
  /** What prompts are made of, from all features. */
  sections: readonly PromptSection[]
  registry: Registry
  projects?: ChatProjects | undefined
  toolsets?: ToolChoice | undefined
  /** Whether a tool is of use in a chat whose model has a window of this many tokens; without it each is. */
  mayOffer?: ((this: void, tool: string, session: TurnSubject, contextTokens: number) => boolean) | undefined
  connections?: ChatConnections | undefined
  engineFor(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** The same without any other model that would answer in its place. */
  engineAlone?(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** The engine for summaries of chats with that model; usually the same. */
  auxiliaryFor?(this: void, modelId: string): Promise<LlmEngine | EngineFailure>
  /** The references of a model that is a mixture; undefined for any other. */
  advisersOf?(this: void, modelId: string): Advisers | undefined
  /** Describes a picture for a chat whose model, of this id, does not see. */
  describePicture?:
    | ((this: void, modelId: string, ...given: Parameters<DescribeInTurn>) => ReturnType<DescribeInTurn>)
    | undefined
  /** What decides and speaks for a model that writes no sentences, in one turn, given the names of its tools. */
  guideFor?(this: void, session: TurnSubject, tools: readonly string[]): Guide
  maxIterations(this: void): number
  now(this: void): number
}

/** Which tools the chats have. Without it every chat has all. */
type ToolChoice = {
  /** The tools that are on in a chat whose model has a window of this many tokens. */
  namesFor(
    this: void,
    session: Pick<Session, 'workspace' | 'toolsets' | 'projectId'>,
    contextTokens: number,
  ): readonly string[]
  /** The toolsets in the order in which a small prompt keeps them. */
  order(this: void): readonly string[]
  /** The tools whose switches count from the next message on, also in a chat that has a prompt already. */
  atOnce(this: void): readonly string[]
  /** What the model reads when it calls a tool that was switched off; undefined when it was not. */
  whyOff(this: void, sessionId: string, tool: string): string | undefined
  /** The toolset of a tool that is off only because no person has said anything about it. */
  unchosen?(this: void, sessionId: string, tool: string): string | undefined
  /** Switch a toolset on as the person said, for one chat or for every one. */
  switchOn?(this: void, toolset: string, sessionId: string | undefined): void
}

/** What chats need to know of projects. */
type ChatProjects = {
  /** The project of a chat; undefined when it has none. */
  of(this: void, session: Pick<Session, 'projectId'>): Pick<Project, 'sampling'> | undefined
  /** The options of chats that parts of the host bring. */
  options?:
    | {
        list: readonly ChatOption[]
        /** What counts for a chat, by name. */
        valuesFor(
          this: void,
          session: Pick<Session, 'workspace' | 'projectId' | 'options'>,
        ): Readonly<Record<string, unknown>>
      }
    | undefined
}

/** What chats need to know of MCP servers. */
type ChatConnections = {
  /** What calls of a local model must fit, given the offered tools. */
  callable(this: void, sessionId: string, offered: Turn['tools']): Turn['tools']
}

/** Tools in the length that a prompt was made with. `promptKey` names that prompt. */
type OfferedTools = { tools: Turn['tools']; promptKey: string }

/** What determines the prompt of a session: model, strategy and tools. */
export type TurnSetup = OfferedTools & {
  engine: LlmEngine
  profile: ModelProfile
  registry: Registry
  way: ToolPresentation
  edition: 'compact' | 'full'
  /** The tools that a prompt would have if it were made now, and what of them did not fit, in words. */
  fresh: OfferedTools & { leftOut: string | undefined }
  /** What counts for the chat, of the options that parts of the host bring. */
  options: Readonly<Record<string, unknown>>
}

/** A chat as its prompt sees it. `named`: further options that name the prompt, with their values. */
type StyledSubject = TurnSubject & { named: readonly string[] }

/** Resolve what a session currently works with. A chat keeps the tools of its frozen prompt until that is rebuilt. */
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
  // The built-in model was trained on neither, so they name no other prompt of its.
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

/** The tools of a prompt that is made now. The built-in model has those that it knows, and the one that asks for it, at any length. */
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
    // Each server has a toolset of its own, such as `mcp-notes`.
    return may && mayBe && ![...both, toolset.split('-', 1)[0]!].some(each => without.includes(each))
  })
  const tools = registry.specs(session.approval === 'chat_only' ? [] : names)
  const key = (given: Turn['tools'], length?: ToolLength) => promptKey(session, way, edition, given, length)
  if (way.trained) {
    const told = new Set(knownTools(way.trained, tools).map(({ name }) => name))
    const usable = tools.filter(({ name }) => told.has(name) || (told.size > 0 && name === ASKING))
    return { tools: usable, promptKey: key(usable), leftOut: undefined }
  }
  // Its prompt tells of no tools, so it has all that are on, and stays the same when other ones are.
  if (way.isDecided)
    return { tools, promptKey: key([]), leftOut: tools.length === 0 ? undefined : behindText(tools.length) }
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
  }
}

/** Tokens of the part of a prompt about tools: its text, and what is sent beside it. */
function toolTokens({ strategy }: ToolPresentation, tools: Turn['tools']): number {
  // Servers and chat templates wrap each tool in this way.
  const attached = strategy.attach(tools).map(tool => ({ type: 'function', function: tool }))
  return estimateTokens(strategy.present(tools) + (attached.length > 0 ? JSON.stringify(attached) : ''))
}

/** What of the tools did not fit a prompt, and why, as the user reads it. */
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
 * The tools of the prompt that a chat has already, if they are still there as they were described. They stay when other
 * toolsets are on meanwhile, but for those whose switches count at once. A prompt whose tools no longer fit the window of another model
 * is not kept.
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
 * The name of a prompt: all that it depends on. The length of the tools is not in it in chats from before there were lengths. Chats
 * from before all models but the built-in one had the full tools get a new prompt.
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
  // There used to be a second kind of prompt. Its name stays in the key so that older chats keep their prompt.
  return JSON.stringify([
    'standard',
    way.name,
    edition,
    workspace,
    toolNames,
    said,
    ...(length === undefined ? [] : [`${length} tools`]),
    ...(way.trained ? [] : ['full tools']),
    // Each style has its own prompt, so going back to an earlier one finds what was evaluated then.
    ...(personality === '' ? [] : [`style ${personality}`]),
    // The same holds for what the user wrote for the chat, and for its project, whose own changes wait for *Apply here now*.
    ...(projectId === null ? [] : [`project ${projectId}`]),
    ...(instructions === '' ? [] : [`instructions ${shortHash(instructions)}`]),
    ...named,
  ])
}

/** The options of the product, as a chat itself has them, without those that name its prompt in words of their own. */
const OWN: readonly ChatOption[] = CHAT_OPTIONS.filter(
  ({ name }) => name !== 'personality' && name !== 'instructions',
)

/** The options that name a prompt, each with its value, unless that is its default. */
const namedBy = (list: readonly ChatOption[], values: Readonly<Record<string, unknown>>): string[] =>
  list.flatMap(({ name, default: usual, namesPrompt }) => {
    const value = JSON.stringify(values[name])
    return namesPrompt && value !== JSON.stringify(usual) ? [`option ${name} ${shortHash(value)}`] : []
  })

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)

/**
 * How tools are presented to the model. `name` distinguishes ways that produce different prompts. `trained`: the texts of a model that
 * knows only those. `isDecided`: the prompt tells of no tools, since a decider begins its calls.
 */
type ToolPresentation = { name: string; strategy: Strategy; trained?: TrainedTexts; isDecided?: true }

/** The tool with which the guide asks for a model that knows no such tool. */
const ASKING = 'ask_user'

const asData: ToolPresentation = { name: 'structured', strategy: structuredStrategy }

/** Whether the calls of a chat are begun by a decider, so that its prompt need not tell of tools. */
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
