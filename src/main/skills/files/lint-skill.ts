import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { SkillIssue } from '../../../shared/contract/learned/skills.ts'
import { fileErrorCode } from '../../lib/expected-errors.ts'
import { lintBody, lintReferences } from './lint-body.ts'
import type { AddIssue } from '../skill-types.ts'
import { proseOf } from './prose.ts'
import { readWhole, type SkillReading } from './read-skill.ts'
import { isFrontMap, textOf } from './front-yaml.ts'
import { skillFileAmong } from './main-file.ts'
import type { SplitSkill } from './split-skill.ts'

/** Reading issues that are only warnings: other agents may read the text differently, but it may be saved. */
const TOLERATED: ReadonlySet<string> = new Set(['field-case', 'lost-text'])

/**
 * Lint a SKILL.md. Errors violate the specification; warnings and infos concern its usefulness. With
 * `folder`, the skill's own folder, check its name and the referenced files, too. Issues are sorted by line,
 * those about the whole file first. Never throws.
 */
export function lintSkill(text: string, options: { folder?: string } = {}): SkillIssue[] {
  const reading = readWhole(text, options.folder === undefined ? '' : basename(options.folder))
  // Issues that reading tolerated although they violate the specification.
  const issues: SkillIssue[] = reading.text.issues
    .filter(issue => issue.rule !== 'field-cut')
    .map(issue => ({ ...issue, level: TOLERATED.has(issue.rule) ? 'warning' : 'error' }))
  const note: AddIssue = (line, level, rule, message) => issues.push({ line, level, rule, text: message })
  const prose = proseOf(reading.split.body)
  lintForm(reading, text, options.folder, note)
  lintDescription(reading, note)
  lintBody(reading.split, prose, note)
  if (options.folder !== undefined) {
    lintFileName(options.folder, note)
    lintReferences(options.folder, reading.split, prose, note)
  }
  return issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}

/** Check the spelling of the main file: other agents know `SKILL.md`, and some know `skill.md`. */
function lintFileName(folder: string, note: AddIssue): void {
  const name = skillFileAmong(namesIn(folder))
  if (name === undefined || name === 'SKILL.md' || name === 'skill.md') return
  note(
    null,
    'warning',
    'file-name',
    `The file is called \`${name}\`. Call it \`SKILL.md\`: other agents do not find it.`,
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    // A new skill has no folder yet.
    fileErrorCode(error)
    return []
  }
}

const LONGEST = 100_000
const LONGEST_NAME = 64
const LONGEST_DESCRIPTION = 1_024
const MOST_LISTED = 8
const LONGEST_COMPATIBILITY = 500
const KNOWN = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'])
/** The agentskills specification's rules for front matter, and its countable recommendations. */
function lintForm(reading: SkillReading, text: string, folder: string | undefined, note: AddIssue): void {
  const { front, split } = reading
  if (text.length > LONGEST) {
    note(
      null,
      'error',
      'too-long',
      `The file has ${count(text.length)} characters, ${count(LONGEST)} at most. Move details into files below references/.`,
    )
  }
  if (split.form === 'none') return
  const line = (key: string) => lineOfField(split, key)
  lintName(reading, folder, line('name'), note)

  const { description, compatibility, metadata, 'allowed-tools': tools } = front
  if (description !== null && description !== undefined && textOf(description) === undefined) {
    note(
      line('description'),
      'error',
      'description-form',
      'The description must be text, in quotes if it holds `: ` or `#`.',
    )
  }
  const length = lengthOf(textOf(description))
  if (length > LONGEST_DESCRIPTION) {
    note(
      line('description'),
      'error',
      'description-length',
      `The description has ${count(length)} characters, ${count(LONGEST_DESCRIPTION)} at most. Shorten it to what the skill does and when to use it.`,
    )
  }
  const isGiven = compatibility !== undefined
  const needs = lengthOf(textOf(compatibility)?.trim())
  if (isGiven && (needs === 0 || needs > LONGEST_COMPATIBILITY)) {
    note(
      line('compatibility'),
      'error',
      'compatibility-form',
      `\`compatibility\` must be a text of 1 to ${LONGEST_COMPATIBILITY} characters. Say in a sentence what must be there, or leave it out.`,
    )
  }
  if (metadata !== undefined && metadata !== null && !isFrontMap(metadata)) {
    note(
      line('metadata'),
      'error',
      'metadata-form',
      '`metadata` must be fields of its own: write `name: value` below it, indented.',
    )
  } else if (
    isFrontMap(metadata) &&
    Object.values(metadata).some(value => typeof value === 'object' && value !== null)
  ) {
    note(
      line('metadata'),
      'info',
      'metadata-nested',
      'The specification wants each value in `metadata` to be text. Lists and fields within fields are understood here, maybe not elsewhere.',
    )
  }
  if (tools !== undefined && textOf(tools) === undefined) {
    note(
      line('allowed-tools'),
      'warning',
      'allowed-tools-form',
      '`allowed-tools` must be one line of names with spaces between them.',
    )
  }
  const strange = Object.keys(front).filter(key => !KNOWN.has(key))
  if (strange.length > 0) {
    const listed = strange.slice(0, MOST_LISTED).map(key => `\`${key.slice(0, LONGEST_NAME)}\``)
    if (strange.length > MOST_LISTED) listed.push(`${strange.length - MOST_LISTED} more`)
    const names = new Intl.ListFormat('en').format(listed)
    const said = `The specification does not know ${names}. Other agents may refuse the skill`
    note(line(strange[0]!), 'warning', 'unknown-field', `${said}: put such fields below \`metadata\`.`)
  }
}

function lintName(
  reading: SkillReading,
  folder: string | undefined,
  line: number | null,
  note: AddIssue,
): void {
  const name = textOf(reading.front['name'])
  if (name === undefined) return
  if (lengthOf(name) > LONGEST_NAME) {
    note(
      line,
      'error',
      'name-length',
      `The name has ${lengthOf(name)} characters, ${LONGEST_NAME} at most. Choose a shorter one.`,
    )
  }
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    const wish = nameFrom(name)
    const said = 'A name has only small letters, digits and single hyphens between them.'
    note(line, 'error', 'name-format', wish ? `${said} Write \`${wish}\`.` : said)
  }
  if (folder !== undefined && basename(folder).normalize('NFKC') !== name.normalize('NFKC')) {
    note(
      line,
      'error',
      'name-folder',
      `The name is not that of its folder. Write \`name: ${basename(folder)}\` or rename the folder.`,
    )
  }
}

/** A valid name made from an invalid one; empty if no characters remain. */
const nameFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^-|-$/g, '')

/** The 1-based line of SKILL.md where a top-level field begins; null if not found. */
function lineOfField(split: SplitSkill, key: string): number | null {
  const at = split.front.split('\n').findIndex(line => {
    const start = /^["']/.test(line) ? 1 : 0
    return (
      line.toLowerCase().startsWith(key.toLowerCase(), start) &&
      /^["']?\s*:/.test(line.slice(start + key.length))
    )
  })
  return at === -1 ? null : split.frontLine + at
}

const lengthOf = (text: string | undefined): number => Array.from(text ?? '').length
const count = (value: number): string => value.toLocaleString('en')

const SHORTEST = 20
/** Words that introduce when to use a skill. */
const WHEN = new RegExp(
  [
    String.raw`\b(?:when(?:ever)?|if|before|after|while|during|whether|trigger(?:s|ed)?|invoked?|needs?|needing|asks?|asking|wants?)\b`,
    String.raw`(?:^|[-.;:,!?–—(] *)(?:can be |should be |must be |only )?used?\b`,
    String.raw`\b(?:use (?:this|it|for|to|in|on|as)|useful|ideal|best|perfect|suitable|intended|meant|designed|appl(?:y|ies) to)\b`,
    String.raw`(?:^|[.,;:] )for\b`,
  ].join('|'),
  'i',
)
const ONLY_WHEN =
  /^(?:use|used|invoke|trigger|apply)?\s*(?:this skill\s*)?(?:only\s*)?(?:when|whenever|if|before|after|while)\b/i
const PLACEHOLDER =
  /^\W{0,3}(?:TODO|FIXME|TBD)\b|\blorem ipsum\b|\bdescription (?:goes )?here\b|^(?:a |your )?description\W*$/i

/** Check whether the description lets an agent see what the skill does and when to load it. */
function lintDescription({ front, split }: SkillReading, note: AddIssue): void {
  const text = textOf(front['description'])?.trim() ?? ''
  if (text === '') return
  const line = lineOfField(split, 'description')
  if (PLACEHOLDER.test(text)) {
    note(
      line,
      'warning',
      'placeholder',
      'The description is a placeholder. Say what the skill does and when to use it.',
    )
    return
  }
  // The word lists are English, so only the length is checked in other languages.
  if (!isEnglish(text)) return
  if (text.length < SHORTEST) {
    note(
      line,
      'warning',
      'description-short',
      'The description says too little to choose the skill by. Say what it does and when to use it.',
    )
  } else if (!WHEN.test(text)) {
    note(
      line,
      'warning',
      'description-when',
      'The description does not say when to use the skill. Add a sentence such as “Use when …”.',
    )
  } else if (ONLY_WHEN.test(text) && !/[.;:–—]\s/.test(text)) {
    note(
      line,
      'info',
      'description-what',
      'The description says when to use the skill, but not what it does. Begin with that.',
    )
  }
}

function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const ascii = text.match(/[a-z]/gi)?.length ?? 0
  if (ascii < letters * 0.9) return false
  return !/\b(?:der|die|das|und|wenn|für|oder|les|des|une|pour|quand|avec|los|las|una|para|cuando|gli|quando|como|het|een|voor)\b/i.test(
    text,
  )
}
