import { factsText, guidanceText } from '../../src/main/agent/own-sections.ts'
import { joinSections, tidyText } from '../../src/main/agent/prompt.ts'
import { knownTools, presentTrainedTools } from '../../src/main/builtin/trained-texts.ts'
import { notesSection, userSection } from '../../src/main/memory/memory-block.ts'
import { estimateTokens } from '../../src/shared/text/estimate-tokens.ts'
import type { ToolSpec } from '../../src/main/models/interface/engine.ts'
import { trainedFolderText } from '../../src/main/runs/prompt/folder-section.ts'
import { indexTokenBudget, skillsSection } from '../../src/main/skills/prompt-index.ts'
import type { Desk } from './desk/desk.ts'
import { forChat } from './desk/memory-of.ts'
import { librarySkill } from './desk/skills-of.ts'
import { texts } from './product.ts'

/** What a prompt is built from, beside what lies on the desk. */
export type Around = {
  tools: readonly ToolSpec[]
  workspace: string
  today: Date
  project?: { file: string; text: string }
  /** The window of the model, which decides how much of the skills is told, and how tokens are counted. */
  contextTokens?: number
  count?(text: string): number
}

/** The frozen prompt of a chat, built by the product’s own functions in the way of `runs/prepare-turn.ts`. */
export function promptOf(desk: Desk, around: Around): string {
  const { tools, workspace, today, project, contextTokens = 2_048, count = estimateTokens } = around
  const skills = desk.skills.map(librarySkill)
  const section = skillsSection(skills, {
    tokens: indexTokenBudget(contextTokens),
    count,
    edition: 'compact',
    words: texts.sections.skills,
  })
  const { identity, guidance, sections: words } = texts
  const memory = forChat(desk)
  const parts = [
    identity,
    presentTrainedTools(texts, tools),
    guidanceText(guidance, knownTools(texts, tools)),
    userSection(memory, words),
    notesSection(memory, words),
    tools.length === 0 ? '' : section,
    trainedFolderText(words.project, project ? [project] : []),
    factsText(words.facts, today, workspace),
  ]
  return joinSections(parts.map(text => ({ text: tidyText(text) })))
}
