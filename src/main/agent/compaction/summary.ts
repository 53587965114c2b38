/** The sections of a summary, in order. Anything outside them is dropped. */
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
type Section = (typeof SECTIONS)[number]

/** A summary by section; each item is one line. */
export type Summary = Record<Section, string[]>

const MAX_ITEM_CHARS = 400
/** Tokens of a heading and the lines around it. */
const HEADING = 6

export const emptySummary = (): Summary =>
  Object.fromEntries(SECTIONS.map(section => [section, []])) as unknown as Summary

/** The heading of the chat's plan. The plan is added below a summary unchanged, and is not part of it. */
export const PLAN_HEADING = '## Plan, as it stood'

/** Parse a summary that a model wrote: headings in any common form, items with or without bullets. */
export function readSummary(text: string): Summary {
  const summary = emptySummary()
  let section: Section | undefined
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim()
    if (line === PLAN_HEADING) break
    const heading = headingOf(line)
    if (heading) {
      section = heading.section
      if (heading.rest !== '') summary[section].push(heading.rest)
      continue
    }
    const item = line.replace(/^([-*•]|\d{1,3}[.)])\s+/, '').trim()
    if (section && item !== '' && !/^(none|n\/a|nothing|-+)\.?$/i.test(item))
      summary[section].push(item.slice(0, MAX_ITEM_CHARS).toWellFormed())
  }
  return summary
}

/** Parse headings such as `## Goal`, `**Goal:** write it` or `Goal: write it`. */
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

/** The summary as Markdown for a model. */
export const writeSummary = (summary: Summary): string =>
  SECTIONS.filter(section => summary[section].length > 0)
    .map(section => `## ${section}\n${summary[section].map(item => `- ${item}`).join('\n')}`)
    .join('\n\n')

export const isEmpty = (summary: Summary): boolean => SECTIONS.every(section => summary[section].length === 0)

/** Sections to cut first from an overlong summary: easiest to find again, or least useful for continuing. */
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
 * Cut a summary to `room` tokens: finished work first, oldest first, then files and gotchas. The chat itself
 * keeps everything and search finds it. The newest goal always stays.
 */
export function trimSummary(summary: Summary, room: number, count: (text: string) => number): Summary {
  const trimmed = structuredClone(summary)
  const costOf = (item: string) => count(`- ${item}\n`)
  let tokens = SECTIONS.filter(section => trimmed[section].length > 0).reduce(
    (sum, section) => sum + HEADING + trimmed[section].reduce((all, item) => all + costOf(item), 0),
    0,
  )
  // The newest line of each section is cut only if nothing else is left.
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

/**
 * The frame around a summary. It uses labels, because small models began each answer with sentences such as
 * “The conversation goes on from here.”
 */
export const SUMMARY_FRAME = {
  opening:
    '[Summary of earlier messages · the messages themselves: session_search · of lines that disagree: the later one]',
  ending: '[/Summary]',
}

const { opening, ending } = SUMMARY_FRAME

/** Frame a summary as the text of a message for the model. */
export const frameSummary = (summary: string): string => `${opening}\n\n${summary}\n\n${ending}`

/** Whether a text is a framed summary rather than something the user wrote. */
export const isFramed = (text: string): boolean => text.startsWith(opening)

/** The summary inside a framed text; undefined for any other text. */
export function summaryIn(text: string): string | undefined {
  const [before, behind] = [`${opening}\n\n`, `\n\n${ending}`]
  return text.startsWith(before) && text.endsWith(behind)
    ? text.slice(before.length, -behind.length)
    : undefined
}
