import { listFiles } from './list-files.ts'
import { patchFile } from './patch-file.ts'
import { readFile } from './read-file.ts'
import { searchFiles } from './search-files.ts'
import { terminalTool } from './terminal.ts'
import type { Tool } from './tool.ts'
import { writeFile } from './write-file.ts'
import { skillManageTool } from './skill-manage.ts'
import { skillViewTool } from './skill-view.ts'
import { skillsListTool } from './skills-list.ts'
import { createSeen, type SkillToolParts } from './skill-tool-parts.ts'

/** The tools available to every chat. */
export const coreTools = (config: { timeout_s: number }): Tool[] => [
  terminalTool(config),
  readFile,
  writeFile,
  patchFile,
  listFiles,
  searchFiles(),
]

/** The three tools that let a model find, load and write skills. */
export function skillTools(parts: SkillToolParts): Tool[] {
  const seen = createSeen()
  return [skillsListTool(parts), skillViewTool(parts, seen), skillManageTool(parts, seen)]
}
