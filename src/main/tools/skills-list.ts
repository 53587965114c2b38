import { z } from 'zod'
import { oneLine } from '../skills/prompt-index.ts'
import type { LibrarySkill } from '../skills/types.ts'
import type { SkillToolParts } from './skill-tool-parts.ts'
import { defineTool, type ToolResult } from './tool.ts'

/** Up to this many skills are listed without grouping; more are grouped by category. */
const FEW = 20
const MOST_LINES = 100
const MOST_NAMES = 300
const LONGEST = 160
/** Group name for skills without a category. */
const UNSORTED = 'other'

/** The tool that lists the skills for a model. */
export function skillsListTool({ library, uses }: Pick<SkillToolParts, 'library' | 'uses'>) {
  return defineTool({
    name: 'skills_list',
    says: 'List the skills; with many, first their categories.',
    input: z.object({ category: z.string().optional() }),
    toolset: 'skills',
    risk: 'read',
    unavailable: () => (uses() ? undefined : SWITCHED_OFF),
    async intent({ category }, { workspace: folder }) {
      const title = category?.trim() ? `List the skills in ${oneLine(category, 60)}` : 'List the skills'
      return { title, detail: '', risk: 'read', inWorkspace: true, folder }
    },
    async run({ category }, { workspace }) {
      if (!uses()) return { ok: false, reason: SWITCHED_OFF }
      return list(library.forChat(workspace), tidy(category ?? ''))
    },
  })
}

/** Why chats have no skills. */
export const SWITCHED_OFF = 'The user has switched off skills for chats.'

function list(skills: readonly LibrarySkill[], category: string): ToolResult {
  if (skills.length === 0) return { ok: true, text: 'There are no skills.' }
  if (category === '' || category === '*' || category === 'all') {
    const tops = sizesBy(skills, each => topOf(categoryOf(each)))
    return { ok: true, text: skills.length <= FEW || tops.size === 1 ? linesOf(skills) : categoriesOf(tops) }
  }
  const within = skills.filter(each => isIn(categoryOf(each), category))
  if (within.length === 0) {
    const known = categoriesOf(sizesBy(skills, each => topOf(categoryOf(each))))
    return { ok: false, reason: `There is no category “${oneLine(category, 60)}”.\n${known}` }
  }
  const finer = sizesBy(within, categoryOf)
  return {
    ok: true,
    text: within.length > MOST_LINES && finer.size > 1 ? categoriesOf(finer) : linesOf(within),
  }
}

const tidy = (category: string): string =>
  category
    .slice(0, 200)
    .trim()
    .toLowerCase()
    .replace(/^\/+|\/+$/g, '')
const categoryOf = ({ skill }: LibrarySkill): string => tidy(skill.category) || UNSORTED
const topOf = (category: string): string => category.split('/')[0]!
const isIn = (category: string, wanted: string): boolean =>
  category === wanted || category.startsWith(`${wanted}/`)

function sizesBy(
  skills: readonly LibrarySkill[],
  keyOf: (skill: LibrarySkill) => string,
): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const skill of skills) sizes.set(keyOf(skill), (sizes.get(keyOf(skill)) ?? 0) + 1)
  return sizes
}

function categoriesOf(sizes: ReadonlyMap<string, number>): string {
  const sorted = [...sizes].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = sorted.slice(0, MOST_LINES).map(([category, size]) => `- ${oneLine(category, 120)} (${size})`)
  const more = sorted.length > MOST_LINES ? [`… and ${sorted.length - MOST_LINES} more categories.`] : []
  return ['Categories; list one with category:', ...lines, ...more].join('\n')
}

function linesOf(skills: readonly LibrarySkill[]): string {
  const lines = skills.slice(0, MOST_LINES).map(({ skill: { name, description } }) => {
    const says = oneLine(description, LONGEST)
    return says === '' ? `- ${oneLine(name, 80)}` : `- ${oneLine(name, 80)}: ${says}`
  })
  const rest = skills.slice(MOST_LINES)
  if (rest.length === 0) return lines.join('\n')
  const names = rest.slice(0, MOST_NAMES).map(({ skill }) => oneLine(skill.name, 80))
  const left = rest.length - names.length
  return [...lines, `Also: ${names.join(', ')}${left > 0 ? `, and ${left} more` : ''}.`].join('\n')
}
