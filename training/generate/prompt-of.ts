import { joinSections } from '../../src/main/agent/prompt.ts'
import { buildTrainedPrompt } from '../../src/main/builtin/trained-prompt.ts'
import { estimateTokens } from '../../src/main/models/estimate-tokens.ts'
import type { ToolSpec } from '../../src/main/models/engine.ts'
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
  return joinSections(
    buildTrainedPrompt(texts, {
      soul: '',
      tools,
      workspace,
      project: project ? [project] : [],
      memory: forChat(desk),
      skills: tools.length === 0 ? '' : section,
      today,
    }),
  )
}
