import { join } from 'node:path'
import { ORIGIN_RULES } from '../../shared/origin-rules.ts'
import { optionNamed } from '../../shared/contract/chat-options.ts'
import type { PromptSection as ShownSection } from '../../shared/contract/session.ts'
import { resolveOption } from '../../shared/resolve-option.ts'
import {
  joinSections,
  buildPrompt,
  projectText,
  type ProjectFile,
  type PromptMemory,
  type PromptSection,
} from '../agent/prompt.ts'
import type { Summariser, Turn } from '../agent/turn-types.ts'
import { buildTrainedPrompt } from '../builtin/trained-prompt.ts'
import { knownTools } from '../builtin/trained-texts.ts'
import { isFailure, type EngineFailure, type ModelProfile } from '../models/engine.ts'
import { resolveTurnSetup, type TurnSources, type TurnSetup, type TurnSubject } from './turn-setup.ts'
import { findPersonality } from './personalities.ts'
import { readInstructions } from './instruction-files/read-instructions.ts'
import { estimateTokens } from '../models/estimate-tokens.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { redactText } from '../lib/redact.ts'
import { readFileStart } from '../lib/read-file-start.ts'
import { letOthersRun } from '../lib/timing.ts'
import { unsafeReason } from '../memory/unsafe-text.ts'
import { notesSection, userSection } from '../memory/memory-block.ts'
import type { MemoryForChat } from '../memory/open-memory.ts'
import { offeredBy } from '../tools/registry.ts'
import { indexTokenBudget, skillsSection } from '../skills/prompt-index.ts'

/** A turn without the id of the message to answer. */
export type PreparedTurn = Omit<Turn, 'askedId'>

/** Resolve everything that one turn of a session needs: engine, strategy, tools and the frozen prompt. */
export async function prepareTurn(
  sources: TurnSources,
  session: TurnSubject,
): Promise<PreparedTurn | EngineFailure> {
  const setup = await resolveTurnSetup(sources, session)
  if (isFailure(setup)) return setup
  const { engine, profile, way, tools, registry } = setup
  const { toolsets, connections } = sources
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
    contextTokens: profile.contextTokens,
    plainTokens: profile.plainTokens,
    maxIterations: Math.min(
      sources.maxIterations(),
      ORIGIN_RULES[session.origin].mostSteps ?? Infinity,
      profile.guided ? BUILTIN_STEPS : Infinity,
    ),
    ...answering(sources, session, profile),
    options: setup.options,
    ...(connections && { callable: () => connections.callable(session.id, tools) }),
    ...(toolsets && { whyOff: tool => toolsets.whyOff(session.id, tool) }),
    ...(sources.auxiliaryFor && { summariser: () => summariserFor(sources, session, engine) }),
  }
}

/** Who speaks for a model that writes no sentences of its own. */
function guided(
  sources: TurnSources,
  session: TurnSubject,
  { profile, tools }: TurnSetup,
): Pick<Turn, 'guide'> {
  if (!profile.guided || !sources.guideFor) return {}
  const names = tools.map(({ name }) => name)
  return { guide: sources.guideFor(session, names) }
}

/** Steps of the built-in model: nothing that it was trained on takes as many. */
const BUILTIN_STEPS = 20

/** How the replies of a chat are sampled. The built-in model is only accurate as it is. */
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

type LeftOut = NonNullable<ShownSection['leftOut']>

/** The prompt of a session; `stale` lists sections that would differ if it were built now. */
type FrozenSections = {
  sections: readonly PromptSection[]
  stale: readonly PromptSection['name'][]
  /** What of the user's and the folder's instructions did not enter the prompt, and why. Known with `look` only. */
  leftOut: LeftOuts
}

/** By the section that it would have been in. */
type LeftOuts = Partial<Record<PromptSection['name'], LeftOut>>

/** Maximum characters of files in the prompt, by edition. */
const LIMITS = {
  compact: { soul: 1_200, project: 1_500, instructions: 2_000 },
  full: { soul: 8_000, project: 12_000, instructions: 8_000 },
}

/**
 * The prompt of a session is built once per way of presenting tools and stored with it, so that a resumed chat
 * sends the same bytes and its evaluated prefix stays valid. Another folder or toolset means another prompt,
 * and so do tools whose description changed with an update. A stored prompt whose project text is not safe is built again.
 * With `look`, nothing is stored, and `stale` reports what has changed.
 */
export async function frozenPrompt(
  sources: TurnSources,
  session: TurnSubject,
  setup: TurnSetup,
  why: 'freeze' | 'look',
): Promise<FrozenSections> {
  const { sessions, memory, now } = sources
  const { way, edition } = setup
  const { workspace } = session
  const key = setup.promptKey
  const stored = sessions.frozenPrompt(session.id, key)
  const isSound = stored?.sections.every(
    each => each.name !== 'project' || unsafeReason(each.text, 'project') === undefined,
  )
  const kept = isSound ? stored : undefined
  if (kept && why === 'freeze') return { sections: kept.sections, stale: [], leftOut: {} }

  // A look says what would be built now; a prompt that is built belongs to the tools that the turn uses.
  const { tools } = kept ? setup.fresh : setup
  const toolNames = tools.map(tool => tool.name)
  const limit = LIMITS[edition]
  const known =
    sources.usesMemory() && ORIGIN_RULES[session.origin].readsMemory
      ? chosenNotes(
          memory.forChat(sources.projects?.notesOf(session) ?? workspace),
          sources.notesFor?.(session),
        )
      : undefined
  const { project, leftOut } = await safeProject(sources, workspace, limit.project)
  // It looks for servers of the folder also where no tool reaches them yet.
  const connections = sources.connections?.section(session.id) ?? ''
  const around = {
    soul: (await readFileStart(join(sources.home, 'SOUL.md'), limit.soul)) ?? '',
    tools,
    workspace,
    project,
    skills: toolNames.includes('skill_view') ? await promptSkills(sources, session, setup, tools) : '',
    today: new Date(now()),
  }
  const sections = way.trained
    ? buildTrainedPrompt(way.trained, { ...around, memory: known })
    : buildPrompt({
        ...around,
        edition,
        toolText: way.strategy.present(tools),
        memory: known && promptMemory(known),
        connections: toolNames.includes('find_tool') ? connections : '',
        projectInstructions: {
          project: sources.projects?.of(session)?.name ?? '',
          text: cutTo(limit.instructions, setup.instructions.project),
        },
        instructions: cutTo(limit.instructions, setup.instructions.chat),
        style: setup.style === '' ? '' : await textOfStyle(sources.home, setup.style),
      })
  if (kept)
    return {
      sections: kept.sections,
      stale: changed(kept.sections, sections),
      leftOut: {
        ...(leftOut && { project: leftOut }),
        ...unused(sources, session, setup, limit.instructions),
      },
    }
  if (why === 'freeze') {
    sessions.freezePrompt(session.id, { key, sections, toolNames })
    // Blocked entries are hidden from the model, so they do not count as used.
    const entries = known ? [...known.user, ...known.notes, ...known.project] : []
    memory.used(entries.filter(entry => entry.blocked === null))
  }
  return {
    sections,
    stale: [],
    leftOut: { ...(leftOut && { project: leftOut }), ...unused(sources, session, setup, limit.instructions) },
  }
}

const cutTo = (limit: number, text: string) =>
  text.length > limit ? `${text.slice(0, limit).toWellFormed()}\n[cut here: the instructions go on]` : text

/** What of the instructions of the user did not enter the prompt, and why. */
function unused(
  { projects }: Pick<TurnSources, 'projects'>,
  session: TurnSubject,
  { instructions, profile }: TurnSetup,
  limit: number,
): LeftOuts {
  const why = (written: string, used: string): LeftOut | undefined => {
    if (written !== '' && profile.guided)
      return {
        text: 'all of it, because the built-in model was not trained to follow instructions.',
        untrusted: false,
      }
    if (used.length <= limit) return undefined
    const text = `its end: only the first ${limit.toLocaleString('en-US')} characters fit.`
    return { text, untrusted: false }
  }
  const ofProject = why(projects?.of(session)?.instructions ?? '', instructions.project)
  const ofChat = why(session.instructions, instructions.chat)
  return { ...(ofProject && { project_instructions: ofProject }), ...(ofChat && { instructions: ofChat }) }
}

/** The notes of the parts of the notebook that were chosen; all without a choice. */
const chosenNotes = (known: MemoryForChat, chosen: readonly string[] | undefined): MemoryForChat => ({
  ...known,
  user: !chosen || chosen.includes('user') ? known.user : [],
  notes: !chosen || chosen.includes('memory') ? known.notes : [],
  project: !chosen || chosen.includes('project') ? known.project : [],
})

/** What the folders of a chat say to agents, if the user trusts them and the texts are safe; and what was left out. */
async function safeProject(
  { home, trusts }: Pick<TurnSources, 'home' | 'trusts'>,
  workspace: string,
  limit: number,
): Promise<{ project: readonly ProjectFile[]; leftOut: LeftOut | undefined }> {
  const unsafe = (text: string) => unsafeReason(text, 'project')
  const { files, notUsed, untrusted } = await readInstructions(workspace, limit, { home, trusts, unsafe })
  const project = files.map(each => ({ ...each, text: redactText(each.text) }))
  // Parts that are harmless alone may be an attack together, with or without the headings between them.
  const together = unsafe(projectText(project)) ?? unsafe(project.map(({ text }) => text).join('\n'))
  const reasons =
    together === undefined ? notUsed : [...notUsed, `all the rest, because together it ${together}.`]
  return {
    project: together === undefined ? project : [],
    leftOut: reasons.length > 0 ? { text: reasons.join('\n'), untrusted } : undefined,
  }
}

/** Empty when its file is gone or cannot be used any more. */
async function textOfStyle(home: string, name: string): Promise<string> {
  const found = await findPersonality(home, name)
  return isRefusal(found) ? '' : found.text
}

const promptMemory = (known: MemoryForChat): PromptMemory => ({
  user: userSection(known),
  notes: notesSection(known),
})

async function promptSkills(
  sources: TurnSources,
  session: TurnSubject,
  { profile, edition, registry, way: { trained } }: TurnSetup,
  tools: Turn['tools'],
): Promise<string> {
  const told = (trained ? knownTools(trained, tools) : tools).map(({ name }) => name)
  const skills = await sources.skillsFor(session, offeredBy(registry, told))
  const tokens = indexTokenBudget(profile.contextTokens)
  // Not the engine's own count: it changes once the model is loaded, and equal chats must start with equal
  // bytes.
  return skillsSection(skills, {
    tokens,
    count: estimateTokens,
    edition,
    words: trained?.sections.skills,
  })
}

/** A new day alone is not worth evaluating the whole prompt again; changed memory may be. */
function changed(kept: readonly PromptSection[], present: readonly PromptSection[]): PromptSection['name'][] {
  const textOf = (sections: readonly PromptSection[], name: PromptSection['name']) =>
    sections.find(section => section.name === name)?.text ?? ''
  const names = new Set([...kept, ...present].map(section => section.name))
  names.delete('facts')
  return [...names].filter(name => textOf(kept, name) !== textOf(present, name))
}
