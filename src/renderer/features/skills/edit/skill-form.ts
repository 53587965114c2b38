import type { SkillFields } from '../../../../shared/contract/learned/skills.ts'

/** The front matter as typed. Lists are one line, so that a trailing comma is kept. */
export type Form = {
  name: string
  description: string
  tags: string
  requires: string
  platforms: readonly string[]
  licence: string
}
export type FormKey = keyof Form

/** The longest description that the specification allows, in characters. */
export const MOST_DESCRIPTION = 1_024

export const emptyForm: Form = {
  name: '',
  description: '',
  tags: '',
  requires: '',
  platforms: [],
  licence: '',
}

const listOf = (text: string) =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')

/** Convert front matter to form values. */
export const formOf = ({ tags, requires, ...rest }: SkillFields): Form => ({
  ...rest,
  tags: tags.join(', '),
  requires: requires.join(', '),
})

/** Convert the named form fields to front matter. */
export function fieldsOf(form: Form, keys: Iterable<FormKey>): Partial<SkillFields> {
  const all: SkillFields = {
    name: form.name.trim(),
    description: form.description.trim(),
    tags: listOf(form.tags),
    requires: listOf(form.requires),
    platforms: [...form.platforms],
    licence: form.licence.trim(),
  }
  return Object.fromEntries(Array.from(keys, key => [key, all[key]]))
}

/**
 * Synchronize the form with the front matter. Fields in `held` are being edited and stay unchanged. So do
 * fields with an equivalent value.
 */
export function syncForm(form: Form, fields: SkillFields, held: ReadonlySet<FormKey>): Form {
  const now = formOf(fields)
  const keys = Object.keys(emptyForm) as FormKey[]
  const meant = fieldsOf(form, keys)
  const changed = keys.filter(
    key => !held.has(key) && JSON.stringify(meant[key]) !== JSON.stringify(fieldsOf(now, [key])[key]),
  )
  return changed.length === 0 ? form : { ...form, ...Object.fromEntries(changed.map(key => [key, now[key]])) }
}
