import { expect, type Locator, type Page } from '@playwright/test'

// Locators for the parts of a chat, by role and name.

export const composer = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true })
export const transcript = (page: Page): Locator => page.getByRole('region', { name: 'Conversation' })
export const answers = (page: Page): Locator => transcript(page).getByRole('article', { name: 'Talaria' })
export const lastAnswer = (page: Page): Locator => answers(page).last()
export const stopButton = (page: Page): Locator => page.getByRole('button', { name: 'Stop', exact: true })
/** The approval request above the composer. */
export const approval = (page: Page): Locator => page.getByRole('region', { name: 'A question for you' })
/** The card of a call in the transcript. Its accessible name tells the call and its status. */
export const card = (page: Page, name: string | RegExp): Locator =>
  transcript(page).getByRole('button', { name })
export const chatList = (page: Page): Locator => page.getByRole('navigation', { name: 'Chats' })
export const chatRow = (page: Page, title: string): Locator =>
  chatList(page).getByRole('button', { name: title, exact: true })
export const dialog = (page: Page): Locator => page.getByRole('dialog')

/**
 * Open a page of the window, or the settings. Pages that are not for every day are under *More pages*, which
 * is a group of rows in the full sidebar and a menu in the sidebar of icons. In a narrow window the whole
 * sidebar is behind a button.
 */
export async function openPage(page: Page, name: string): Promise<void> {
  const pages = page.getByRole('navigation', { name: 'Pages' })
  // The name can end with a number, such as the pending items or the progress of a download.
  const named = new RegExp(`^${name}( |$)`)
  const way =
    name === 'Settings'
      ? page.getByRole('button', { name, exact: true })
      : pages.getByRole('button', { name: named })
  const more = pages.getByRole('button', { name: /^More pages/ })
  const entry = page.getByRole('menu', { name: 'More pages' }).getByRole('menuitem', { name: named })
  const list = page.getByRole('button', { name: 'Open the list of chats' })
  const isThere = async () => (await way.isVisible()) || (await entry.isVisible())
  await more.or(list).first().waitFor()
  // After a change of the width, the list may be about to appear or disappear.
  await expect(async () => {
    if (!(await isThere()) && !(await more.isVisible())) {
      await list.click({ timeout: 10_000 })
      // The group may be open already, and then its rows appear together with this one.
      await more.waitFor({ timeout: 10_000 })
    }
    if (!(await isThere())) await more.click({ timeout: 10_000 })
    await way.or(entry).click({ timeout: 10_000 })
  }).toPass()
}

/** Write a message and send it with the keyboard. */
export async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

/** Give an answer to an approval request that is under *More answers*. */
export async function moreAnswer(page: Page, name: string): Promise<void> {
  await approval(page).getByRole('button', { name: 'More answers' }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Begin to write why a call is denied, whether or not the request has more answers. */
export async function denyAndExplain(page: Page): Promise<void> {
  const more = approval(page).getByRole('button', { name: /^(More answers|Deny and explain…)$/ })
  await more.click()
  if (!(await approval(page).getByRole('textbox').isVisible()))
    await page.getByRole('menuitem', { name: 'Deny and explain…' }).click()
}
