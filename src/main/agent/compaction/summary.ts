import { readLine, saysAll, type Line } from './same-fact.ts'

/** The parts of a summary, in their order; what is in none of them is of no use for going on. */
export const SECTIONS = [
  'Goal',
  'Constraints',
  'Done',
  'In progress',
  'Decisions',
  'Files',
  'Open questions',
  'Next steps',
  'Gotchas',
] as const
export type Section = (typeof SECTIONS)[number]

/** A summary, part by part; each item is one line. */
export type Summary = Record<Section, string[]>

const LONGEST_ITEM = 400
/** Earlier goals that stay below the newest one, because the way back to them is short. */
const MOST_GOALS = 4
/** Tokens of a heading with the lines around it. */
const HEADING = 6

export const emptySummary = (): Summary =>
  Object.fromEntries(SECTIONS.map(section => [section, []])) as unknown as Summary

/** Read a summary that a model wrote: headings in any of the usual forms, items with or without bullets. */
export function readSummary(text: string): Summary {
  const summary = emptySummary()
  let section: Section | undefined
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim()
    const heading = headingOf(line)
    if (heading) {
      section = heading.section
      if (heading.rest !== '') summary[section].push(heading.rest)
      continue
    }
    const item = line.replace(/^([-*•]|\d{1,3}[.)])\s+/, '').trim()
    if (section && item !== '' && !/^(none|n\/a|nothing|-+)\.?$/i.test(item))
      summary[section].push(item.slice(0, LONGEST_ITEM).toWellFormed())
  }
  return summary
}

/** `## Goal`, `**Goal:** write it`, `Goal: write it`. */
function headingOf(line: string): { section: Section; rest: string } | undefined {
  const plain = line
    .replace(/^#{1,4}\s*/, '')
    .replace(/\*\*/g, '')
    .trim()
  for (const section of SECTIONS) {
    if (!plain.toLowerCase().startsWith(section.toLowerCase())) continue
    const rest = plain.slice(section.length)
    if (rest === '') return { section, rest }
    const after = /^\s*:\s*(.*)$/.exec(rest)
    if (after) return { section, rest: after[1]!.trim() }
  }
  return undefined
}

/** The summary as a model reads it. */
export const writeSummary = (summary: Summary): string =>
  SECTIONS.filter(section => summary[section].length > 0)
    .map(section => `## ${section}\n${summary[section].map(item => `- ${item}`).join('\n')}`)
    .join('\n\n')

export const isEmpty = (summary: Summary): boolean => SECTIONS.every(section => summary[section].length === 0)

/**
 * Extend what was known by what a later pass says. Nothing that stays true is lost because a model left it out or said it
 * more vaguely: such a line of the earlier summary stays as it was. What was in progress or next is as the later pass says,
 * unless it says nothing of it; a question stays open until it has an answer. The newest lines are last, but for the goal.
 */
export function extendSummary(before: Summary, later: Summary): Summary {
  const extended = emptySummary()
  const done = later.Done.map(readLine)
  const settled = [...done, ...later.Decisions.map(readLine)]
  for (const section of SECTIONS) {
    const now = withoutRepeats(later[section].map(readLine))
    const old = before[section]
      .map(readLine)
      .filter(line => !now.some(each => each.text !== line.text && saysAll(each, line)))
    const fresh = now.filter(line => !isIn(line, old))
    let lines = [...old, ...fresh]
    if (section === 'Goal') lines = [...fresh, ...old].slice(0, MOST_GOALS)
    else if (section === 'Open questions') lines = [...old.filter(line => !isIn(line, settled)), ...fresh]
    else if (section === 'In progress' || section === 'Next steps')
      lines = now.length > 0 ? now : old.filter(line => !isIn(line, done))
    extended[section] = lines.map(({ text }) => text)
  }
  return extended
}

const isIn = (line: Line, lines: readonly Line[]): boolean => lines.some(each => saysAll(each, line))

const withoutRepeats = (lines: readonly Line[]): Line[] =>
  lines.filter((line, at) => !isIn(line, lines.slice(0, at)))

/** What goes first when a summary is too long: what is soonest found again, or least of use for going on. */
const EXPENDABLE: readonly Section[] = [
  'Done',
  'Files',
  'Gotchas',
  'Next steps',
  'Open questions',
  'Decisions',
  'In progress',
  'Constraints',
]

/**
 * Make a summary fit into so many tokens: what was done goes first, the oldest first, then files and gotchas. It is all still
 * in the chat, and found by search. The goal always stays.
 */
export function trimSummary(summary: Summary, room: number, count: (text: string) => number): Summary {
  const trimmed = structuredClone(summary)
  const costOf = (item: string) => count(`- ${item}\n`)
  let tokens = SECTIONS.filter(section => trimmed[section].length > 0).reduce(
    (sum, section) => sum + HEADING + trimmed[section].reduce((all, item) => all + costOf(item), 0),
    0,
  )
  // Of each part the newest line stays as long as there is anything else to let go of.
  for (const least of [1, 0]) {
    for (const section of EXPENDABLE) {
      while (tokens > room && trimmed[section].length > least) {
        tokens -= costOf(trimmed[section].shift()!)
        if (trimmed[section].length === 0) tokens -= HEADING
      }
    }
  }
  while (tokens > room && trimmed.Goal.length > 1) tokens -= costOf(trimmed.Goal.pop()!)
  return trimmed
}
