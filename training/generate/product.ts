import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../../src/shared/contract/chats/messages.ts'
import { createTrainedStrategy } from '../../src/main/builtin/trained-strategy.ts'
import { knownTools, readTrainedTexts, type TrainedTexts } from '../../src/main/builtin/trained-texts.ts'
import { findBest } from '../../src/main/chats/search/find-best.ts'
import { isRefusal } from '../../src/main/lib/expected-errors.ts'
import { bundledSkills } from '../../src/main/lib/disk/shipped-files.ts'
import type { ToolSpec, WireMessage } from '../../src/main/models/interface/engine.ts'
import { readSkillText } from '../../src/main/skills/files/read-skill.ts'
import { coreTools } from '../../src/main/tools/tool-lists.ts'
import { skillTools } from '../../src/main/skills/tools/skill-tools.ts'
import { memoryTool } from '../../src/main/memory/memory-tool.ts'
import { createRegistry, type Registry } from '../../src/main/tools/registry/registry.ts'
import { sessionSearchTool } from '../../src/main/chats/search/tool/session-search-tool.ts'
import { createDesk, type Desk, type DeskSkill } from './desk/desk.ts'
import { memoryOf } from './desk/memory-of.ts'
import { recallOf } from './desk/recall-of.ts'
import { skillsOf } from './desk/skills-of.ts'

/** What the built-in model was trained on, from the file beside its weights. */
export const texts: TrainedTexts = textsOrThrow()

function textsOrThrow(): TrainedTexts {
  const read = readTrainedTexts()
  if (isRefusal(read)) throw new Error(read.refused)
  return read
}

/** The way in which the built-in model is spoken to, as in the product. */
export const strategy = createTrainedStrategy(texts)

/** The product’s own tools, working on a desk in memory that each conversation lays out anew. */
export type Product = {
  registry: Registry
  /** The tools as the model is told of them. */
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
      best: async (_signal, ...given) => findBest(recalled, ...given),
      askRecap: async () => ({ refused: 'Nobody makes a recap here.' }),
      store: { ...recalled.store, marks: { ofMessages: () => [], ofTitles: () => [] } },
    }),
    ...skillTools(skillsOf(present)),
  ])
  return {
    registry,
    tools: knownTools(texts, registry.specs()).map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    })),
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
