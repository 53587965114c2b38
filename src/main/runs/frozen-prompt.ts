import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Session } from '../../shared/contract/session.ts'
import { projectContext } from '../agent/project-context.ts'
import { estimateTokens } from '../llm/estimate-tokens.ts'
import { buildPrompt, type PromptMemory, type PromptSection } from '../agent/prompt.ts'
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
  const { way, edition, tools } = settled
  const toolNames = tools.map(tool => tool.name)
  const toolText = way.strategy.present(tools)
  const said = createHash('sha256').update(toolText).digest('hex').slice(0, 8)
  const { workspace } = session
  // There was another kind of prompt once; with its name in the key, chats of that time keep what they have.
  const key = JSON.stringify(['standard', way.name, edition, workspace, toolNames, said])
  const kept = sessions.frozenPrompt(session.id, key)
  if (kept && why === 'freeze') return { sections: kept.sections, stale: [] }

  const limit = LIMITS[edition]
  const known = sources.usesMemory() ? memory.forChat(workspace) : undefined
  const sections = buildPrompt({
    edition,
    soul: (await readStart(join(sources.home, 'SOUL.md'), limit.soul)) ?? '',
    toolText,
    tools,
    workspace,
    project: await projectContext(workspace, limit.project),
    memory: known && promptMemory(known),
    skills: toolNames.includes('skill_view') ? promptSkills(sources, session, settled) : '',
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
})

function promptSkills(sources: TurnSources, { workspace }: Session, settled: Settled): string {
  const skills = sources.skillsFor(workspace)
  const { profile, edition } = settled
  const tokens = indexRoom(profile.contextTokens)
  // Not what the engine counts: that changes when the model is loaded, and equal chats begin with equal bytes.
  return skillsSection(skills, { tokens, count: estimateTokens, edition })
}

/** The day is not worth reading the whole prompt again; what is remembered may be. */
function changed(kept: readonly PromptSection[], present: readonly PromptSection[]): PromptSection['name'][] {
  const textOf = (sections: readonly PromptSection[], name: PromptSection['name']) =>
    sections.find(section => section.name === name)?.text ?? ''
  const names = new Set([...kept, ...present].map(section => section.name))
  names.delete('facts')
  return [...names].filter(name => textOf(kept, name) !== textOf(present, name))
}
