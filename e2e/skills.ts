import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { dialog, transcript } from './chat.ts'

// How a person finds the parts of the Skills page, and skills that a spec makes.

export const openSkills = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Skills', exact: true }).click()
export const list = (page: Page): Locator => page.getByRole('list', { name: 'Skills', exact: true })
/** The line of a skill in the list. */
export const line = (page: Page, name: string): Locator =>
  list(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('switch', { name: `${name}: on`, exact: true }) })
export const isOn = (page: Page, name: string): Locator =>
  page.getByRole('switch', { name: `${name}: on`, exact: true })
/** A skill from all its sides, beside the list. */
export const skill = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: `The skill ${name}`, exact: true })
export const tab = (page: Page, name: string): Locator =>
  page.getByRole('tab', { name: new RegExp(`^${name}`) })
export const changes = (page: Page): Locator =>
  page
    .getByRole('list', { name: 'Changes', exact: true })
    .getByRole('listitem')
    .filter({ has: page.getByText(/^(?:You|The agent|An import) /) })
export const corner = (page: Page): Locator => page.getByRole('region', { name: 'Messages', exact: true })
/** The chips under a turn: the skills it used and what it changed in them. */
export const chips = (page: Page): Locator =>
  transcript(page).getByRole('list', { name: 'Skills in this turn' }).getByRole('listitem')
/** What an import found, one line a skill. */
export const candidate = (page: Page, name: string): Locator =>
  dialog(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name: `Import “${name}”`, exact: true }) })
/** Which skills are listed. */
export const show = (page: Page, name: string): Promise<void> =>
  page
    .getByRole('group', { name: 'Which skills' })
    .getByText(new RegExp(`^${name} `))
    .click()

export async function openSkill(page: Page, name: string): Promise<Locator> {
  await line(page, name)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  await expect(skill(page, name)).toBeVisible()
  return skill(page, name)
}

/** Choose from the menu of the skill that is shown. */
export async function choose(page: Page, name: string, what: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: what, exact: true }).click()
}

/** Ask for what lies at a path, and wait for what was found there. */
export async function lookAt(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Import…', exact: true }).click()
  await dialog(page).getByRole('textbox', { name: 'Folder, zip or SKILL.md' }).fill(path)
  await dialog(page).getByRole('button', { name: 'Look at it' }).click()
  await expect(dialog(page).getByRole('heading', { name: /found$/ })).toBeVisible()
}

/** Write in the last line of the file that is edited. */
export async function append(page: Page, path: string, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: `Text of ${path}`, exact: true })
  // It takes the place of a plain field as soon as it is loaded, and a person begins to write after that.
  await expect(editor).toHaveClass(/cm-content/)
  await editor.press('ControlOrMeta+End')
  await page.keyboard.insertText(text)
}

export const skillText = (
  name: string,
  steps: string,
  says = `Writes a ${name}. Use when the user asks for a ${name}.`,
): string => `---\nname: ${name}\ndescription: ${says}\n---\n\n# ${name}\n\n${steps}\n`

/** Write files below a folder, by their path in it. */
export async function fill(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** A call of a tool of the skills, as a model writes it. */
export const callOf = (name: 'skill_view' | 'skill_manage', given: Record<string, unknown>) => ({
  toolCalls: [{ name, arguments: given }],
})
