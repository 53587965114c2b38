import { skillManageTool } from './skill-manage.ts'
import { skillViewTool } from './skill-view.ts'
import { skillsListTool } from './skills-list.ts'
import { createSeen, type SkillToolParts } from './skill-tool-parts.ts'
import type { Tool } from './tool.ts'

/** The three tools that let a model find, load and write skills. */
export function skillTools(parts: SkillToolParts): Tool[] {
  const seen = createSeen()
  return [skillsListTool(parts), skillViewTool(parts, seen), skillManageTool(parts, seen)]
}
