import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Session } from '../../shared/contract/session.ts'
import { projectContext } from '../agent/project-context.ts'
import { buildPrompt, type PromptMemory, type PromptSection, type PromptSkills } from '../agent/prompt.ts'
import { readStart } from '../agent/read-start.ts'
import { notesSection, userSection } from '../memory/memory-block.ts'
import type { MemoryForChat } from '../memory/memory.ts'
import { indexRoom } from '../skills/index-room.ts'
import { skillsSection } from '../skills/prompt-index.ts'
import type { Settled, TurnSources } from './settle.ts'

/** The prompt of a session; `stale` names the parts that would read differently if it were built now. */
export type FrozenSections = { sections: readonly PromptSection[]; stale: readonly PromptSection['name'][] }

/** Characters of files that become part of the prompt, by its edition. */
const LIMITS = {
  compact: { soul: 1_200, project: 1_500 },
  full: { soul: 8_000, project: 12_000 },
}

/**
 * The prompt of a session is built once for each way of presenting tools and kept with it, so that a resumed chat sends
 * the same bytes and the evaluated prefix stays good. Another workspace or toolset is another prompt, and so are tools
 * that a newer version describes in other words. With `look` nothing is kept, and what has changed since is told.
 */
export async function frozenPrompt(
  sources: TurnSources,
  session: Session,
  settled: Settled,
  why: 'freeze' | 'look',
): Promise<FrozenSections> {
  const { sessions, memory, now } = sources
  const { profile, way, edition, tools } = settled
  const toolNames = tools.map(tool => tool.name)
  const toolText = way.strategy.present(tools)
  const said = createHash('sha256').update(toolText).digest('hex').slice(0, 8)
  const { workspace } = session
  const key = JSON.stringify([profile.prompt, way.name, edition, workspace, toolNames, said])
  const kept = sessions.frozenPrompt(session.id, key)
  if (kept && why === 'freeze') return { sections: kept.sections, stale: [] }

  const limit = LIMITS[edition]
  const known = sources.usesMemory() ? memory.forChat(workspace) : undefined
  const sections = buildPrompt({
    frame: profile.prompt,
    edition,
    soul: (await readStart(join(sources.home, 'SOUL.md'), limit.soul)) ?? '',
    toolText,
    tools,
    workspace,
    project: await projectContext(workspace, limit.project),
    memory: known && promptMemory(known),
    skills: toolNames.includes('skill_view') ? promptSkills(sources, session, settled) : undefined,
    today: new Date(now()),
  })
  if (kept) return { sections: kept.sections, stale: changed(kept.sections, sections) }
  if (why === 'freeze') {
    sessions.freezePrompt(session.id, { key, sections, toolNames })
    // What is kept from the model was of no use to it.
    const entries = known ? [...known.user, ...known.notes, ...known.project] : []
    memory.used(entries.filter(entry => entry.blocked === null))
  }
  return { sections, stale: [] }
}

const promptMemory = (known: MemoryForChat): PromptMemory => ({
  user: userSection(known),
  notes: notesSection(known),
  entries: { user: textsOf(known.user), notes: textsOf([...known.notes, ...known.project]) },
})

function promptSkills(sources: TurnSources, { workspace }: Session, settled: Settled): PromptSkills {
  const skills = sources.skillsFor(workspace)
  const { engine, profile, edition } = settled
  const tokens = indexRoom(profile.contextTokens)
  const section = skillsSection(skills, { tokens, count: text => engine.count(text), edition })
  return { section, entries: skills.map(({ skill: { name, description } }) => ({ name, description })) }
}

const textsOf = (entries: readonly { text: string; blocked: string | null }[]): string[] =>
  entries.filter(entry => entry.blocked === null).map(entry => entry.text)

/** The day is not worth reading the whole prompt again; what is remembered may be. */
function changed(kept: readonly PromptSection[], present: readonly PromptSection[]): PromptSection['name'][] {
  const textOf = (sections: readonly PromptSection[], name: PromptSection['name']) =>
    sections.find(section => section.name === name)?.text ?? ''
  const names = new Set([...kept, ...present].map(section => section.name))
  names.delete('facts')
  return [...names].filter(name => textOf(kept, name) !== textOf(present, name))
}
