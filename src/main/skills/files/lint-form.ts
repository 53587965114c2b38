import { basename } from 'node:path'
import { isFrontMap, textOf } from './front-value.ts'
import type { AddIssue } from '../types.ts'
import type { SkillReading } from './read-skill.ts'
import type { SplitSkill } from './split-skill.ts'

const LONGEST = 100_000
const LONGEST_NAME = 64
const LONGEST_DESCRIPTION = 1_024
const MOST_LISTED = 8
const LONGEST_COMPATIBILITY = 500
const KNOWN = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'])
/** The agentskills specification's rules for front matter, and the parts of its advice that can be counted. */
export function lintForm(
  reading: SkillReading,
  text: string,
  folder: string | undefined,
  note: AddIssue,
): void {
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

/** A valid name made from an invalid one; empty when no characters remain. */
const nameFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^-|-$/g, '')

/** The 1-based line of SKILL.md where a top-level field begins; null when not found. */
export function lineOfField(split: SplitSkill, key: string): number | null {
  const at = split.front.split('\n').findIndex(line => {
    const start = /^["']/.test(line) ? 1 : 0
    return line.startsWith(key, start) && /^["']?\s*:/.test(line.slice(start + key.length))
  })
  return at === -1 ? null : split.frontLine + at
}

const lengthOf = (text: string | undefined): number => Array.from(text ?? '').length
const count = (value: number): string => value.toLocaleString('en')
