import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import type { AddIssue } from '../skill-types.ts'
import { lineAt, type Prose, proseOf } from './prose.ts'
import type { SplitSkill } from './split-skill.ts'

const MOST_LINES = 500
const MOST_TOKENS = 5_000
// Maximum number of issues to report per kind.
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
/** Descriptions of a past incident in place of a rule. */
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

/** Check whether the body can be followed, and how many tokens it costs. */
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

/** A rough token count without a model: four characters of Latin text per token, fewer for other scripts. */
function tokensAbout(text: string): number {
  let others = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) others++
  return (text.length - others) / 4 + others / 1.5
}

const rounded = (value: number): string => (Math.round(value / 100) * 100).toLocaleString('en')

const MOST = 200
const MOST_FOLLOWED = 20
const LONGEST_FOLLOWED = 200_000
const LINK = /\[[^\]\n]{0,200}\]\(<?([^()\s<>]{1,300})>?(?:\s{1,3}"[^"\n]{0,200}")?\)/g
const PATH_IN_CODE = /`((?:references|templates|scripts|assets)\/[^`\s]{1,200})(?: [^`\n]{0,200})?`/g

/** Check whether referenced files exist and can be found directly from SKILL.md. */
export function lintReferences(folder: string, split: SplitSkill, prose: Prose, note: AddIssue): void {
  const known = new Set<string>()
  for (const { path, offset, isLink } of referencesIn(prose)) {
    if (known.has(path)) continue
    known.add(path)
    const line = lineAt(prose.text, offset, split.bodyLine)
    if (leadsOut(path)) {
      if (isLink)
        note(
          line,
          'warning',
          'reference-outside',
          `\`${path}\` lies outside the skill and cannot be opened from it. Copy it into the skill or leave it out.`,
        )
    } else if (!existsSync(join(folder, path))) {
      // A path in code may be one in the user's own work, if the skill has no such folder.
      const isSure = isLink || existsSync(join(folder, path.split('/')[0]!))
      note(
        line,
        isSure ? 'warning' : 'info',
        'reference-missing',
        `\`${path}\` is not there. Add the file or correct the path.`,
      )
    }
  }
  lintChains(folder, known, note)
}

/** Report files that only another file refers to: agents seldom read those fully. */
function lintChains(folder: string, known: ReadonlySet<string>, note: AddIssue): void {
  const first = [...known].filter(path => path.endsWith('.md') && !leadsOut(path)).slice(0, MOST_FOLLOWED)
  const told = new Set<string>()
  for (const path of first) {
    const text = textInside(folder, path)
    if (text === undefined) continue
    for (const { path: next, isLink } of referencesIn(proseOf(text))) {
      const below = posix.join(dirname(path), next)
      const isNew =
        isLink && next.endsWith('.md') && !leadsOut(below) && !known.has(below) && !told.has(below)
      if (!isNew || below === 'SKILL.md' || !existsSync(join(folder, below))) continue
      told.add(below)
      note(
        null,
        'info',
        'reference-deep',
        `\`${below}\` is only named in \`${path}\`. Name it in SKILL.md too, so that it is found at once.`,
      )
    }
  }
}

function referencesIn({ text, words }: Prose): { path: string; offset: number; isLink: boolean }[] {
  const found = [
    ...[...words.matchAll(LINK)].map(match => ({ match, isLink: true })),
    ...[...text.matchAll(PATH_IN_CODE)].map(match => ({ match, isLink: false })),
  ]
  return found
    .slice(0, MOST)
    .map(({ match, isLink }) => ({ path: pathOf(match[1]!), offset: match.index, isLink }))
    .filter(({ path }) => path !== '')
}

/** The relative path of a link; empty if it leads elsewhere or is a pattern. */
function pathOf(link: string): string {
  const path = link.replace(/[#?].*$/, '')
  if (path === '' || /^(?:[a-z][a-z\d+.-]*:|\/|\\|~)|[<>{}*$|"]|\.\.\.|…/i.test(path)) return ''
  // A single word is more likely a placeholder than a file.
  if (!/[./]/.test(path)) return ''
  try {
    return posix.normalize(decodeURIComponent(path))
  } catch {
    // Keep a lone percent sign as part of the name.
    return posix.normalize(path)
  }
}

const leadsOut = (path: string): boolean => path === '..' || path.startsWith('../') || path.includes('\0')

/** The text of a file that is verified to be inside the skill. */
function textInside(folder: string, path: string): string | undefined {
  try {
    const file = join(folder, path)
    const stat = lstatSync(file)
    const isInside = realpathSync(file).startsWith(realpathSync(folder) + sep)
    return stat.isFile() && stat.size <= LONGEST_FOLLOWED && isInside ? readFileSync(file, 'utf8') : undefined
  } catch {
    // Gone or unreadable; a missing reference is reported elsewhere.
    return undefined
  }
}
