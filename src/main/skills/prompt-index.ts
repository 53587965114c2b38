import type { Skill } from '../../shared/contract/learned/skills.ts'
import type { LibrarySkill } from './skill-types.ts'

type Options = {
  /** Token budget of the section. */
  tokens: number
  count(text: string): number
  edition: 'compact' | 'full'
  /** Replaces the default wording of the edition. */
  words?: SectionWords | undefined
}

/** Texts above the described skills, before the list of further names, and before the counts by category. */
type SectionWords = { head: string; byName: string; byCategory: string }

/** Context windows of up to this many tokens get the compact edition. */
const COMPACT_TOKENS = 8_192

/** The edition of the prompt and of the skill index for a context window of this many tokens. */
export const editionFor = (contextTokens: number): 'compact' | 'full' =>
  contextTokens <= COMPACT_TOKENS ? 'compact' : 'full'

const HEADING = '## Skills'
const LEAD = {
  compact: 'When a task fits one of these, load it first with skill_view and follow it.',
  full: 'These are tried ways of doing things. When a task fits one of them, even in part, load it with skill_view before you begin, and follow it.',
}
const BY_NAME = 'More skills: '
const BY_CATEGORY = 'And by category (list them with skills_list): '

const wordsOf = (edition: Options['edition']): SectionWords => ({
  head: `${HEADING}\n${LEAD[edition]}`,
  byName: BY_NAME,
  byCategory: BY_CATEGORY,
})
/** Maximum length of a description, in characters. */
const LONGEST = { compact: 110, full: 320 }
/** The specification keeps names short, but a foreign skill may ignore it. */
const LONGEST_NAME = 80
/** Share of the budget for descriptions when not all names fit. */
const DESCRIBED = 0.6
const FOR_CATEGORIES = 0.25
const UNSORTED = 'other'

/**
 * The section of a prompt that lists the skills in the given order, most used first. It is empty without
 * skills or budget. A skill whose description does not fit is listed by name, and the rest as a count per
 * category. The same skills give the same bytes.
 */
export function skillsSection(skills: readonly LibrarySkill[], options: Options): string {
  const { tokens, count, edition } = options
  const words = options.words ?? wordsOf(edition)
  const { head, byName, byCategory } = words
  const shown = skills.map(each => each.skill).filter(mayBeShown)
  if (shown.length === 0) return ''
  const cost = { head: count(head), byName: count(byName), byCategory: count(byCategory) }
  const room = tokens - cost.head
  if (room <= 0) return ''
  // Count each entry with its separator. Stop once the rest cannot fit.
  const priced = (textOf: (skill: Skill) => string, before: string): Part[] => {
    const parts: Part[] = []
    for (let [at, left] = [0, room]; at < shown.length && left >= 0; at++) {
      const text = textOf(shown[at]!)
      const tokens = count(before + text)
      parts.push({ text, tokens })
      left -= tokens
    }
    return parts
  }
  const lines = priced(skill => lineOf(skill, edition), '\n')
  const names = priced(nameOf, ', ')
  const sum = (parts: readonly Part[]) => parts.reduce((total, part) => total + part.tokens, 0)
  let plan: Plan
  if (lines.length === shown.length && sum(lines) <= room) {
    plan = { lines: lines.length, names: 0 }
  } else if (names.length === shown.length && sum(names) + cost.byName <= room) {
    plan = withAllNames(lines, names, room - cost.byName)
  } else {
    const most = (room - cost.byCategory) * FOR_CATEGORIES
    const spent = cost.byCategory + Math.min(most, count(categoriesOf(shown, most, count)))
    plan = withCategories(lines, names, room - cost.byName - spent)
  }
  // The section can have a few more tokens than the sum of its parts. If so, list less.
  for (;;) {
    const section = write(words, { shown, lines, names, plan }, options)
    if (section === '' || count(section) <= tokens) return section
    plan = smaller(plan)
  }
}

/** The skill names in a section, in order. */
export function namesIn(section: string): string[] {
  const names: string[] = []
  for (const line of section.split('\n')) {
    const [, described] = /^- (.+?)(?:: |$)/.exec(line) ?? []
    if (described !== undefined) names.push(described)
    else if (line.startsWith(BY_NAME))
      names.push(...line.slice(BY_NAME.length).replace(/\.$/, '').split(', '))
  }
  return names
}

/** How many skills are described, and how many of the next are named. The rest is counted by category. */
type Plan = { lines: number; names: number; isOver?: boolean }
type Part = { text: string; tokens: number }

/** A skill that no model may load is never listed. */
const mayBeShown = ({ enabled, blocked, unavailable, shadowedBy }: Skill): boolean =>
  enabled && blocked === null && unavailable === null && shadowedBy === null

/** Name every skill, and describe as many as fit. */
function withAllNames(lines: readonly Part[], names: readonly Part[], room: number): Plan {
  let left = room - names.reduce((total, part) => total + part.tokens, 0)
  let described = 0
  for (const [at, line] of lines.entries()) {
    left -= line.tokens - names[at]!.tokens
    if (left < 0) break
    described++
  }
  return { lines: described, names: names.length - described }
}

function withCategories(lines: readonly Part[], names: readonly Part[], room: number): Plan {
  let left = room
  const fit = (parts: readonly Part[], most: number) => {
    let [fitting, spent] = [0, 0]
    for (const part of parts) {
      if (spent + part.tokens > most) break
      spent += part.tokens
      fitting++
    }
    left -= spent
    return fitting
  }
  const described = fit(lines, left * DESCRIBED)
  return { lines: described, names: fit(names.slice(described), left) }
}

function smaller({ lines, names }: Plan): Plan {
  if (names > 0) return { lines, names: names - Math.ceil(names / 20) }
  return lines > 0 ? { lines: lines - 1, names } : { lines, names, isOver: true }
}

type Written = {
  shown: readonly Skill[]
  lines: readonly Part[]
  names: readonly Part[]
  plan: Plan
}

function write(
  { head, byName, byCategory }: SectionWords,
  { shown, lines, names, plan }: Written,
  { tokens, count }: Options,
): string {
  if (plan.isOver) return ''
  const told = plan.lines + plan.names
  const parts = [head, ...lines.slice(0, plan.lines).map(part => part.text)]
  if (plan.names > 0) {
    const named = names.slice(plan.lines, told).map(part => part.text)
    parts.push(`${byName}${named.join(', ')}.`)
  }
  const rest = shown.slice(told)
  if (rest.length === 0) return parts.join('\n')
  const room = tokens - count(parts.join('\n')) - count(`\n${byCategory}, and 9999 in others.`)
  return [...parts, `${byCategory}${categoriesOf(rest, room, count)}.`].join('\n')
}

/** Counts by category, such as `writing 12, data 3`, the largest first, as many as fit. */
function categoriesOf(skills: readonly Skill[], room: number, count: Options['count']): string {
  const sizes = new Map<string, number>()
  for (const skill of skills) {
    const category = categoryOf(skill)
    sizes.set(category, (sizes.get(category) ?? 0) + 1)
  }
  const told: string[] = []
  let [left, others] = [room, skills.length]
  for (const [category, size] of [...sizes].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))) {
    const text = `${category} ${size}`
    left -= count(`, ${text}`)
    if (left < 0) break
    told.push(text)
    others -= size
  }
  if (told.length === 0) return `${skills.length} in all`
  return others > 0 ? `${told.join(', ')}, and ${others} in others` : told.join(', ')
}

/** The first folder of a category; skills_list shows the subfolders. */
const categoryOf = ({ category }: Skill): string =>
  oneLine(category.split('/')[0] ?? '', LONGEST_NAME) || UNSORTED

const nameOf = ({ name }: Skill): string => oneLine(name, LONGEST_NAME)

function lineOf(skill: Skill, edition: Options['edition']): string {
  const description = oneLine(skill.description, LONGEST[edition])
  return description === '' ? `- ${nameOf(skill)}` : `- ${nameOf(skill)}: ${description}`
}

/**
 * Put a text on one line, without invisible characters. A text that is too long is cut after its last whole
 * sentence or word.
 */
export function oneLine(text: string, most: number): string {
  const line = text
    .slice(0, most * 4 + 200)
    .replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim()
  if (line.length <= most) return line
  const cut = line.slice(0, most).toWellFormed()
  const sentence = /^.*[.!?](?= )/.exec(cut)?.[0] ?? ''
  if (sentence.length >= most / 2) return sentence
  const word = cut.slice(0, -1).replace(/(?<!\s)\s+\S*$/, '')
  return `${(word.length >= most / 2 ? word : cut.slice(0, -1)).replace(/(?<![\s.,;:–—-])[\s.,;:–—-]+$/, '')}…`
}

/** Maximum share of the context window for the skill index, and its maximum in tokens. */
const SHARE = 0.06
const MOST_TOKENS = 3_000

/** Token budget of the skill index in a context window of this many tokens. */
export const indexTokenBudget = (contextTokens: number): number =>
  Math.min(MOST_TOKENS, Math.floor(contextTokens * SHARE))
