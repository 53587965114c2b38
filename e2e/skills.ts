import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { dialog, openPage, transcript } from './chat.ts'

// Locators for the parts of the Skills page, and skills for specs.

export const openSkills = (page: Page): Promise<void> => openPage(page, 'Skills')
export const list = (page: Page): Locator => page.getByRole('list', { name: 'Skills', exact: true })
/** The row of a skill in the list. */
export const line = (page: Page, name: string): Locator =>
  list(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('switch', { name: `${name}: on`, exact: true }) })
export const isOn = (page: Page, name: string): Locator =>
  page.getByRole('switch', { name: `${name}: on`, exact: true })
/** The details of a skill, beside the list. */
export const skill = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: `The skill ${name}`, exact: true })
export const tab = (page: Page, name: string): Locator =>
  page.getByRole('tab', { name: new RegExp(`^${name}`) })
export const changes = (page: Page): Locator =>
  page
    .getByRole('list', { name: 'Changes', exact: true })
    .getByRole('listitem')
    .filter({ has: page.getByText(/ by (?:you|the agent|an import)/) })
export const corner = (page: Page): Locator => page.getByRole('status', { name: 'What just happened' })
/** The chips under a turn: used skills and changes to skills. */
export const chips = (page: Page): Locator =>
  transcript(page).getByRole('list', { name: 'Skills in this turn' }).getByRole('listitem')
/** The row of a skill in the results of an import. */
export const candidate = (page: Page, name: string): Locator =>
  dialog(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('checkbox', { name: `Import “${name}”`, exact: true }) })
/** Choose which skills are listed. */
export async function show(page: Page, name: string): Promise<void> {
  const which = page.getByRole('combobox', { name: 'Which skills' })
  const option = which.getByRole('option', { name: new RegExp(`^${name} `) })
  await which.selectOption(await option.getAttribute('value'))
}

export async function openSkill(page: Page, name: string): Promise<Locator> {
  await line(page, name)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  await expect(skill(page, name)).toBeVisible()
  return skill(page, name)
}

/** Choose an item from the menu of the open skill. */
export async function choose(page: Page, name: string, what: string): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: what, exact: true }).click()
}

/** Look for skills at a path, and wait for the results. */
export async function lookAt(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Import…', exact: true }).click()
  await dialog(page).getByRole('textbox', { name: 'Folder, zip or SKILL.md' }).fill(path)
  await dialog(page).getByRole('button', { name: 'Scan it' }).click()
  await expect(dialog(page).getByRole('heading', { name: /found$/ })).toBeVisible()
}

/** Write in the last line of the open file. */
export async function append(page: Page, path: string, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: `Text of ${path}`, exact: true })
  // Wait until the editor has loaded and replaced the plain field.
  await expect(editor).toHaveClass(/cm-content/)
  await editor.press('ControlOrMeta+End')
  await page.keyboard.insertText(text)
}

export const skillText = (
  name: string,
  steps: string,
  says = `Writes a ${name}. Use when the user asks for a ${name}.`,
): string => `---\nname: ${name}\ndescription: ${says}\n---\n\n# ${name}\n\n${steps}\n`

/** Write files in a folder, by relative path. */
export async function fill(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** A call of a skill tool, as a model writes it. */
export const callOf = (name: 'skill_view' | 'skill_manage', given: Record<string, unknown>) => ({
  toolCalls: [{ name, arguments: given }],
})
