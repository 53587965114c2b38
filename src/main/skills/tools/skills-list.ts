import { z } from 'zod'
import { relatedOf } from '../files/prerequisites.ts'
import { editionFor, oneLine } from '../prompt-index.ts'
import type { LibrarySkill } from '../skill-types.ts'
import type { SkillToolParts } from './skill-tool-parts.ts'
import { defineTool, type ToolContext, type ToolResult } from '../../tools/registry/tool.ts'
import { tellSkills } from './tell-skills.ts'

/** Up to this many skills are listed without grouping; more are grouped by category. */
const FEW = 20
const MOST_LINES = 100
const MOST_NAMES = 300
const LONGEST = 160
/** Maximum length of a description in the specification, used if the context window has room for it. */
const LONGEST_FULL = 1_024
const MOST_SHOWN = 5
/** Group name for skills without a category. */
const UNSORTED = 'other'

/** The tool that lists the skills for a model. */
export function skillsListTool({
  library,
  uses,
  onlyIn = () => null,
}: Pick<SkillToolParts, 'library' | 'uses' | 'onlyIn'>) {
  const skillsOf = ({ sessionId, workspace, offered }: ToolContext) => {
    const only = onlyIn(sessionId)
    const known = library.forChat(workspace, offered)
    return only ? known.filter(({ skill }) => only.includes(skill.name)) : known
  }
  return defineTool({
    name: 'skills_list',
    tell: tellSkills,
    says: 'List the skills with their tags; with many, first their categories. query looks in names, descriptions and tags.',
    input: z.object({ category: z.string().optional(), query: z.string().optional() }),
    toolset: 'skills',
    risk: 'read',
    unavailable: () => (uses() ? undefined : SWITCHED_OFF),
    async intent({ category, query }, { workspace: folder }) {
      const about = query?.trim() ? ` about “${oneLine(query, 60)}”` : ''
      const within = category?.trim() ? ` in ${oneLine(category, 60)}` : ''
      return {
        title: `List the skills${about}${within}`,
        detail: '',
        risk: 'read',
        inWorkspace: true,
        folder,
      }
    },
    async run({ category = '', query = '' }, context) {
      const { contextTokens = 0 } = context
      if (!uses()) return { ok: false, reason: SWITCHED_OFF }
      const skills = skillsOf(context)
      const wanted = wordsOf(query)
      const found = matching(skills, wanted)
      if (wanted.length > 0 && found.length === 0)
        return {
          ok: false,
          reason: `No skill is about “${oneLine(query, 60)}”. Without query all are listed.`,
        }
      const longest = editionFor(contextTokens) === 'full' ? LONGEST_FULL : LONGEST
      const lineOf = (skill: LibrarySkill) => fullLine(skill, longest)
      // A search lists its results, not their categories.
      if (wanted.length > 0) return { ok: true, text: linesOf(found, lineOf) }
      return list(skills, tidy(category), lineOf)
    },
  })
}

const wordsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.slice(0, 20) ?? []

/** The skills with all words in name, description, category or tags; if none, those with some words. */
function matching(skills: readonly LibrarySkill[], words: readonly string[]): LibrarySkill[] {
  const texts = skills.map(({ skill: { name, description, category, tags } }) =>
    [name, description, category, ...tags].join('\n').toLowerCase(),
  )
  const all = skills.filter((_, at) => words.every(word => texts[at]!.includes(word)))
  return all.length > 0 ? all : skills.filter((_, at) => words.some(word => texts[at]!.includes(word)))
}

/** The reason why chats have no skills. */
export const SWITCHED_OFF = 'The user has switched off skills for chats.'

type LineOf = (skill: LibrarySkill) => string

function list(skills: readonly LibrarySkill[], category: string, lineOf: LineOf): ToolResult {
  if (skills.length === 0) return { ok: true, text: 'There are no skills.' }
  if (category === '' || category === '*' || category === 'all') {
    const tops = sizesBy(skills, each => topOf(categoryOf(each)))
    return {
      ok: true,
      text: skills.length <= FEW || tops.size === 1 ? linesOf(skills, lineOf) : categoriesOf(tops),
    }
  }
  const within = skills.filter(each => isIn(categoryOf(each), category))
  if (within.length === 0) {
    const known = categoriesOf(sizesBy(skills, each => topOf(categoryOf(each))))
    return { ok: false, reason: `There is no category “${oneLine(category, 60)}”.\n${known}` }
  }
  const finer = sizesBy(within, categoryOf)
  return {
    ok: true,
    text: within.length > MOST_LINES && finer.size > 1 ? categoriesOf(finer) : linesOf(within, lineOf),
  }
}

const tidy = (category: string): string =>
  category
    .slice(0, 200)
    .trim()
    .toLowerCase()
    .replace(/^\/+|(?<!\/)\/+$/g, '')
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

function shortLine({ skill: { name, description } }: LibrarySkill, longest: number): string {
  const says = oneLine(description, longest)
  return says === '' ? `- ${oneLine(name, 80)}` : `- ${oneLine(name, 80)}: ${says}`
}

/** A line with details, as in `- haiku: Writes haiku. [tags: poem; files: references/forms.md]`. */
function fullLine(of: LibrarySkill, longest: number): string {
  const { skill, found } = of
  const parts: [string, readonly string[]][] = [
    ['tags', skill.tags],
    ['related', relatedOf(found.text.more)],
    ['files', found.parts.filter(part => part.kind !== 'skill').map(part => part.path)],
  ]
  const told = parts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => {
      const more = values.length > MOST_SHOWN ? ` and ${values.length - MOST_SHOWN} more` : ''
      return `${name}: ${values
        .slice(0, MOST_SHOWN)
        .map(each => oneLine(each, 60))
        .join(', ')}${more}`
    })
  return shortLine(of, longest) + (told.length > 0 ? ` [${told.join('; ')}]` : '')
}

function linesOf(skills: readonly LibrarySkill[], lineOf: LineOf): string {
  const lines = skills.slice(0, MOST_LINES).map(each => lineOf(each))
  const rest = skills.slice(MOST_LINES)
  if (rest.length === 0) return lines.join('\n')
  const names = rest.slice(0, MOST_NAMES).map(({ skill }) => oneLine(skill.name, 80))
  const left = rest.length - names.length
  return [...lines, `Also: ${names.join(', ')}${left > 0 ? `, and ${left} more` : ''}.`].join('\n')
}
