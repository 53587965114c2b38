/** A variable of a template. `preset`: its value unless the user writes another; empty for none. */
export type TemplateVariable = { name: string; preset: string }

/** `{{name}}`, or `{{name=preset}}`. */
const VARIABLE = /\{\{\s*(\p{L}(?:[\p{L}\p{N}_ -]{0,38}[\p{L}\p{N}_])?)\s*(?:=([^{}\n]{0,200}))?\}\}/gu

/** The variables of a text, in the order of first use. */
export function variablesOf(text: string): TemplateVariable[] {
  const found = new Map<string, string>()
  for (const [, name = '', preset = ''] of text.matchAll(VARIABLE))
    found.set(name, found.get(name) || preset.trim())
  return [...found].map(([name, preset]) => ({ name, preset }))
}

/** Replace the variables of a text once: variables inside values are not replaced. */
export const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(VARIABLE, (_, name: string, preset: string | undefined) =>
    Object.hasOwn(values, name) ? values[name]! : (preset ?? '').trim(),
  )

/** The facts that templates can use without asking the user. */
export type TemplatePlace = { now: Date; folder: string; project: string; input: string }

/**
 * The values of variables that need no question: `date`, `time`, `folder`, `project`, and `input`, the text
 * typed after the name of the template.
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

/** Append the typed input to the text of a template that has no `input` variable. */
export const withInput = (text: string, variables: readonly TemplateVariable[], input: string): string =>
  input === '' || variables.some(({ name }) => name === 'input') ? text : `${text}\n\n${input}`

/** Fill in the placeholders of our own text, such as `{day}`; a placeholder without a value stays. */
export const fillText = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
