import { isSkillName, suggestName } from '../files/skill-name.ts'
import { firstParagraph } from '../files/prose.ts'
import { readSkillText } from '../files/read-skill.ts'
import { newSkillText, writeFields } from '../files/write-fields.ts'
import type { Refusal } from '../../lib/expected-errors.ts'

/** A SKILL.md made from a model's arguments, and the corrections made, as text for the model. */
export type MadeText = { name: string; category: string; text: string; notes: string[] } | Refusal

type Given = {
  name?: string | undefined
  description?: string | undefined
  content?: string | undefined
  category?: string | undefined
}

const LONGEST_DESCRIPTION = 1_024
const LONGEST_SENTENCE = 300
const LONGEST_NAME = 300
/** Maximum length of the steps searched for a description, in characters. */
const REACH = 20_000

/** Make the text of a new skill. Unambiguous mistakes, which small models often make, are corrected. */
export function newText(given: Given): MadeText {
  const content = unwrapContent(given.content ?? '')
  if (content.trim() === '')
    return { refused: 'content is missing: create needs the steps of the skill, in Markdown.' }
  const read = readSkillText(content, '')
  const hasFront = read.bodyLine > 1
  if (read.body.trim() === '')
    return { refused: 'content has no steps below its front matter. Give them, in Markdown.' }
  const path = (given.name ?? '')
    .trim()
    .slice(0, LONGEST_NAME)
    .split('/')
    .filter(part => part.trim() !== '')
  const wanted = path.pop() ?? (hasFront ? read.fields.name : '')
  if (wanted === '') return { refused: 'name is missing: a short name for the skill, such as tidy-notes.' }
  const described = describe(given.description, content, hasFront)
  if (described === undefined)
    return { refused: 'description is missing: say what the skill does and when to use it.' }
  const name = suggestName(wanted, described.text)
  const notes = [...described.notes, ...(name === wanted ? [] : [`It is called ${name}.`])]
  const category = categoryOf(given.category?.trim().slice(0, LONGEST_NAME) || path.join('/'))
  const fields = { name, description: described.text }
  const text = hasFront ? writeFields(content, fields) : newSkillText(fields, content)
  return { name, category, text, notes }
}

/**
 * Make the new text of an existing skill. A body without front matter keeps the old one, and the name stays.
 */
export function editedText(given: Given, present: { name: string; text: string }): MadeText {
  const { name } = present
  const description = oneParagraph(given.description ?? '')
  const wanted = { name, ...(description !== '' && { description }) }
  const content = unwrapContent(given.content ?? '')
  if (content.trim() === '') {
    if (description === '')
      return { refused: 'content is missing: edit needs the whole new text. To change a passage use patch.' }
    return { name, category: '', text: writeFields(present.text, { description }), notes: [] }
  }
  if (readSkillText(content, name).bodyLine > 1) {
    const kept = oneParagraph(readSkillText(present.text, name).fields.description)
    const says = describe(given.description, content, true)?.notes.length === 0
    const fields = says ? wanted : { ...wanted, ...(kept !== '' && { description: kept }) }
    return { name, category: '', text: writeFields(content, fields), notes: [] }
  }
  const { body } = readSkillText(present.text, name)
  const front = present.text.slice(0, present.text.length - body.length)
  // Without any front matter, add what the specification requires.
  if (front.trim() === '' || front.trim() === '\uFEFF') {
    const said = readSkillText(present.text, name).fields.description
    const text = newSkillText({ ...wanted, description: description || oneParagraph(said) || name }, content)
    return { name, category: '', text, notes: [] }
  }
  const newline = front.includes('\r\n') ? '\r\n' : '\n'
  const whole = `${front}\n${content.trim()}\n`.replace(/\r?\n/g, newline)
  return { name, category: '', text: writeFields(whole, wanted), notes: [] }
}

/**
 * Refuse a new skill with mistakes, so that a model that can correct itself does so (for others `newText`
 * repairs them); undefined if nothing is wrong. `present`: the name of the existing skill, if there is one.
 */
export function refuseSlips(given: Given, present?: string): Refusal | undefined {
  const content = unwrapContent(given.content ?? '')
  return present === undefined
    ? (refuseName(given.name ?? '', content) ??
        refuseCategory(given.category ?? '') ??
        refuseForm(given, content))
    : refuseForm({ ...given, name: present }, content, true)
}

function refuseName(given: string, content: string): Refusal | undefined {
  const name = given.trim()
  if (name === '') return { refused: 'name is missing: a short name for the skill, such as tidy-notes.' }
  if (isSkillName(name)) return undefined
  const wish = suggestName(
    name.slice(name.lastIndexOf('/') + 1),
    name,
    readSkillText(content, '').fields.name,
  )
  const folders = name.includes('/') ? ' Folders are given as category.' : ''
  return {
    refused: `“${name.slice(0, LONGEST_NAME)}” cannot be the name of a skill: it has up to 64 small letters and digits, with single hyphens between them. Call it ${wish}.${folders}`,
  }
}

function refuseCategory(given: string): Refusal | undefined {
  const category = given.trim()
  const isGood = category.split('/').length <= DEEPEST && category.split('/').every(isSkillName)
  if (category === '' || isGood) return undefined
  const wish = categoryOf(category.slice(0, LONGEST_NAME))
  const advice = wish === '' ? 'Leave it out.' : `Write ${wish}.`
  return {
    refused: `“${category.slice(0, LONGEST_NAME)}” cannot be a category: it has small letters, digits and hyphens, and / between up to ${DEEPEST} folders. ${advice}`,
  }
}

/** Reading issues that do not change the meaning of a text. */
const HARMLESS = new Set(['byte-order-mark', 'front-matter-late', 'front-matter-missing', 'field-cut'])
/** Signs of steps to follow: a heading, a list or a code block. */
const FOLLOWED = /^ {0,3}(?:#{1,6}[ \t]|[-*+][ \t]|\d{1,3}[.)][ \t]|```|~~~)/m

function refuseForm(
  { name = '', description = '' }: Given,
  content: string,
  isEdit = false,
): Refusal | undefined {
  if (content.trim() === '') return undefined
  const { fields, issues, body, bodyLine } = readSkillText(content, name)
  const isSaid = description.trim() !== ''
  const hasFront = bodyLine > 1
  const wrong = issues.find(({ rule }) => !HARMLESS.has(rule) && !(rule === 'description-missing' && isSaid))
  if (wrong) return { refused: `Line ${wrong.line ?? 1} of content: ${wrong.text}` }
  if (hasFront && body.trim() === '')
    return { refused: 'content has no steps below its front matter. Give them, in Markdown.' }
  if (hasFront && fields.name !== name)
    return {
      refused: `The front matter says “name: ${fields.name}”, and the skill is ${name}. Let both be the same; a skill keeps its name.`,
    }
  if (!hasFront && !isEdit && !isSaid)
    return { refused: 'description is missing: say what the skill does and when to use it.' }
  if (!hasFront && isEdit && !FOLLOWED.test(body))
    return {
      refused:
        'content is no skill: it has neither a heading nor steps. Give the whole new text, in Markdown, or change a passage with patch.',
    }
  return undefined
}

/** The given description, else the one in the front matter, else the first sentence of the steps. */
function describe(
  given: string | undefined,
  content: string,
  hasFront: boolean,
): { text: string; notes: string[] } | undefined {
  const said = oneParagraph(given ?? '')
  if (said !== '') return { text: said, notes: [] }
  const read = readSkillText(content, '')
  const isSaid = hasFront && !read.issues.some(issue => issue.rule === 'description-missing')
  if (isSaid && read.fields.description.trim() !== '')
    return { text: oneParagraph(read.fields.description), notes: [] }
  const start = read.body.slice(0, REACH)
  const heading = /^#{1,6}[ \t]+(.+)$/m.exec(start)?.[1] ?? ''
  const item = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(.+)$/m.exec(start)?.[1] ?? ''
  const text = firstSentence(firstParagraph(read.body)) || firstSentence(heading) || firstSentence(item)
  if (text === '') return undefined
  return {
    text,
    notes: [`No description was given, so it is now “${text}” Say in it when to use the skill.`],
  }
}

const oneParagraph = (text: string): string =>
  text
    .trim()
    .slice(0, LONGEST_DESCRIPTION * 4)
    .replace(/\s+/g, ' ')
    .slice(0, LONGEST_DESCRIPTION)
    .toWellFormed()

function firstSentence(text: string): string {
  const line = oneParagraph(text)
    .replace(/[*_`#]+/g, '')
    .trim()
  const sentence = /^.{10,}?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  const cut = sentence
    .slice(0, LONGEST_SENTENCE)
    .toWellFormed()
    .replace(/(?<![\s:,;–—-])[\s:,;–—-]+$/, '')
  return cut === '' || /[.!?…]$/.test(cut) ? cut : `${cut}.`
}

/** Maximum number of folders in a category. */
const DEEPEST = 3

/** A category as valid folder names. */
const categoryOf = (given: string): string =>
  given
    .split(/[/\\]+/)
    .filter(part => /[a-z\d]/i.test(part))
    .slice(0, DEEPEST)
    .map(part => suggestName(part))
    .join('/')

/**
 * Content without an outer code fence, and with literal `\n` turned into line breaks. Some models write both.
 */
export function unwrapContent(content: string): string {
  const whole = content.replace(/^\uFEFF/, '')
  const broken =
    !whole.includes('\n') && /\\n.*\\n|\\n#|\\n- /.test(whole) ? whole.replaceAll('\\n', '\n') : whole
  const fence = /^\s*(`{3,}|~{3,})[\w-]*[ \t]*\r?\n([^]*?)\r?\n?\1\s*$/.exec(broken)
  // With other fences in between, the outer fence does not enclose everything.
  return fence && !fence[2]!.includes(fence[1]!) ? fence[2]! : broken
}
