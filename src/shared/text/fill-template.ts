/** A variable of a template. `preset` is what it has unless the person writes something else; empty for nothing. */
export type TemplateVariable = { name: string; preset: string }

/** `{{name}}`, or `{{name=preset}}`. */
const VARIABLE = /\{\{\s*(\p{L}(?:[\p{L}\p{N}_ -]{0,38}[\p{L}\p{N}_])?)\s*(?:=([^{}\n]{0,200}))?\}\}/gu

/** The variables of a text, in the order of their first places. */
export function variablesOf(text: string): TemplateVariable[] {
  const found = new Map<string, string>()
  for (const [, name = '', preset = ''] of text.matchAll(VARIABLE))
    found.set(name, found.get(name) || preset.trim())
  return [...found].map(([name, preset]) => ({ name, preset }))
}

/** The text with its variables replaced, once: what a value says is never filled in itself. */
export const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(VARIABLE, (_, name: string, preset: string | undefined) =>
    Object.hasOwn(values, name) ? values[name]! : (preset ?? '').trim(),
  )

/** What is known without asking, where a template names it. */
export type TemplatePlace = { now: Date; folder: string; project: string; input: string }

/**
 * The variables with values that nobody has to give: `date`, `time`, `folder`, `project`, and `input`, which is what was typed
 * behind the name of the template.
 */
export function knownValues({ now, folder, project, input }: TemplatePlace): Record<string, string> {
  const two = (part: number) => `${part}`.padStart(2, '0')
  const known = {
    date: `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`,
    time: `${two(now.getHours())}:${two(now.getMinutes())}`,
    folder,
    project,
    input,
  }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ''))
}

/** What was typed behind the name of a template that has no place for it follows its text. */
export const withInput = (text: string, variables: readonly TemplateVariable[], input: string): string =>
  input === '' || variables.some(({ name }) => name === 'input') ? text : `${text}\n\n${input}`

/** A text of ours with its places filled in, such as `{day}`; a place without a value stays. */
export const fillText = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
