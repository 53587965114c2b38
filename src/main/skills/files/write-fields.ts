import { isDeepStrictEqual } from 'node:util'
import type { SkillFields } from '../../../shared/contract/learned/skills.ts'
import { editFront, writeFront, type FrontEdit } from './edit-front.ts'
import { fieldsOf, LICENCE_KEYS, LIST_KEYS, placesOf } from './skill-fields.ts'
import { frontMap, isFrontMap, type FrontMap } from './front-yaml.ts'
import { readWhole } from './read-skill.ts'
import { rewriteCase } from './field-case.ts'
import { parseFields, recoverFront } from './parse-front.ts'

type Said = ReturnType<typeof fieldsOf>
const LISTS = ['tags', 'platforms', 'requires'] as const
/** The separator of a list on one line in the specification, and what entries must not contain. */
const IN_A_LINE = {
  tags: { by: ', ', not: /,/ },
  platforms: { by: ' ', not: /[,\s]/ },
  requires: { by: ' ', not: /[,\s]/ },
} as const

/**
 * Change some front matter fields of a text. Fields with equal values leave it unchanged. The body, comments,
 * order, line ends and all other fields stay. Values are trimmed, and an empty value removes its field.
 */
export function writeFields(text: string, fields: Partial<SkillFields>): string {
  const { split, front } = readWhole(text, '')
  const wanted = tidied(fields)
  const edits = editsFor(front, wanted)
  if (edits.length === 0) return text
  const given = split.form === 'none' ? '' : split.front
  const source = rewriteCase(given, parseFields(given).map)
  const tries = [() => editFront(source, edits), () => editFront(mended(source), edits)]
  for (const attempt of tries) {
    const written = attempt()
    if (written !== undefined && says(written, front, wanted)) return assembled(written, split)
  }
  return assembled(writtenAnew(front, edits), split)
}

/** Set a metadata value in the front matter of a text; unchanged if it cannot be set in place. */
export function writeMetadata(text: string, key: string, value: string): string {
  const { split, front } = readWhole(text, '')
  const { metadata } = front
  if (split.form !== 'closed' || !(metadata === undefined || metadata === null || isFrontMap(metadata)))
    return text
  const written = editFront(split.front, [{ path: ['metadata', key], value }])
  return written === undefined ? text : assembled(written, split)
}

/** A new SKILL.md that follows the specification. */
export function newSkillText(
  fields: Partial<SkillFields> & { name: string; description: string },
  body: string,
): string {
  const front = writtenAnew(frontMap(), editsFor(frontMap(), tidied(fields)))
  return `---\n${front}---\n\n${body.replace(/\r\n?/g, '\n').trim()}\n`
}

function assembled(front: string, split: ReturnType<typeof readWhole>['split']): string {
  const gap = split.form === 'none' && !/^\r?\n/.test(split.body) ? '\n' : ''
  return `---\n${front}---\n${gap}`.replaceAll('\n', split.newline) + split.body
}

/** The fields as they would be read back. */
function tidied(fields: Partial<SkillFields>): Partial<Said> {
  const clean = (text: string) => text.toWellFormed().replace(/\r\n?/g, '\n')
  const front = frontMap()
  const names = { name: 'name', description: 'description', licence: LICENCE_KEYS[0] } as const
  for (const [field, key] of Object.entries(names) as [keyof typeof names, string][]) {
    if (fields[field] !== undefined) front[key] = clean(fields[field])
  }
  for (const list of LISTS) if (fields[list]) front[LIST_KEYS[list][0]] = fields[list].map(clean)
  const read = fieldsOf(front)
  return Object.fromEntries(
    Object.keys(fields)
      .filter(key => fields[key as keyof SkillFields] !== undefined)
      .map(key => [key, read[key as keyof Said]]),
  )
}

function editsFor(front: FrontMap, wanted: Partial<Said>): FrontEdit[] {
  const present = fieldsOf(front)
  const edits: FrontEdit[] = []
  for (const key of ['name', 'description'] as const) {
    if (key in wanted && wanted[key] !== present[key]) edits.push({ path: [key], value: wanted[key] })
  }
  if (wanted.licence !== undefined && wanted.licence !== present.licence) {
    const [first, ...others] = LICENCE_KEYS.filter(key => key in front)
    edits.push({ path: [first ?? LICENCE_KEYS[0]], value: wanted.licence || undefined })
    edits.push(...others.map(key => ({ path: [key], value: undefined })))
  }
  for (const list of LISTS) {
    const words = wanted[list]
    if (words === undefined || isDeepStrictEqual(words, present[list])) continue
    const [place, ...others] = placesOf(front, list)
    edits.push(...others.map(({ path }) => ({ path, value: undefined })))
    const { by, not } = IN_A_LINE[list]
    const asList = Array.isArray(place?.value) || words.some(word => not.test(word))
    const value = words.length === 0 ? undefined : asList ? words : words.join(by)
    const isFree =
      front['metadata'] === undefined || front['metadata'] === null || isFrontMap(front['metadata'])
    const path = place?.path ?? [...(isFree ? ['metadata'] : []), LIST_KEYS[list][0]]
    if (place !== undefined || value !== undefined) edits.push({ path, value })
  }
  return edits
}

const SLIPS: ReadonlySet<string> = new Set(['yaml', 'field-name', 'front-matter-length'])

/** Whether front matter is valid and reads as wanted, with all other fields unchanged. */
function says(written: string, before: FrontMap, wanted: Partial<Said>): boolean {
  const { front, split, text } = readWhole(`---\n${written}---\n`, '')
  if (split.body !== '' || split.form !== 'closed') return false
  if (text.issues.some(issue => SLIPS.has(issue.rule))) return false
  if (!isDeepStrictEqual(fieldsOf(front), { ...fieldsOf(before), ...wanted })) return false
  return isDeepStrictEqual(strangers(front), strangers(before))
}

const strangers = (front: FrontMap) => {
  const known: readonly string[] = [
    'name',
    'description',
    'metadata',
    ...LICENCE_KEYS,
    ...Object.values(LIST_KEYS).flat(),
  ]
  return Object.entries(front).filter(([key]) => !known.includes(key))
}

/** Valid YAML front matter: invalid fields are rewritten, and comments above the first field stay. */
function mended(front: string): string {
  const fields = recoverFront(front)
  const above = front.split('\n').slice(0, (fields[0]?.line ?? 1) - 1)
  const comments = above.filter(line => /^\s*(?:#|$)/.test(line)).map(line => `${line.trim()}\n`)
  const written = fields.map(({ key, value, source, trouble }) =>
    trouble === undefined ? source : writeFront(Object.assign(frontMap(), { [key]: value })),
  )
  return [...comments, ...written].join('')
}

function writtenAnew(front: FrontMap, edits: readonly FrontEdit[]): string {
  const all = writeFront(front)
  return editFront(all, edits) ?? all
}
