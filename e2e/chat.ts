import { expect, type Locator, type Page } from '@playwright/test'

// Locators for the parts of a chat, by role and name.

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true })
export const transcript = (page: Page): Locator => page.getByRole('region', { name: 'Conversation' })
export const answers = (page: Page): Locator => transcript(page).getByRole('article', { name: 'Talaria' })
export const lastAnswer = (page: Page): Locator => answers(page).last()
export const stopButton = (page: Page): Locator => page.getByRole('button', { name: 'Stop', exact: true })
/** The approval request above the composer. */
export const approval = (page: Page): Locator => page.getByRole('region', { name: 'A question for you' })
/** The card of a call in the transcript. Its name states the call and its status. */
export const card = (page: Page, name: string | RegExp): Locator =>
  transcript(page).getByRole('button', { name })
export const chatList = (page: Page): Locator => page.getByRole('navigation', { name: 'Chats' })
export const chatRow = (page: Page, title: string): Locator =>
  chatList(page).getByRole('button', { name: title, exact: true })
export const dialog = (page: Page): Locator => page.getByRole('dialog')

/** Open a page of the window. In a narrow window the list of pages is behind a button. */
export async function openPage(page: Page, name: string): Promise<void> {
  // The name can end with a number, such as pending items or download progress.
  const way = page.getByRole('button', { name: new RegExp(`^${name}( |$)`) })
  const list = page.getByRole('button', { name: 'Open the list of chats' })
  await way.or(list).first().waitFor()
  // After a change of width the list may still be about to go, or to come.
  await expect(async () => {
    if (!(await way.isVisible())) await list.click({ timeout: 10_000 })
    await way.click({ timeout: 10_000 })
  }).toPass()
}

/** Write a message and send it with the keyboard. */
export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}
