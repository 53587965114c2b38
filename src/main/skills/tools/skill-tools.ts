import type { Tool } from '../../tools/registry/tool.ts'
import { skillManageTool } from './skill-manage.ts'
import { createSeen, type SkillToolParts } from './skill-tool-parts.ts'
import { skillViewTool } from './skill-view.ts'
import { skillsListTool } from './skills-list.ts'

/** The three tools that let a model find, load and write skills. They share what each session has seen. */
export function skillTools(parts: SkillToolParts): Tool[] {
  const seen = createSeen()
  return [skillsListTool(parts), skillViewTool(parts, seen), skillManageTool(parts, seen)]
}
