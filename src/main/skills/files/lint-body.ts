import type { AddIssue } from '../types.ts'
import { lineAt, type Prose } from './prose.ts'
import type { SplitSkill } from './split-skill.ts'

const MOST_LINES = 500
const MOST_TOKENS = 5_000
// Maximum of issues to report per kind.
const MOST_SHOWN = 3
// Maximum length to check per line, in characters.
const LONGEST_LINE = 2_000

const MONTH = '(?:January|February|March|April|May|June|July|August|September|October|November|December)'
const DAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
const DATE = `(?:\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?|\\d{4}-\\d\\d-\\d\\d|yesterday|earlier today|this (?:morning|afternoon|evening)|last (?:week|night|month|time|${DAY})|on ${DAY})`
const SOMEBODY = '(?:(?:the|our|my) (?:user|customer|client|boss|colleague)|we|I|he|she)'
const DID =
  '(?:asked|said|told|wanted|complained|reported|requested|noticed|tried|found|spent|debugged|fixed|learned|hit|ran)'
const NO_CONDITION = String.raw`(?<!\b(?:what|if|when|whether|that|which|how|as|once|after|where|unless|because|whatever) )`
/** Descriptions of a past incident, where a rule belongs. */
const INCIDENTS = [
  new RegExp(`\\b${DATE}\\b[^\\n.]{0,40}?\\b${NO_CONDITION}${SOMEBODY} (?:\\w{1,12} )?${DID}\\b`, 'i'),
  new RegExp(`\\b${NO_CONDITION}${SOMEBODY} ${DID}\\b[^\\n.]{0,40}?\\b${DATE}\\b`, 'i'),
  /\bin (?:this|our|the (?:last|previous|current|earlier)) (?:session|conversation|chat),? (?:I|we|the user) (?:\w{2,14}ed|found|had|ran|got|hit|said|told)\b/i,
  /(?:^|[.!?] )[-*> ]{0,4}The user (?:(?:asked|told|reminded|corrected) (?:me|us)\b|complained\b|(?:was|got) (?:angry|annoyed|frustrated|unhappy)\b)/,
]
// Every pattern needs one of these words, and most lines have none.
const INCIDENT_CUE = new RegExp(`\\b(?:${DID}|session|conversation|chat|user)\\b`, 'gi')
const PLACEHOLDERS = [
  /^[ \t]{0,8}(?:[-*+] |\d{1,3}[.)] |#{1,6} )?(?:\*\*)?\[?(?:TODO|FIXME|TBD)(?:\]|:|(?=\s*$))/,
  /\blorem ipsum dolor\b/i,
  /\byour (?:instructions|content|text|steps) (?:go|goes) here\b/i,
  /\breplace this (?:text|paragraph|section|placeholder)\b/i,
]

const PLACEHOLDER_CUE = /TODO|FIXME|TBD|lorem|here\b|replace/gi

/** Check whether the body can be followed, and its cost in tokens. */
export function lintBody(split: SplitSkill, prose: Prose, note: AddIssue): void {
  const { body, bodyLine } = split
  if (body.trim() === '') {
    note(
      null,
      'warning',
      'body-empty',
      'There is nothing below the front matter. Write down the steps to follow.',
    )
    return
  }
  if (!hasSteps(prose)) {
    note(
      null,
      'warning',
      'body-steps',
      'The body has no steps. Write them as a numbered list, one thing to do in each.',
    )
  }
  lintSize(body, note)
  report(INCIDENT_CUE, INCIDENTS, prose.words, line =>
    note(
      line + bodyLine - 1,
      'warning',
      'incident',
      'This tells what happened once. Write the rule that follows from it, for any user and any day.',
    ),
  )
  report(PLACEHOLDER_CUE, PLACEHOLDERS, prose.words, line =>
    note(
      line + bodyLine - 1,
      'warning',
      'placeholder',
      'This is a placeholder. Write what belongs here, or remove it.',
    ),
  )
}

function lintSize(body: string, note: AddIssue): void {
  const lines = body.trimEnd().split('\n').length
  const tokens = tokensAbout(body)
  const advice = 'All of it is read each time. Move what is seldom needed into files below references/.'
  if (tokens > MOST_TOKENS) {
    note(
      null,
      'warning',
      'body-tokens',
      `The body has about ${rounded(tokens)} tokens; up to ${rounded(MOST_TOKENS)} are advised. ${advice}`,
    )
  } else if (lines > MOST_LINES) {
    note(
      null,
      'warning',
      'body-lines',
      `The body has ${lines} lines; up to ${MOST_LINES} are advised. ${advice}`,
    )
  }
}

const hasSteps = ({ text, hasCode }: Prose): boolean =>
  hasCode ||
  /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\S/m.test(text) ||
  (text.match(/^#{1,6}[ \t]+\S/gm)?.length ?? 0) >= 3

/** Report the lines that match a pattern; `cue` preselects the lines to search. */
function report(cue: RegExp, patterns: readonly RegExp[], text: string, tell: (line: number) => void): void {
  let told = 0
  let searched = 0
  for (const { index } of text.matchAll(cue)) {
    if (index < searched) continue
    const start = text.lastIndexOf('\n', index) + 1
    const end = text.indexOf('\n', index)
    const line = text.slice(start, end === -1 ? undefined : end).slice(0, LONGEST_LINE)
    searched = end === -1 ? text.length : end
    if (!patterns.some(pattern => pattern.test(line))) continue
    tell(lineAt(text, start, 1))
    if (++told === MOST_SHOWN) return
  }
}

/** A rough token count without a model: four characters of Latin text per token, fewer of any other. */
function tokensAbout(text: string): number {
  let others = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) others++
  return (text.length - others) / 4 + others / 1.5
}

const rounded = (value: number): string => (Math.round(value / 100) * 100).toLocaleString('en')
