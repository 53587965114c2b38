import type { Locator, Page } from '@playwright/test'
import { lookingBack, scriptedLearner, type ReviewScript } from '../testing/learning/script.ts'
import type { OpenAiServer, ServedRequest } from '../testing/servers/openai-server.ts'
import { openPage } from './chat.ts'

// Locators for reviews and their results, and a model with scripted findings.

/** A review that finds these facts about the user and saves each in a separate step. */
export const finding = (...facts: string[]): ReviewScript => ({
  first: { worth: true, facts },
  review: facts.map(content => [{ name: 'memory', arguments: { target: 'user', action: 'add', content } }]),
})

/** Make the model give the same answer to every message, and the scripted findings in each review. */
export function teach(model: OpenAiServer, script: ReviewScript) {
  let present = script
  model.reply(
    scriptedLearner(
      () => ({ text: 'All right.' }),
      () => present,
    ),
  )
  const looks = (): ServedRequest[] => model.chats().filter(request => lookingBack(request) !== undefined)
  return {
    finds: (next: ReviewScript) => (present = next),
    /** The prompts of the reviews. */
    looks,
    /** The requests of the chats. */
    chats: (): ServedRequest[] => model.chats().filter(request => lookingBack(request) === undefined),
  }
}

const pages = (page: Page): Locator => page.getByRole('navigation', { name: 'Pages' })
/** The number of pending items in Activity, on its row or on *More pages*. */
export const activityCount = (page: Page): Locator => pages(page).locator('.waiting-badge')
/** The row of Activity while its page is open. Its name includes the number of pending items. */
export const activityWay = (page: Page): Locator => pages(page).getByRole('button', { name: /^Activity/ })
export const openActivity = (page: Page): Promise<void> => openPage(page, 'Activity')
const cards = (page: Page, group: string): Locator =>
  page.getByRole('list', { name: group }).locator('[data-card-box]')
/** The pending cards. */
export const waiting = (page: Page): Locator => cards(page, 'Waiting for you')
/** The cards of today's decisions and actions. */
export const today = (page: Page): Locator => cards(page, 'Today')
/** One card, by its headline. */
export const cardOf = (list: Locator, headline: string): Locator =>
  list.filter({ has: list.page().getByRole('heading', { name: headline, exact: true }) })
export const press = (card: Locator, name: string): Promise<void> =>
  card.getByRole('button', { name: new RegExp(`^${name}`) }).click()
export const underWay = (page: Page): Locator =>
  page.getByRole('list', { name: 'Reviews under way' }).getByRole('listitem')
export const rules = (page: Page): Locator =>
  page.getByRole('list', { name: 'What not to learn' }).getByRole('listitem')

/** Start the pending reviews. */
export async function reviewNow(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Activity' })
    .getByRole('button', { name: 'More', exact: true })
    .click()
  await page.getByRole('menuitem', { name: 'Review now' }).click()
}
