import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { SkillRoot } from '../types.ts'
import type { Listed } from './index-roots.ts'
import { realFolder } from './walk-skill.ts'
import { walkRoots } from './walk-roots.ts'

/** Where projects keep skills. */
const IN_PROJECTS = ['.agents/skills', '.claude/skills', 'skills']
/** Stop counting unused skills here. */
const MOST_COUNTED = 2_000

/** The skill roots of a chat folder. */
export const rootsOfProject = (project: string): SkillRoot[] =>
  IN_PROJECTS.map((within): SkillRoot => {
    const folder = join(project, within)
    const key = createHash('sha256').update(folder).digest('hex').slice(0, 12)
    return { key: `project-${key}`, kind: 'project', folder, project }
  })

/** Chat folders with skills, and all trusted ones. Skills of untrusted folders are counted but not read. */
export function projectsOf(
  folders: readonly string[],
  trusted: readonly string[],
  skills: readonly Listed[],
): { folder: string; trusted: boolean; skills: number }[] {
  const projects = new Map<string, { folder: string; trusted: boolean; skills: number }>()
  for (const [index, folder] of [...trusted, ...folders].entries()) {
    const real = realFolder(folder)
    if (projects.has(real)) continue
    const isTrusted = index < trusted.length
    const count = isTrusted ? skills.filter(({ found }) => found.root.project === real).length : countIn(real)
    if (isTrusted || count > 0) projects.set(real, { folder, trusted: isTrusted, skills: count })
  }
  return [...projects.values()]
}

function countIn(folder: string): number {
  let count = 0
  for (const skill of walkRoots(rootsOfProject(folder), new Map(), {
    nodes: new Map(),
    unreadable: [],
    isRead: false,
  })) {
    if (skill && ++count === MOST_COUNTED) break
  }
  return count
}
