import type { Locator, Page } from '@playwright/test'

// How a person finds the parts of a chat: by their role and their name.

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true })
export const transcript = (page: Page): Locator => page.getByRole('region', { name: 'Conversation' })
export const answers = (page: Page): Locator => transcript(page).getByRole('article', { name: 'Talaria' })
export const lastAnswer = (page: Page): Locator => answers(page).last()
export const stopButton = (page: Page): Locator => page.getByRole('button', { name: 'Stop', exact: true })
/** The question above the composer. */
export const approval = (page: Page): Locator => page.getByRole('region', { name: 'A question for you' })
/** The card of a call in the transcript, by its name, which tells what it does and where it stands. */
export const card = (page: Page, name: string | RegExp): Locator =>
  transcript(page).getByRole('button', { name })
export const chatList = (page: Page): Locator => page.getByRole('navigation', { name: 'Chats' })
export const chatRow = (page: Page, title: string): Locator =>
  chatList(page).getByRole('button', { name: title, exact: true })
export const dialog = (page: Page): Locator => page.getByRole('dialog')

/** Go to a page of the window; where there is no room for their list, it is behind a button. */
export async function openPage(page: Page, name: string): Promise<void> {
  // Figures may stand behind the name: how much waits there, or how much of a download has come.
  const way = page.getByRole('button', { name: new RegExp(`^${name}( |$)`) })
  const list = page.getByRole('button', { name: 'Open the list of chats' })
  await way.or(list).first().waitFor()
  if (!(await way.isVisible())) await list.click()
  await way.click()
}

/** Write a message and send it with the key that sends. */
export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}
