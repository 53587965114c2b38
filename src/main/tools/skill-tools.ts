import { skillManageTool } from './skill-manage.ts'
import { skillViewTool } from './skill-view.ts'
import { skillsListTool } from './skills-list.ts'
import type { SkillToolParts } from './skills-parts.ts'
import { createSeen } from './skills-seen.ts'
import type { Tool } from './tool.ts'

/** Make the three tools with which a model finds, loads and writes skills. */
export function skillTools(parts: SkillToolParts): Tool[] {
  const seen = createSeen()
  return [skillsListTool(parts), skillViewTool(parts, seen), skillManageTool(parts, seen)]
}
