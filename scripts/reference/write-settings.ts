import { z } from 'zod'
import { knownKeys, type KnownKey } from '../../src/main/config/known-keys.ts'
import { Config } from '../../src/main/config/schema.ts'
import { settingsOf } from '../../src/main/config/settings-handlers.ts'
import {
  isForExperts,
  isShown,
  choiceWords,
  sectionOf,
  sections,
  sectionTitles,
} from '../../src/shared/words/setting-words.ts'
import type { Setting } from '../../src/shared/contract/settings.ts'
import { asCode, madeBy, plainText } from './write-markdown.ts'

/**
 * The reference of config.yaml as Markdown: every setting, in the groups of the Settings page, and every key
 * of `.env`.
 */
export function writeSettings(): string {
  const settings = settingsOf({ current: Config.parse({}), lineOf: () => undefined })
  const parts = [
    madeBy('the schema of the settings'),
    '# Settings',
    'Every setting of `config.yaml`, in the groups of the *Settings* page. A setting that the file does not name has its default.',
    'Change one in *Settings*, with `talaria config set`, or in the file, which `talaria config check` reads for mistakes. `a.b` is `b` below `a:`.',
    '*Expert* means that the *Settings* page shows it below *Expert* only, unless it was changed.',
    sections
      .filter(section => settings.some(each => sectionOf(each) === section))
      .map(section => `- [${sectionTitles[section]}](#${anchorOf(sectionTitles[section])})`)
      .concat('- [Keys](#keys)')
      .join('\n'),
    ...sections.flatMap(section => {
      const here = settings.filter(each => sectionOf(each) === section)
      return here.length === 0 ? [] : [`## ${sectionTitles[section]}`, ...here.flatMap(partsOf)]
    }),
    '## Keys',
    'Names of `.env` in the home folder, or of the environment where `.env` does not have them. Servers and skills that you add bring further names.',
    ...knownKeys.flatMap(partsOfKey),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The anchor of a title; these titles hold only letters and blanks. */
const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-')

function partsOf(setting: Setting): string[] {
  const { path, title, help, standard, usedBy, where, restart } = setting
  const schema = schemaOf(path)
  const fields = fieldsOf(schema)
  const facts = [
    `- Value: ${plainText(valueOf(setting, schema))}`,
    `- Default: ${standardOf(standard)}`,
    `- Used by: ${plainText(usedBy.join(', '))}`,
    ...(where === '' ? [] : [`- What may be written: ${asCode(where)}`]),
    ...(restart ? ['- A change takes effect at the next start.'] : []),
    ...(isShown(setting) ? [] : ['- It has no row of its own on the Settings page.']),
    ...(isForExperts(setting) ? ['- Expert'] : []),
  ]
  return [
    `### ${path}`,
    `**${plainText(title)}.** ${plainText(help)}`,
    facts.join('\n'),
    ...(fields.length === 0
      ? []
      : [`${fields.length === 1 ? 'Its field' : 'Its fields'}:`, fields.join('\n')]),
  ]
}

/** The schema of a setting, without its default. */
function schemaOf(path: string): z.ZodType {
  const [section, name] = path.split('.') as [string, string]
  const outer = (Config.shape as Record<string, z.ZodType>)[section]
  const group = outer instanceof z.ZodPrefault ? (outer.unwrap() as z.ZodType) : outer
  if (!(group instanceof z.ZodObject)) throw new Error(`${section} is no group of settings.`)
  return inner((group.shape as Record<string, z.ZodType>)[name]!)
}

const inner = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault
    ? inner(schema.unwrap() as z.ZodType)
    : schema

function valueOf({ path, kind }: Setting, schema: z.ZodType): string {
  switch (kind.type) {
    case 'switch':
      return 'true or false'
    case 'choice':
      return kind.options
        .map(option => {
          const words = choiceWords(path, option).replace('mod+enter', 'Ctrl+Enter')
          return words.toLowerCase() === option ? `“${option}”` : `“${option}” (${words})`
        })
        .join(', ')
    case 'auto_number':
      return `“auto” or a number from ${kind.min} to ${kind.max}`
    default:
      return allowedBy(schema)
  }
}

/** What a schema allows. If it has a refusal in its own words, it is described with those. */
function allowedBy(schema: z.ZodType): string {
  const [issue] = schema.safeParse(Symbol('nothing of a file')).error?.issues ?? []
  if (issue && !/^Invalid (?:input|option)/.test(issue.message)) return issue.message
  if (schema instanceof z.ZodEnum) return schema.options.map(option => `“${option}”`).join(', ')
  const words = KINDS[schema.type]
  if (words === undefined) throw new Error(`A rule of the kind ${schema.type} does not say what it allows.`)
  return words
}

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'a group of values',
  record: 'values by their names',
  string: 'a text',
}

/** The fields of the objects in a list or a record, one row each. */
function fieldsOf(schema: z.ZodType): string[] {
  const object = objectIn(schema)
  if (!object) return []
  return Object.entries(object.shape as Record<string, z.ZodType>).map(([name, each]) => {
    const parsed = each.safeParse(undefined)
    const more = !parsed.success
      ? ', needed'
      : parsed.data === undefined
        ? ''
        : `. Default: ${standardOf(parsed.data)}`
    return `- ${asCode(name)}: ${plainText(allowedBy(inner(each)))}${more}`
  })
}

function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  const each = inner(schema)
  if (each instanceof z.ZodObject) return each
  if (each instanceof z.ZodArray) return objectIn(each.element as z.ZodType)
  if (each instanceof z.ZodRecord) return objectIn(each.valueType as z.ZodType)
  if (each instanceof z.ZodUnion) return each.options.map(one => objectIn(one as z.ZodType)).find(Boolean)
  return undefined
}

function standardOf(value: unknown): string {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'none'
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return 'none'
  return asCode(typeof value === 'string' ? value : JSON.stringify(value))
}

function partsOfKey({ name, help, where, usedBy, masked, otherNames = [] }: KnownKey): string[] {
  const facts = [
    `- Get it: ${plainText(where)}`,
    `- Used by: ${plainText(usedBy.join(', '))}`,
    ...(otherNames.length === 0 ? [] : [`- Read too: ${otherNames.map(asCode).join(', ')}`]),
    `- ${masked ? 'A secret: nothing prints it.' : 'No secret.'}`,
  ]
  return [`### ${name}`, plainText(help), facts.join('\n')]
}
