import { expect, type Locator, type Page } from '@playwright/test'
import { scriptedModel } from '../testing/gguf/cached.ts'
import { dialog, openPage } from './chat.ts'

// Locators for models, and models with scripted behaviour.

/** The model of the chat, shown at the message field. */
export const pill = (page: Page): Locator =>
  page.locator('.composer').getByRole('button', { name: /^Model: / })
/** The sign at the message field while the offline lock is on. */
export const lockSign = (page: Page): Locator =>
  page.locator('.composer').getByRole('button', { name: /^Offline lock: / })

/** Open the Models page, and one of its tabs if named. */
export async function openModels(page: Page, side?: string): Promise<void> {
  await openPage(page, 'Models')
  if (side !== undefined) await modelTab(page, side).click()
}

export const modelTab = (page: Page, name: string): Locator =>
  page.getByRole('tab', { name: new RegExp(`^${name}`) })
/** A model in the list, by name. */
export const modelCard = (page: Page, name: string): Locator =>
  page
    .getByRole('list', { name: 'Models', exact: true })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: `More for ${name}`, exact: true }) })
/** Show all details of a model. */
export const openDetails = (page: Page, name: string): Promise<void> =>
  modelCard(page, name)
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
/** Current and finished downloads, one item for each file. */
export const transfers = (page: Page): Locator =>
  page.getByRole('list', { name: 'Downloads' }).getByRole('listitem')
/**
 * Go back to the chat and check what the window says of its model: where messages go, and what is in the
 * engine.
 */
export async function expectOfModel(page: Page, says: string | RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Chat' }).click()
  await pill(page).click()
  await expect(dialog(page)).toContainText(says)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
}

/** Open the dialog that adds a model, from the chat. */
export async function addFrom(page: Page, how: 'file' | 'server'): Promise<void> {
  await pill(page).click()
  const name = how === 'file' ? 'Add a model file…' : 'Add a server…'
  await page.getByRole('button', { name }).click()
}

export const pathField = (page: Page): Locator =>
  dialog(page).getByRole('textbox', { name: 'Path of a .gguf file' })
export const addButton = (page: Page): Locator =>
  dialog(page).getByRole('button', { name: 'Add', exact: true })

/** Drop files on the window, as a file manager does. */
export async function dropFiles(page: Page, ...paths: string[]): Promise<void> {
  await page.getByRole('main').waitFor()
  // Only a file input gives real files to a page.
  const field = await page.evaluateHandle(
    `Object.assign(document.createElement('input'), { type: 'file', multiple: true })`,
  )
  await field.asElement().setInputFiles(paths)
  await field.evaluate((input: any) => {
    const { DataTransfer, DragEvent, document } = globalThis as any
    const dataTransfer = new DataTransfer()
    for (const file of input.files) dataTransfer.items.add(file)
    for (const type of ['dragenter', 'dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
  })
}

/** Wait until the host has written a text, so that it can be ended. */
export const isWritten = (read: () => Promise<string>, text: string): Promise<void> =>
  expect.poll(() => read().catch(() => '')).toContain(text)

/**
 * A real model that reads `todo.txt` with a tool when the user says “shopping”, and names the oolong on
 * that list.
 */
export const readsTheList = (reply: string): string =>
  scriptedModel({
    reply,
    rules: [
      {
        when: 'shopping',
        reply: '<tool_call>\n{"name": "read_file", "arguments": {"path": "todo.txt"}}\n</tool_call>',
      },
      { when: 'oolong', reply: 'Your list says tea.' },
    ],
  })
