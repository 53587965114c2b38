import type { SkillFields, SkillIssue } from '../../../shared/contract/learned/skills.ts'
import type { SkillText } from '../skill-types.ts'
import { fieldsOf, LICENCE_KEYS, LIMITS, LIST_KEYS } from './skill-fields.ts'
import { firstParagraph } from './prose.ts'
import { frontMap, type FrontMap, type FrontValue, textOf } from './front-yaml.ts'
import { parseFront } from './parse-front.ts'
import { splitSkill, type SplitSkill } from './split-skill.ts'

/** A SKILL.md with the results of reading it. */
export type SkillReading = { text: SkillText; split: SplitSkill; front: FrontMap }

/**
 * Read a SKILL.md leniently. A missing name comes from `fallbackName`, a missing description from the body.
 * Never throws.
 */
export const readSkillText = (text: string, fallbackName: string): SkillText =>
  readWhole(text, fallbackName).text

/** Like `readSkillText`, with the intermediate results that lint and writing need. */
export function readWhole(text: string, fallbackName: string): SkillReading {
  const split = splitSkill(text)
  const issues: SkillIssue[] = []
  const note = (line: number | null, rule: string, message: string) =>
    issues.push({ line, level: 'warning', rule, text: message })
  if (split.hasMark)
    note(
      1,
      'byte-order-mark',
      'The file begins with an invisible byte order mark. Save it as UTF-8 without one.',
    )
  if (split.isLate)
    note(1, 'front-matter-late', 'Blank lines stand before the front matter. Let the first line be `---`.')
  if (split.form === 'none') {
    note(
      1,
      'front-matter-missing',
      'There is no front matter. Begin with `---`, a name, a description and another `---`.',
    )
  }
  if (split.form === 'open') {
    note(
      split.bodyLine,
      'front-matter-open',
      'The front matter has no end. Put a line of `---` below its last field.',
    )
  }
  const { map: front, issues: found } =
    split.form === 'none' ? { map: frontMap(), issues: [] } : parseFront(split.front)
  for (const issue of found) note(issue.line + split.frontLine - 1, issue.rule, issue.text)

  const said = fieldsOf(front)
  const top = split.form === 'none' ? null : split.frontLine - 1
  if (said.name === undefined && split.form !== 'none') {
    const example = fallbackName || 'clean-csv'
    if (isText(front['name']))
      note(top, 'name-missing', `The front matter has no name. Add \`name: ${example}\`.`)
    else note(top, 'name-form', `The name must be a word. Write \`name: ${example}\`.`)
  }
  const description = said.description ?? firstParagraph(split.body)
  if (said.description === undefined && split.form !== 'none') {
    note(
      top,
      'description-missing',
      'The front matter has no description. Add one that says what the skill does and when to use it.',
    )
  }
  const fields = cutToForm({ ...said, name: said.name ?? fallbackName, description }, (key, most) =>
    note(top, 'field-cut', `The ${key} is far too long; only the first ${most} are used. Shorten it.`),
  )
  return {
    text: { fields, more: moreOf(front), body: split.body, bodyLine: split.bodyLine, issues },
    split,
    front,
  }
}

function cutToForm(fields: SkillFields, onCut: (key: string, most: string) => void): SkillFields {
  const text = (key: 'name' | 'description' | 'licence') => {
    if (fields[key].length <= LIMITS[key]) return fields[key]
    onCut(key, `${LIMITS[key]} characters`)
    return fields[key].slice(0, LIMITS[key]).toWellFormed()
  }
  const list = (key: keyof typeof LIST_KEYS) => {
    const { items, length } = LIMITS[key]
    const short = fields[key].filter(word => word.length <= length)
    if (short.length < fields[key].length || short.length > items)
      onCut(`list of ${key}`, `${items} entries of ${length} characters`)
    return short.slice(0, items)
  }
  return {
    name: text('name'),
    description: text('description'),
    tags: list('tags'),
    platforms: list('platforms'),
    requires: list('requires'),
    licence: text('licence'),
  }
}

const isText = (value: FrontValue | undefined): boolean => typeof value !== 'object' || value === null

const FORM_KEYS: ReadonlySet<string> = new Set(['name', 'description', ...Object.values(LIST_KEYS).flat()])

function moreOf(front: FrontMap): FrontMap {
  const more = frontMap()
  for (const [key, value] of Object.entries(front)) {
    const isLicence = (LICENCE_KEYS as readonly string[]).includes(key) && textOf(value) !== undefined
    if (!FORM_KEYS.has(key) && !isLicence) more[key] = value
  }
  return more
}
