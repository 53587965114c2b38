import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../../src/shared/contract/messages.ts'
import { findChats } from '../../src/main/chats/search/find-chats.ts'
import { createTextStrategy } from '../../src/main/agent/strategies/text.ts'
import { bundledSkills } from '../../src/main/lib/shipped-files.ts'
import type { ToolSpec, WireMessage } from '../../src/main/models/engine.ts'
import { readSkillText } from '../../src/main/skills/files/read-skill.ts'
import { coreTools, skillTools } from '../../src/main/tools/tool-lists.ts'
import { memoryTool } from '../../src/main/tools/memory.ts'
import { createRegistry, type Registry } from '../../src/main/tools/registry.ts'
import { sessionSearchTool } from '../../src/main/tools/session-search.ts'
import { createDesk, type Desk, type DeskSkill } from './desk/desk.ts'
import { memoryOf } from './desk/memory-of.ts'
import { recallOf } from './desk/recall-of.ts'
import { skillsOf } from './desk/skills-of.ts'

/** The way in which the built-in model is spoken to: its template has no place for results of tools. */
export const strategy = createTextStrategy({ format: 'hermes', toolRole: false, edition: 'compact' })

/** The product’s own tools, working on a desk in memory that each conversation lays out anew. */
export type Product = {
  registry: Registry
  tools: readonly ToolSpec[]
  /** Work on this desk from now on. */
  use(desk: Desk): void
}

/** Make the tools in the order in which the host offers them. */
export function openProduct(): Product {
  let desk = createDesk()
  const present = () => desk
  const memory = memoryOf(present)
  const recalled = recallOf(present)
  const registry = createRegistry([
    ...coreTools({ timeout_s: 30 }),
    memoryTool(memory),
    sessionSearchTool({
      find: async (_signal, ...given) => findChats(recalled, ...given),
      store: { ...recalled.store, marks: { ofMessages: () => [], ofTitles: () => [] } },
    }),
    ...skillTools(skillsOf(present)),
  ])
  return {
    registry,
    tools: registry.specs(),
    use(given) {
      desk = given
    },
  }
}

/** A conversation as the engine gets it. */
export const render = (system: string, history: readonly Message[]): WireMessage[] =>
  strategy.render(system, history)

/** The skills that ship, as they are on the disk. */
export function readBundled(): DeskSkill[] {
  const folder = bundledSkills()
  return readdirSync(folder)
    .toSorted()
    .map(name => {
      const text = readFileSync(join(folder, name, 'SKILL.md'), 'utf8')
      return { name, description: readSkillText(text, name).fields.description, text, isBundled: true }
    })
}

/** The sha256 of a text, in hex. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
